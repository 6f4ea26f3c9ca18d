/* unix_server.h - listens at a Unix socket in a temporary directory of its own and gives each connection a thread: what
 * fake engines (private_redis.h) and taps (tap.h) are made of.
 */
#ifndef TESTS_UNIX_SERVER_H
#define TESTS_UNIX_SERVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct unix_server {
    char dir[64];
    char url[128]; /* unix://... */
    int listener;
    pthread_t thread;
    void (*converse)(struct unix_server *s, int fd); /* closes the connection at its end */
    void *context;                                   /* of converse */
    _Atomic int connections;                         /* so far */
    _Atomic int running;
    _Atomic bool stopping;
};

/* Sets everything. Whatever goes wrong ends the test program. */
void unix_server_start(struct unix_server *s, void (*converse)(struct unix_server *s, int fd), void *context);

/* Waits until all connections have ended: the other side must have closed them, or converse look at `stopping`. */
void unix_server_stop(struct unix_server *s);

/* A connection to a socket; -1. */
int unix_dial(const char *path);

#endif
