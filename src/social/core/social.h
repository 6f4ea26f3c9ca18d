/* social.h - the product's context: what every function of social/ needs, opened once. product.h opens it, and is where
 * a newcomer begins.
 *
 * core/ is the lowest room of the product: the context with the site's epoch and clock, what a process remembers
 * (cache.h), durable work (job.h), limits (limit.h) and what is wrong with a form (problem.h). It knows no feature: the
 * rooms above hand over what core/ needs of them (struct social_parts).
 *
 * Threads: opened and closed by the main thread; used by all. Fields are constant after social_open but for the
 * atomics.
 */
#ifndef SOCIAL_CORE_SOCIAL_H
#define SOCIAL_CORE_SOCIAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/source.h"

struct arena;
struct cache;
struct celebrities;
struct config;
struct delivery;
struct event;
struct events;
struct hub;
struct job_class;
struct jobs;
struct notify;
struct post_index;
struct user_index;
struct remains;
struct settings_store;
struct sieve;
struct social;
struct store;
struct store_batch;
struct store_reply;

struct social_key;

/* What the rooms above hand over at start. */
struct social_parts {
    const struct job_class *const *jobs; /* job.h; NULL ends the table */
    const struct delivery *delivery;     /* posts/delivery.h */
    /* Takes away what each of two people was told of the other's posts: one of them blocks the other from here on
     * (people/apart.c). */
    enum err (*part)(struct social *s, struct arena *a, uint64_t one, uint64_t other);
    const struct notify *notify;                                     /* posts/notify.h */
    const struct post_index *index;                                  /* posts/index.h */
    const struct user_index *user_index;                             /* people/user_index.h */
    const struct remains *const *remains;                            /* people/remains.h; NULL ends the table */
    void (*const *hearers)(struct social *s, const struct event *e); /* event.h; NULL ends the table */
};

/* Ids are times, and the engine's clock is the site's: post_create.lua stores no post whose id is older than that clock
 * by more than SOCIAL_LATE_MS or ahead of it by more than SOCIAL_AHEAD_MS, whatever the clocks of the servers say and
 * however long a call was on its way. A late delivery (fanout.h) is put at its place by id. So ids may arrive in a list
 * in another order than their times, but never by more than SOCIAL_DISORDER_MS, the sum of the two: a reader who has
 * the first part of a list knows which of its ids are certainly the newest. While ids lie ahead of the clock because it
 * was set back (social_epoch.c), every delivery is put at its place. */
#define SOCIAL_LATE_MS 5000
#define SOCIAL_AHEAD_MS 1000
#define SOCIAL_DISORDER_MS 10000

struct social {
    const struct config *config;
    struct settings_store *settings;
    struct store *store;
    const struct social_parts *parts;
    struct cache *cache;
    source_place turns; /* the number of the last change besides: of epoch, mode, celebrities, all (event.c) */
    _Atomic uint64_t turns_made;
    struct celebrities *celebrities;        /* hybrid: whose posts readers ask for */
    struct jobs *jobs;                      /* workers; NULL in command-line tools */
    _Atomic(const struct social_key *) key; /* see social_key */
    _Atomic uint64_t epoch;                 /* of the timelines: homes of another epoch are rebuilt. 0 = not read yet */
    _Atomic bool is_foreign;                /* the site is now served in another mode: see social_epoch.c */
    _Atomic uint64_t ahead_ms;              /* up to which site time there may be ids ahead of the clock; 0: none */
    _Atomic uint64_t moved_ms;              /* site time at which this process last moved the epoch on */
    _Atomic uint64_t clock_ms;              /* the latest that the engine's clock was seen at */
    struct hub *hub;                        /* who listens (streaming/hub.h) */
    struct sieve *sieve;                    /* and by what filters (streaming/sieve.h) */
    struct events *events;                  /* the listener (event.h); NULL in command-line tools */
};

/* The context over an open store. Never fails: the engine may be away at this moment. For product_open, and tests. */
struct social *social_open(const struct config *c, struct settings_store *settings, struct store *store,
                           const struct social_parts *parts);
void social_close(struct social *s);

/* The 32 bytes that sign what the site gives to browsers. The key of the first server is kept with the data and used by
 * all, so that a form that one server made can be sent to another. Until the data were reached it is that of this
 * server's own settings. Stays valid until social_close. */
const unsigned char *social_key(const struct social *s);

/* Reads the timeline epoch, the key and the engine's clock. Called at start and each time the engine was away.
 * `begins`: a server starts, and the site's mode is that of its configuration from now on; else it only learns the
 * site's. */
enum err social_enter_epoch(struct social *s, bool begins);

/* Looks at the site's mode and epoch and the engine's clock: once a second, for a server that nobody visits. */
enum err social_look(struct social *s);

/* Begins a new epoch: every home is built again by its next visit, from the truth. */
enum err social_move_epoch(struct social *s);

/* For a visit while nothing is trusted (event.h): asks for the epoch and the mode in its batch, and takes them. */
size_t social_epoch_add(struct store_batch *b, struct arena *a);
void social_epoch_take(struct social *s, const struct store_reply *r);
void social_hear_epoch(struct social *s, const struct event *e);

/* The name, as it stands in the data, of the mode that this process serves. */
const char *social_mode(const struct social *s);

/* Some reply of the engine had this time: if its clock is behind that at the next look, it was set back. */
void social_saw_time(struct social *s, uint64_t engine_ms);

/* Whether ids may lie ahead of the engine's clock, because it was set back. Then the order in which deliveries arrive
 * means nothing, and each is put at its place. */
bool social_is_ahead(const struct social *s);

/* Puts the numbers of the cache among the metrics. */
void social_measure(struct social *s);

/* A batch whose replies may be remembered: it knows what this process had heard of when the batch was made (cache.h).
 * Replies of any other batch are used and forgotten. */
struct store_batch *social_batch(struct social *s, struct arena *a);

/* For social*.c alone: take the key that the data have; an epoch and its mode, as the engine or an event says. */
void social_take_key(struct social *s, const char *text);
void social_take_epoch(struct social *s, uint64_t epoch, const char *mode);

#endif
