/* stream.c - see stream.h. The connection's thread. */
#include "http/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>

#include "http/guard.h"

/* After so long without an answer of its machine a client has vanished; with a heartbeat every 15 seconds that is seen
 * within 30. */
#define VANISHED_MS 14000

void stream_begin(struct http_stream *s)
{
    unsigned vanished = VANISHED_MS;
    s->is_gone = s->is_gone || guard_socket() < 0;
    setsockopt(guard_socket(), IPPROTO_TCP, TCP_USER_TIMEOUT, &vanished, sizeof(vanished)); /* a Unix socket has none */
    guard_working();
}

static bool write_bytes_to(struct http_stream *s, const void *data, size_t size)
{
    s->is_gone = s->is_gone || s->write(s->connection, data, size) != (int)size;
    return !s->is_gone;
}

bool http_stream_write(struct http_stream *s, const void *data, size_t size)
{
    char head[24];
    int digits = snprintf(head, sizeof(head), "%zx\r\n", size);
    if (!size) {
        return !s->is_gone;
    }
    guard_writing(size);
    if (s->is_chunked) {
        write_bytes_to(s, head, (size_t)digits);
    }
    write_bytes_to(s, data, size);
    if (s->is_chunked) {
        write_bytes_to(s, "\r\n", 2);
    }
    guard_working();
    return !s->is_gone;
}

bool http_stream_wait(struct http_stream *s, int fd, unsigned ms)
{
    struct pollfd p[2] = {{.fd = guard_socket(), .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    if (s->is_gone || guard_stopping()) {
        return false;
    }
    poll(p, 2, (int)ms);
    s->is_gone = p[0].revents != 0;
    return !s->is_gone && !guard_stopping();
}

void stream_end(struct http_stream *s)
{
    if (s->is_chunked && !s->is_gone) {
        guard_writing(0);
        write_bytes_to(s, "0\r\n\r\n", 5);
    }
}
