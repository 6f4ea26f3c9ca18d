/* connection.c - see connection.h. hiredis makes the socket and parses; writing and waiting are done here.
 *
 * Why not redisGetReply: its timeouts count per system call, so a server that drips bytes never times out, and its send
 * raises SIGPIPE. A write goes straight from the batch's memory; the common case is one sendmsg and one recv.
 *
 * What this is not: a retry policy (run.c), a pool (pool.c), the introduction to the engine (handshake.c).
 *
 * Threads: one at a time per connection.
 */
#include "store/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <hiredis/hiredis.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/panic.h"
#include "store/reply.h"
#include "store/reply_sink.h"
#include "store/tls.h"

#define KEEPALIVE_SECONDS 15
#define READER_KEEP (64 * 1024) /* unused buffer a connection may hold on to */
#define TLS_PIECE (64 * 1024)   /* the deadline is looked at between pieces */
#define LATE "no answer in time"
#define OVERTIME_READS 64

struct connection {
    redisContext *context;
    const struct connection_target *target;
    size_t owed;            /* replies on their way that nobody wants */
    uint64_t patience_us;   /* what SO_RCVTIMEO says now */
    unsigned overtime;      /* reads since the deadline */
    struct reply_sink sink; /* of the reply that is being read: the parser keeps its address */
    bool has_scripts;
};

static struct timeval as_timeval(uint64_t us)
{
    return (struct timeval){.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)};
}

/* Longest wait of one recv. hiredis keeps the socket blocking, so this is how a deadline reaches the kernel. */
static void set_patience(struct connection *c, uint64_t us)
{
    struct timeval t = as_timeval(us ? us : 1);
    setsockopt(c->context->fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
    c->patience_us = us;
}

static redisContext *dial(const struct connection_target *t)
{
    struct timeval connect = as_timeval(t->connect_us);
    struct timeval command = as_timeval(t->command_us);
    redisOptions options = {.connect_timeout = &connect, .command_timeout = &command};
    options.options = REDIS_OPT_PREFER_IP_UNSPEC;
    if (t->url.path) {
        REDIS_OPTIONS_SET_UNIX(&options, t->url.path);
    } else {
        REDIS_OPTIONS_SET_TCP(&options, t->url.host, t->url.port);
    }
    redisContext *context = redisConnectWithOptions(&options);
    if (!context) {
        panic("out of memory");
    }
    if (!context->err) {
        fcntl(context->fd, F_SETFD, FD_CLOEXEC);
        if (!t->url.path) {
            redisEnableKeepAliveWithInterval(context, KEEPALIVE_SECONDS);
            redisSetTcpUserTimeout(context, (unsigned)(t->command_us / 1000));
        }
    }
    return context;
}

static void bound_reader(struct connection *c)
{
    redisContext *context = c->context;
    context->reader->fn = reply_functions();
    context->reader->privdata = &c->sink;
    context->reader->maxbuf = READER_KEEP;
    context->reader->maxelements = REPLY_ELEMENTS_MAX;
}

struct connection *connection_dial(const struct connection_target *t, enum err *e, char why[CONNECTION_WHY_SIZE])
{
    struct connection *c = mem_zero(1, sizeof(*c));
    c->target = t;
    c->patience_us = t->command_us;
    c->context = dial(t);
    *e = c->context->err ? ERR_UNAVAILABLE : ERR_OK;
    if (*e == ERR_OK && t->tls) {
        *e = tls_begin(t->tls, c->context, t->url.host);
    }
    if (*e != ERR_OK) {
        snprintf(why, CONNECTION_WHY_SIZE, "%s", connection_why(c));
        connection_free(c);
        return NULL;
    }
    bound_reader(c);
    return c;
}

void connection_free(struct connection *c)
{
    if (c) {
        redisFree(c->context);
        free(c);
    }
}

void connection_break(struct connection *c)
{
    shutdown(c->context->fd, SHUT_RDWR);
}

/* Waits until the socket takes bytes again. */
static enum connection_state wait_writable(struct connection *c, uint64_t deadline)
{
    uint64_t now = clock_monotonic_us();
    if (now >= deadline) {
        return CONNECTION_LATE;
    }
    struct pollfd p = {.fd = c->context->fd, .events = POLLOUT};
    int ready = poll(&p, 1, (int)((deadline - now + 999) / 1000));
    return ready >= 0 || errno == EINTR ? CONNECTION_OK : CONNECTION_BROKEN;
}

static void note(struct connection *c, const char *why)
{
    snprintf(c->context->errstr, sizeof(c->context->errstr), "%s", why);
}

/* Skips what was written. */
static void parts_skip(struct iovec **parts, size_t *count, size_t written)
{
    while (*count && written >= (*parts)->iov_len) {
        written -= (*parts)->iov_len;
        (*parts)->iov_len = 0;
        (*parts)++;
        (*count)--;
    }
    if (*count) {
        (*parts)->iov_base = (char *)(*parts)->iov_base + written;
        (*parts)->iov_len -= written;
    }
}

static enum connection_state send_plain(struct connection *c, struct iovec *parts, size_t count, uint64_t deadline,
                                        bool *touched)
{
    while (count) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = count < 256 ? count : 256};
        ssize_t n = sendmsg(c->context->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            *touched = true;
            parts_skip(&parts, &count, (size_t)n);
            continue;
        }
        enum connection_state s = CONNECTION_OK;
        if (errno == EAGAIN) {
            s = wait_writable(c, deadline);
        } else if (errno != EINTR) {
            note(c, strerror(errno));
            s = CONNECTION_BROKEN;
        }
        if (s != CONNECTION_OK) {
            return s;
        }
    }
    return CONNECTION_OK;
}

