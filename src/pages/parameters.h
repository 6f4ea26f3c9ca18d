/* parameters.h - inputs that rows of several files declare: sets for http_route.parameters. Inside pages/ only.
 *
 * Threads: constant data.
 */
#ifndef PAGES_PARAMETERS_H
#define PAGES_PARAMETERS_H

#include "http/http.h"

#define PARAMETER_TEXT_MAX (64 * 1024) /* bytes of one field; the rules of the product are stricter */

extern const struct http_parameter parameter_cursors[]; /* max_id, min_id, since_id: ids of posts */
extern const struct http_parameter
    parameter_time_cursors[]; /* max_id, min_id: times (us), by which lists of people are paged */
extern const struct http_parameter parameter_name[];  /* name: of a user, in the path */
extern const struct http_parameter parameter_names[]; /* names: many users */
extern const struct http_parameter parameter_post[];  /* id: of a post, in the path */
extern const struct http_parameter parameter_next[];  /* next: where to go afterwards */

#endif
