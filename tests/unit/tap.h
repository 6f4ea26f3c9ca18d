/* tap.h - a wire to an engine on which a test listens: when a word goes by, the test does something first, before the
 * engine hears the command. So two things that happen at the same moment happen in the worst order, every time.
 *
 * Words are found where they come in one piece, as those of small batches do.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdatomic.h>
#include <stdbool.h>

#include "unix_server.h"

struct tap {
    struct unix_server server; /* the store's engine is at server.url */
    const char *engine;
    const char *word;
    void (*before)(void);
    _Atomic bool armed;
};

/* Carries to the engine at this socket (private_redis.h). */
void tap_start(struct tap *t, const char *engine_socket);

/* The store must be closed: its connections end the conversations. */
void tap_stop(struct tap *t);

/* When the word goes by next, and only then, `before` is called in a thread of the tap. Both stay the caller's. */
void tap_before(struct tap *t, const char *word, void (*before)(void));

/* Whether that has happened. */
bool tap_was_called(const struct tap *t);

#endif