/* It is late, and nothing is lost: hiredis would do nothing more after an error. */
static enum connection_state stay_usable(struct connection *c)
{
    c->context->err = 0;
    note(c, LATE); /* the errno says less */
    return CONNECTION_LATE;
}

static enum connection_state flush_tls(struct connection *c, uint64_t deadline)
{
    int done = 0;
    while (!done) {
        if (clock_monotonic_us() >= deadline) {
            return CONNECTION_LATE;
        }
        if (redisBufferWrite(c->context, &done) != REDIS_OK) {
            return errno == EAGAIN ? stay_usable(c) : CONNECTION_BROKEN;
        }
    }
    return CONNECTION_OK;
}

/* A piece that is with hiredis counts as written: it is what the next call begins with. */
static enum connection_state send_tls(struct connection *c, struct iovec *parts, size_t count, uint64_t deadline)
{
    enum connection_state s = flush_tls(c, deadline);
    while (count && s == CONNECTION_OK) {
        size_t piece = parts->iov_len < TLS_PIECE ? parts->iov_len : TLS_PIECE;
        if (redisAppendFormattedCommand(c->context, parts->iov_base, piece) != REDIS_OK) {
            panic("out of memory");
        }
        parts_skip(&parts, &count, piece);
        s = flush_tls(c, deadline);
    }
    return s;
}

enum connection_state connection_send(struct connection *c, struct iovec *parts, size_t count, uint64_t deadline,
                                      bool *touched)
{
    *touched = false;
    c->overtime = 0;
    if (c->target->tls) {
        *touched = true;
        return send_tls(c, parts, count, deadline);
    }
    return send_plain(c, parts, count, deadline, touched);
}

/* After the deadline, replies that have already come are still taken: a thread that did not run for so long, on a busy
 * or paused machine, must not take that for the engine's silence. */
static bool reply_has_come(struct connection *c)
{
    struct pollfd p = {.fd = c->context->fd, .events = POLLIN};
    return c->overtime++ < OVERTIME_READS && poll(&p, 1, 0) == 1;
}

/* One recv. A wait may end up to a third later than the deadline: the timeout of the socket is changed only when it is
 * that far off, which saves a system call per round trip. */
