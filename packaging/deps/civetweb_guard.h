/* Included in front of civetweb.c (gcc -include), which but for one call stays as Debian ships it: the three socket
 * calls that decide how long and how often a client may use us go to functions of the project (src/http), so that limits
 * per address, deadlines and minimum rates need no change in the library. TLS traffic goes through OpenSSL and passes
 * only guard_accept.
 *
 * And two calls behave as civetweb believes they do. When poll finds several sockets ready, civetweb looks at errno, and
 * takes what an earlier call has left there for "try again": after a connection had been refused, two listeners that
 * were ready at once were ready for ever, and nobody was let in. And no thread waits without end for a condition: before
 * 2.41 glibc can lose the signal that wakes it (bug 25847), and an accepted connection would lie in the queue while all
 * workers sleep. The more threads wait, the longer each of them does: one wakes each quarter of a second, however many
 * they are, and looks.
 *
 * The changed call is the one that parses a request. civetweb looks for the request's end in the whole buffer, although
 * it knows the length: after empty lines in front it would go on into what an earlier request of somebody else left
 * there. And the head is shown to the project before it is cut into pieces, and the request's target afterwards: civetweb
 * closes the connection without an answer where the target is no path, so guard_target makes a path of it.
 *
 * The system's own declarations must come first: after the macros they would be renamed too. The macros take arguments,
 * so that a struct member or a comment with such a name stays what it is. */

#ifndef CIVETWEB_GUARD_H
#define CIVETWEB_GUARD_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

int guard_accept(int listener, struct sockaddr *address, socklen_t *length);
ssize_t guard_recv(int fd, void *buffer, size_t size, int flags);
ssize_t guard_send(int fd, const void *data, size_t size, int flags);

void guard_head(const char *head, int size);
const char *guard_target(const char *method, const char *target);

static inline int guarded_poll(struct pollfd *fds, nfds_t count, int ms)
{
    errno = 0;
    return poll(fds, count, ms);
}

#define GUARDED_WAIT_MS 2000 /* and so much for each thread that waits already: */
#define GUARDED_WAIT_EACH_MS 250

/* Returns 0, as if it had been signalled. A wall clock that is put back must not make it longer. */
static inline int guarded_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    static int waiting;
    long ms = GUARDED_WAIT_MS + GUARDED_WAIT_EACH_MS * (long)__atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ms % 1000 * 1000000;
    until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
    __atomic_fetch_sub(&waiting, 1, __ATOMIC_RELAXED);
    return 0;
}

#define guarded_parse(c)                                                                                               \
    (guard_head((c)->buf, (c)->request_len),                                                                           \
     parse_http_request((c)->buf, (c)->request_len, &(c)->request_info) > 0                                            \
         ? ((c)->request_info.request_uri =                                                                            \
                guard_target((c)->request_info.request_method, (c)->request_info.request_uri),                         \
            1)                                                                                                         \
         : 0)

#define accept(listener, address, length) guard_accept(listener, address, length)
#define recv(fd, buffer, size, flags) guard_recv(fd, buffer, size, flags)
#define send(fd, data, size, flags) guard_send(fd, data, size, flags)
#define poll(fds, count, ms) guarded_poll(fds, count, ms)
#define pthread_cond_wait(condition, mutex) guarded_wait(condition, mutex)

#endif
