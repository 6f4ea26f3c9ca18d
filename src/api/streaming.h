/* streaming.h - streams that do not only tell what Mastodon's protocol knows. Inside api/ only.
 *
 * Threads: the connection's.
 */
#ifndef API_STREAMING_H
#define API_STREAMING_H

#include "api/api.h"

struct match_query;

/* Goes on as a stream of what is posted for all, after api_read: by lines of JSON, or by server-sent events if the request accepts
 * them. wanted: of that only what this asks for; NULL: everything. It must live as long as the request. */
void api_stream_posts(struct api *c, const struct match_query *wanted);

#endif
