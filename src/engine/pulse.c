/* pulse.c - see pulse.h. Plain calls of the system, because hiredis waits for a connection. */
#include "engine/pulse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"

#define ASK_US (1000 * 1000)
#define LOOK_MAX_US (1000 * 1000)

void pulse_begin(struct pulse *p, const char *socket_path)
{
    *p = (struct pulse){.socket_path = socket_path, .fd = -1, .looked_us = clock_monotonic_us()};
}

void pulse_end(struct pulse *p)
{
    if (p->fd >= 0) {
        close(p->fd);
    }
    p->fd = -1;
    p->asked = false;
}

/* True if there is a connection. An engine that hangs accepts none either, once its queue is full. */
static bool pulse_reach(struct pulse *p)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (p->fd >= 0) {
        return true;
    }
    p->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    snprintf(a.sun_path, sizeof(a.sun_path), "%s", p->socket_path);
    if (p->fd >= 0 && connect(p->fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
        pulse_end(p);
    }
    return p->fd >= 0;
}

/* True if it said or did something: an engine that ends a connection does not hang. */
static bool has_answered(struct pulse *p)
{
    char text[256];
    ssize_t n = recv(p->fd, text, sizeof(text), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return false;
    }
    if (n <= 0) {
        pulse_end(p);
    }
    p->asked = false;
    return true;
}

uint64_t pulse_look(struct pulse *p)
{
    static const char ping[] = "PING\r\n";
    uint64_t now = clock_monotonic_us();
    uint64_t passed = now - p->looked_us;
    p->looked_us = now;
    p->silent_us += passed < LOOK_MAX_US ? passed : LOOK_MAX_US;
    if (!pulse_reach(p)) {
        return p->silent_us;
    }
    if (p->asked && has_answered(p)) {
        p->silent_us = 0;
    } else if (!p->asked && now - p->asked_us >= ASK_US) {
        p->asked = send(p->fd, ping, sizeof(ping) - 1, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
        p->asked_us = now;
        if (!p->asked) {
            pulse_end(p);
        }
    }
    return p->silent_us;
}
