/* private_redis.h - an engine of a test's own, on a Unix socket in a temporary directory; and one that only pretends.
 *
 * The real one is Debian's redis-server, or, where that is missing or `private_redis_embedded` says so, the engine
 * linked into the test program (whose main must pass "engine" on to engine_main).
 */
#ifndef TESTS_PRIVATE_REDIS_H
#define TESTS_PRIVATE_REDIS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "config/config.h"
#include "unix_server.h"

extern bool private_redis_embedded;

struct private_redis {
    pid_t pid;
    char dir[64];
    char socket[96];
    char url[128]; /* unix://... */
};

/* Starts it (options: "--name", "value", ..., NULL) and waits until it answers. */
void private_redis_start(struct private_redis *r, const char *const *options);

/* Starts it again in the same directory after private_redis_kill. */
void private_redis_again(struct private_redis *r, const char *const *options);
void private_redis_kill(struct private_redis *r);

/* Kills it and removes the directory. */
void private_redis_stop(struct private_redis *r);

/* A configuration for it: 8 connections; patient, because machines that run tests are busy. */
struct config private_redis_config(const char *url);

/* A server that answers every command with what `answer` returns: text of the protocol, or NULL to hang up. HELLO,
 * SCRIPT, INFO and CONFIG are answered for it unless it asks for them with `raw`. */
struct fake_redis {
    const char *url;
    struct unix_server server;
    bool raw;
    bool drip; /* after the first answer, a byte every now and then, for ever */
    const char *(*answer)(const char *command, int nth);
    _Atomic int commands; /* without HELLO and SCRIPT */
};

void fake_redis_start(struct fake_redis *f, const char *(*answer)(const char *command, int nth));
void fake_redis_stop(struct fake_redis *f);

#endif
