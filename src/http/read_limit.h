/* read_limit.h - how many pages a visitor may ask for (limits.read; for what costs more limits.search besides): strangers by
 * address, members by account.
 *
 * Members behind one address (a school, an office) do not share its limit, and one of them is not kept out by strangers
 * there. The page itself finds out whether the visitor is a member, in the round trip that it makes anyway. So the
 * first request with a cookie that this process has not seen counts for the address, and those after it for the
 * account. Requests with a made-up cookie always count for the address.
 *
 * Threads: made and ended by the main thread, otherwise any. Inside src/http only.
 */
#ifndef HTTP_READ_LIMIT_H
#define HTTP_READ_LIMIT_H

#include <stdbool.h>

#include "config/config.h"
#include "http/http.h"

struct read_limit;

struct read_limit *read_limit_new(const struct config *c);
void read_limit_free(struct read_limit *l);

/* Counts a request that has been routed, before it is worked on: 0, or the seconds until another is let through. */
unsigned read_limit_take(struct read_limit *l, struct http_request *req);

/* Learns from the answered request who it was. */
void read_limit_learn(struct read_limit *l, const struct http_request *req);

#endif
