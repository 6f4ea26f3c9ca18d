/* validator.h - answers that need not be sent again: entity tags, If-None-Match, 304. Inside src/http only. Any thread.
 */
#ifndef HTTP_VALIDATOR_H
#define HTTP_VALIDATOR_H

#include <stdbool.h>

#include "http/http.h"

/* Whether the client says that it has this: `tag` is a strong entity tag, with its quotes. */
bool validator_is_known(const struct http_request *req, const char *tag);

/* Sets resp->digest, if the answer may have a tag: before it is kept (recall.h). */
void validator_prepare(const struct http_request *req, struct http_response *resp);

/* Gives the page that a stranger got of an HTTP_PUBLIC route its entity tag, and lets his browser, and nobody on the way,
 * keep it; 304 in place of the page if he has it. Other answers stay as they are. */
void validator_apply(const struct http_request *req, struct http_response *resp);

#endif
