/* recall.h - whole answers that are given again while nothing that they were made of has changed: source.h says whether.
 *
 * For routes that say so (HTTP_RECALLED): their handlers only show, and what they show depends on nothing but their
 * reads, the settings, the time in words, and of the request on address, credential, cookies and language. All of these
 * are the key. What must be new in each answer (the token of the forms, the key of a form that is sent once) is left
 * open in what is kept, and filled in. An answer with a cookie, an error, or more than RECALL_SIZE_MAX is not kept.
 *
 * What this is not: a cache between the server and its visitors (that may not exist: no-store), nor the entity tags by
 * which browsers ask whether a page has changed (validator.h).
 *
 * Inside src/http only. Threads: any; a request belongs to one.
 */
#ifndef HTTP_RECALL_H
#define HTTP_RECALL_H

#include <stdbool.h>
#include <stddef.h>

#include "http/encoding.h"
#include "http/http.h"

struct recall;

#define RECALL_SIZE_MAX (256 * 1024)

/* Keeps answers in so many bytes; 0: none, NULL, which all functions take. The caller ends it with recall_free. */
struct recall *recall_new(size_t bytes);
void recall_free(struct recall *r);

/* Gives the answer that is kept for this request. False: the handler has to run, and recall_keep must follow. */
bool recall_find(struct recall *r, struct http_request *req, struct http_response *resp);

/* The handler has run: keeps its answer, if it can be given again. */
void recall_keep(struct recall *r, struct http_request *req, const struct http_response *resp);

/* The body of an answer that was given again, compressed: as it is kept, or made now and kept. NULL: the body has to be
 * compressed as any other. In the arena of the answer. */
const char *recall_compressed(const struct http_response *resp, enum encoding e, size_t *size);

/* Puts the numbers among the metrics. */
void recall_measure(const struct recall *r);

#endif
