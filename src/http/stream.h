/* stream.h - answers that do not end: a handler sets http_response.stream, and when the header has gone out that function
 * is called with the connection, writes to it whenever there is something, and returns when it is over.
 *
 * The connection's thread is the stream's for as long. It does not count as a request that is worked on, and a client that
 * takes no bytes is cut off by the guard, as any is that is slow to read an answer.
 *
 * Threads: the connection's.
 */
#ifndef HTTP_STREAM_H
#define HTTP_STREAM_H

#include <stdbool.h>
#include <stddef.h>

struct http_stream {
    void *connection;
    int (*write)(void *connection, const void *data, size_t size);
    bool is_chunked;
    bool is_gone; /* the client, as far as is known */
};

/* Sends it, as one piece. False: the client is gone. */
bool http_stream_write(struct http_stream *s, const void *data, size_t size);

/* Waits until `fd` can be read, so many milliseconds at most. False: the client is gone, or sent something, which ends a
 * stream, or the server is stopping. */
bool http_stream_wait(struct http_stream *s, int fd, unsigned ms);

/* Inside src/http only. */
void stream_begin(struct http_stream *s);
void stream_end(struct http_stream *s);

#endif
