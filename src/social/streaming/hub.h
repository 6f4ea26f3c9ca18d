/* hub.h - one process's ear for all who listen to streams. Begin here.
 *
 * The listener of the process (core/event.h) hands each event that concerns listeners to the hub once, which keeps the
 * last HUB_KEPT of them in memory and wakes those who wait. Everybody takes what he has not had yet at his own pace:
 * who falls behind by more than that is cut off, and nobody is waited for.
 *
 * A place (hub_place) says up to where somebody has heard, in every partition: it holds for every process and after a
 * restart, so whoever comes back with it is told from the streams what he missed (hub_replay). The same is done when the
 * process itself has lost its place.
 *
 * Who may see what is not decided here: channel.h.
 *
 * Threads: any; each listener is one thread's.
 */
#ifndef SOCIAL_STREAMING_HUB_H
#define SOCIAL_STREAMING_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/event.h"

struct arena;
struct hub;
struct hub_listener;
struct social;

#define HUB_KEPT 4096

struct hub_entry {
    enum event_kind kind; /* EVENT_ALL: the process lost its place, so the listener replays from his */
    uint64_t id;
    const char *text;
    unsigned partition;
    uint64_t number;
};

/* The last event heard in each partition. */
struct hub_place {
    uint64_t numbers[EVENT_PARTITIONS];
};

/* How many may listen. */
struct hub_limits {
    unsigned all, account, network;
};

/* Begins to listen from now on, which is *at. NULL: too many do, or the process does not hear the engine. To be left
 * before the product is closed. `network`: what the caller's address is counted by. */
struct hub_listener *hub_join(struct social *s, const struct hub_limits *limits, uint64_t account, const char *network,
                              struct hub_place *at);
void hub_leave(struct hub_listener *l);

/* A descriptor that can be read when there may be something to take. */
int hub_fd(const struct hub_listener *l);

/* The next entries behind his place, at most so many, in the arena. False: he has fallen behind too far. */
bool hub_take(struct hub_listener *l, struct arena *a, const struct hub_place *at, struct hub_entry *out, size_t most,
              size_t *count);

/* Where the hub is. */
struct hub_place hub_at(struct social *s);

/* What lies between two places, in the order of each partition, in the arena. *gap: some of it is not there any more.
 * One round trip. */
enum err hub_replay(struct social *s, struct arena *a, const struct hub_place *from, const struct hub_place *to,
                    struct hub_entry **out, size_t *count, bool *gap);

/* Whether the process hears what happens. */
bool hub_hears(struct social *s);

/* The server stops: all are woken, and hub_is_ending says so. */
void hub_end(struct social *s);
bool hub_is_ending(const struct hub_listener *l);

/* --- for product.c ------------------------------------------------------------------------------------------------- */

struct hub *hub_open(void);
void hub_close(struct hub *h);
void hub_hear(struct social *s, const struct event *e);

#endif