enum connection_state connection_fill(struct connection *c, uint64_t deadline)
{
    uint64_t now = clock_monotonic_us();
    if (now >= deadline && !reply_has_come(c)) {
        return stay_usable(c);
    }
    uint64_t left = deadline > now ? deadline - now : 0;
    if (left && (left * 4 < c->patience_us * 3 || left > c->patience_us)) {
        set_patience(c, left);
    }
    errno = 0;
    if (redisBufferRead(c->context) != REDIS_OK) {
        if (c->context->err == REDIS_ERR_TIMEOUT || (c->context->err == REDIS_ERR_IO && errno == EAGAIN)) {
            return stay_usable(c);
        }
        bool garbage = c->context->err == REDIS_ERR_PROTOCOL || c->context->err == REDIS_ERR_OOM;
        return garbage ? CONNECTION_GARBAGE : CONNECTION_BROKEN;
    }
    if (c->context->reader->len > REPLY_BYTES_MAX) {
        note(c, "a reply is too long");
        return CONNECTION_GARBAGE;
    }
    return CONNECTION_OK;
}

enum connection_state connection_parse(struct connection *c, struct arena *a, struct store_reply *out)
{
    void *reply = NULL;
    c->sink.arena = a;
    c->sink.root = out;
    if (redisGetReplyFromReader(c->context, &reply) != REDIS_OK) {
        if (c->context->err == REDIS_ERR_OOM) { /* what reply_sink.c refuses, in hiredis' words */
            note(c, "a reply of a type, depth or length that is not expected");
        }
        return CONNECTION_GARBAGE;
    }
    if (!reply) {
        return CONNECTION_EMPTY;
    }
    c->has_scripts &= !c->sink.script_missing;
    c->sink = (struct reply_sink){.arena = NULL};
    return CONNECTION_OK;
}

static enum connection_state next_reply(struct connection *c, struct arena *a, struct store_reply *out,
                                        uint64_t deadline)
{
    enum connection_state s = CONNECTION_OK;
    while (s == CONNECTION_OK) {
        s = connection_parse(c, a, out);
        if (s != CONNECTION_EMPTY) {
            return s;
        }
        s = connection_fill(c, deadline);
    }
    return s;
}

enum connection_state connection_drain(struct connection *c, uint64_t deadline)
{
    enum connection_state s = CONNECTION_OK;
    while (c->owed && s == CONNECTION_OK) {
        s = next_reply(c, NULL, NULL, deadline);
        c->owed -= s == CONNECTION_OK;
    }
    return s;
}

enum connection_state connection_receive(struct connection *c, struct arena *a, struct store_reply *out,
                                         uint64_t deadline)
{
    enum connection_state s = connection_drain(c, deadline);
    return s == CONNECTION_OK ? next_reply(c, a, out, deadline) : s;
}

enum connection_state connection_ask(struct connection *c, const struct buffer *commands, struct store_reply *replies,
                                     size_t count, uint64_t deadline)
{
    bool touched;
    struct iovec part = {.iov_base = commands->data, .iov_len = commands->length};
    enum connection_state s = connection_send(c, &part, 1, deadline, &touched);
    for (size_t i = 0; i < count && s == CONNECTION_OK; i++) {
        s = connection_receive(c, commands->arena, &replies[i], deadline);
    }
    return s;
}

void connection_forget(struct connection *c, size_t count)
{
    c->owed += count;
}

size_t connection_owed(const struct connection *c)
{
    return c->owed;
}

size_t connection_take_owed(struct connection *c)
{
    size_t owed = c->owed;
    c->owed = 0;
    return owed;
}

bool connection_settled(const struct connection *c)
{
    return c->owed || c->context->reader->pos == c->context->reader->len;
}

bool connection_is_alive(struct connection *c)
{
    char byte;
    ssize_t n = recv(c->context->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    /* Bytes are fine when replies are owed, or under TLS (session tickets); otherwise nobody asked for them. */
    return n > 0 ? c->owed > 0 || c->target->tls : n < 0 && (errno == EAGAIN || errno == EINTR);
}

bool connection_has_scripts(const struct connection *c)
{
    return c->has_scripts;
}

void connection_set_scripts(struct connection *c, bool has)
{
    c->has_scripts = has;
}

const struct connection_target *connection_target(const struct connection *c)
{
    return c->target;
}

const char *connection_why(const struct connection *c)
{
    return c->context->errstr[0] ? c->context->errstr : LATE;
}
