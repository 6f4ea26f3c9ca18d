/* context.h - what a tool needs of the layers below, opened in order and closed in reverse.
 *
 * A tool works whether a server runs or not: it uses the running server's engine or starts one for its own short life.
 *
 * Threads: the main thread.
 */
#ifndef COMMAND_CONTEXT_H
#define COMMAND_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "social/core/actor.h"

struct arena;
struct command_call;
struct config;
struct engine;
struct settings_store;
struct social;
struct store;

#define CONTEXT_WHO_SIZE 64

struct context {
    struct arena *arena;
    char who[CONTEXT_WHO_SIZE]; /* who gives the command, for the record: sudo's caller, else the user */
    struct config *config;
    struct settings_store *settings;
    struct engine *engine; /* this and what follows: NULL after context_open_settings */
    struct store *store;
    struct social *social;
};

/* Configuration and settings only. COMMAND_OK, or the exit status after a message; context_close is due in any case. */
int context_open_settings(struct context *x, const struct command_call *c);

/* Opens everything. Waits longer than the server for the engine, because tools may ask or write very much at a time. */
int context_open(struct context *x, const struct command_call *c);
int context_open_patient(struct context *x, const struct command_call *c);
void context_close(struct context *x);

/* The command line as an actor, in the name of this user (0: nobody's). Valid as long as the context. */
struct actor context_actor(const struct context *x, uint64_t uid);

/* Has the store begin anew when the engine came back from a death. Until engine_attach(e, NULL, NULL). */
void context_join(struct engine *e, struct store *s);

/* False, after a message, when the machine's clock is too wrong to write anything: see base/id.h. */
bool context_clock_is_usable(void);

/* Once per process, after the configuration is known: sets up the parts that have no handle. */
void context_setup(const struct config *c);

#endif
