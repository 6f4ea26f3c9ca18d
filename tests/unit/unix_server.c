/* unix_server.c - see unix_server.h. */
#include "unix_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/panic.h"

struct conversation {
    struct unix_server *server;
    int fd;
};

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
    return a;
}

int unix_dial(const char *path)
{
    struct sockaddr_un a = address_of(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(fd >= 0);
    if (connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static const char *path_of(const struct unix_server *s)
{
    return s->url + strlen("unix://");
}

static void *run(void *argument)
{
    struct conversation c = *(struct conversation *)argument;
    free(argument);
    c.server->converse(c.server, c.fd);
    atomic_fetch_sub(&c.server->running, 1);
    return NULL;
}

static void *serve(void *argument)
{
    struct unix_server *s = argument;
    for (;;) {
        int fd = accept(s->listener, NULL, NULL);
        if (s->stopping || fd < 0) {
            close(fd);
            return NULL;
        }
        struct conversation *c = mem_alloc(sizeof(*c));
        *c = (struct conversation){s, fd};
        pthread_t thread;
        atomic_fetch_add(&s->running, 1);
        atomic_fetch_add(&s->connections, 1);
        require(pthread_create(&thread, NULL, run, c) == 0);
        pthread_detach(thread);
    }
}

void unix_server_start(struct unix_server *s, void (*converse)(struct unix_server *s, int fd), void *context)
{
    *s = (struct unix_server){.converse = converse, .context = context};
    snprintf(s->dir, sizeof(s->dir), "/tmp/retwis-test-XXXXXX");
    require(mkdtemp(s->dir));
    snprintf(s->url, sizeof(s->url), "unix://%s/test.sock", s->dir);
    struct sockaddr_un a = address_of(path_of(s));
    s->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(s->listener >= 0 && bind(s->listener, (struct sockaddr *)&a, sizeof(a)) == 0);
    require(listen(s->listener, 64) == 0);
    require(pthread_create(&s->thread, NULL, serve, s) == 0);
}

void unix_server_stop(struct unix_server *s)
{
    s->stopping = true;
    int fd = unix_dial(path_of(s));
    pthread_join(s->thread, NULL);
    close(fd);
    close(s->listener);
    while (s->running) {
        clock_sleep_ms(1);
    }
    remove(path_of(s));
    rmdir(s->dir);
}
