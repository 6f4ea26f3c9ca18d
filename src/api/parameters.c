/* parameters.c - see parameters.h. Constant data. */
#include "api/parameters.h"

const struct http_parameter api_parameter_post[] = {
    {"id", HTTP_ID, 0, 0, true, "id of the post"},
    {0},
};

const struct http_parameter api_parameter_account[] = {
    {"id", HTTP_ID, 0, 0, true, "id of the account"},
    {0},
};

const struct http_parameter api_parameter_list[] = {
    {"id", HTTP_ID, 0, 0, true, "id of the list"},
    {0},
};

const struct http_parameter api_parameter_tag[] = {
    {"tag", HTTP_TEXT, 1, 400, true, "tag without #, in any case"},
    {0},
};
