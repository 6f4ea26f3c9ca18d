/* parameters.h - inputs that rows of several files declare: sets for http_route.parameters. Inside api/ only.
 *
 * Threads: constant data.
 */
#ifndef API_PARAMETERS_H
#define API_PARAMETERS_H

#include "http/http.h"

/* id, in the path: */
extern const struct http_parameter api_parameter_post[];
extern const struct http_parameter api_parameter_account[];
extern const struct http_parameter api_parameter_list[];

extern const struct http_parameter api_parameter_tag[]; /* tag, in the path */

#endif
