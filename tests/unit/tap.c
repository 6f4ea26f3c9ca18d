/* tap.c - see tap.h. A thread for each connection. */
#include "tap.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/panic.h"

#define CHUNK 8192

static bool send_all(int fd, const char *bytes, ssize_t count)
{
    while (count > 0) {
        ssize_t n = send(fd, bytes, (size_t)count, MSG_NOSIGNAL);
        if (n <= 0) {
            return false;
        }
        bytes += n;
        count -= n;
    }
    return true;
}

/* Passes on what has come from one side; false at its end. */
static bool carry(struct tap *t, int from, int to, bool listen)
{
    char bytes[CHUNK + 1];
    ssize_t n = recv(from, bytes, CHUNK, 0);
    if (n <= 0) {
        return false;
    }
    bytes[n] = '\0';
    if (listen && atomic_load(&t->armed) && strstr(bytes, t->word) && atomic_exchange(&t->armed, false)) {
        t->before();
    }
    return send_all(to, bytes, n);
}

static void converse(struct unix_server *server, int client)
{
    struct tap *t = server->context;
    int engine = unix_dial(t->engine);
    require(engine >= 0);
    struct pollfd p[] = {{.fd = client, .events = POLLIN}, {.fd = engine, .events = POLLIN}};
    bool open = true;
    while (open && poll(p, 2, -1) > 0) {
        open = (!p[0].revents || carry(t, client, engine, true)) && (!p[1].revents || carry(t, engine, client, false));
    }
    close(client);
    close(engine);
}

void tap_start(struct tap *t, const char *engine_socket)
{
    *t = (struct tap){.engine = engine_socket};
    unix_server_start(&t->server, converse, t);
}

void tap_stop(struct tap *t)
{
    unix_server_stop(&t->server);
}

void tap_before(struct tap *t, const char *word, void (*before)(void))
{
    t->word = word;
    t->before = before;
    atomic_store(&t->armed, true);
}

bool tap_was_called(const struct tap *t)
{
    return !atomic_load(&t->armed);
}
