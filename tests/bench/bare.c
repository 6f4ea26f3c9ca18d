/* bare.c - the ceiling: civetweb alone, built with the same flags, answering with bytes that cost nothing to make.
 *
 *     bare THREADS
 *
 * prints its port and then answers every request with ?n=BYTES bytes, header included, in one write over a connection
 * that stays open. What a page of Retwis costs on top of that is ours.
 */
#include <civetweb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define MOST_BYTES (1024 * 1024)

/* The library was built to ask these (packaging/deps/civetweb_guard.h); here nobody guards anything. */
int guard_accept(int listener, struct sockaddr *address, socklen_t *length);
ssize_t guard_recv(int fd, void *buffer, size_t size, int flags);
ssize_t guard_send(int fd, const void *data, size_t size, int flags);
void guard_head(const char *head, int size);
const char *guard_target(const char *method, const char *target);

int guard_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    return accept(listener, address, length);
}

ssize_t guard_recv(int fd, void *buffer, size_t size, int flags)
{
    return recv(fd, buffer, size, flags);
}

ssize_t guard_send(int fd, const void *data, size_t size, int flags)
{
    return send(fd, data, size, flags);
}

void guard_head(const char *head, int size)
{
    (void)head;
    (void)size;
}

const char *guard_target(const char *method, const char *target)
{
    (void)method;
    return target;
}

/* The answer of so many bytes; each thread keeps the last one it made. */
static const char *answer_of(size_t bytes)
{
    static _Thread_local char *answer;
    static _Thread_local size_t made;
    if (made != bytes) {
        char head[128];
        int length = snprintf(head, sizeof(head),
                              "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %06zu\r\n\r\n", bytes);
        size_t body = bytes - (size_t)length;
        snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %06zu\r\n\r\n",
                 body);
        free(answer);
        answer = malloc(bytes);
        if (!answer) {
            abort();
        }
        memset(answer, 'x', bytes);
        memcpy(answer, head, (size_t)length);
        made = bytes;
    }
    return answer;
}

static int on_request(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    const char *query = info->query_string;
    long bytes = query && strncmp(query, "n=", 2) == 0 ? strtol(query + 2, NULL, 10) : 0;
    bytes = bytes < 200 ? 200 : bytes > MOST_BYTES ? MOST_BYTES : bytes;
    mg_write(connection, answer_of((size_t)bytes), (size_t)bytes);
    return 200;
}

int main(int argc, char **argv)
{
    const char *options[] = {"listening_ports",
                             "127.0.0.1:0",
                             "num_threads",
                             argc > 1 ? argv[1] : "512",
                             "enable_keep_alive",
                             "yes",
                             "tcp_nodelay",
                             "1",
                             "connection_queue",
                             "256",
                             "listen_backlog",
                             "1024",
                             "decode_url",
                             "no",
                             NULL};
    const struct mg_callbacks callbacks = {.begin_request = on_request};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    mg_init_library(0);
    struct mg_init_data init = {.callbacks = &callbacks, .configuration_options = options};
    struct mg_context *context = mg_start2(&init, NULL);
    struct mg_server_port port;
    if (!context || mg_get_server_ports(context, 1, &port) != 1) {
        fputs("bare: cannot start\n", stderr);
        return 1;
    }
    printf("%d\n", port.port);
    fflush(stdout);
    int got;
    sigwait(&ends, &got);
    mg_stop(context);
    mg_exit_library();
    return 0;
}
