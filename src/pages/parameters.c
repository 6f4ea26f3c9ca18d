/* parameters.c - see parameters.h. Constant data. */
#include "pages/parameters.h"

#include "social/people/follow.h"
#include "social/people/user.h"

#define NAMES_MAX (FOLLOW_BATCH_MAX * (USER_NAME_MAX + 3))

const struct http_parameter parameter_cursors[] = {
    {"max_id", HTTP_ID, 0, 0, false, "only posts older than this id"},
    {"min_id", HTTP_ID, 0, 0, false, "the posts that come next after this id"},
    {"since_id", HTTP_ID, 0, 0, false, "the newest posts, but only those newer than this id"},
    {0},
};

const struct http_parameter parameter_time_cursors[] = {
    {"max_id", HTTP_NUMBER, 1, INT64_MAX / 2, false, "only relations older than this"},
    {"min_id", HTTP_NUMBER, 1, INT64_MAX / 2, false, "the relations that come next after this"},
    {0},
};

const struct http_parameter parameter_name[] = {
    {"name", HTTP_NAME, 1, USER_NAME_MAX, true, "user name"},
    {0},
};

const struct http_parameter parameter_names[] = {
    {"names", HTTP_TEXT, 0, NAMES_MAX, false, "user names, comma separated"},
    {0},
};

const struct http_parameter parameter_post[] = {
    {"id", HTTP_ID, 0, 0, true, "id of the post"},
    {0},
};

const struct http_parameter parameter_next[] = {
    {"next", HTTP_TEXT, 0, 8192, false, "path to go to afterwards"},
    {0},
};
