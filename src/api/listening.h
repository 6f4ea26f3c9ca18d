/* listening.h - one who listens to one channel, whatever carries it to him: what server-sent events, lines of JSON and
 * WebSocket share. Inside api/ only.
 *
 * He is told what happens as a request of his own sees it: his token is judged each time (social/streaming/channel.h). The id of an event
 * is the place behind it: whoever comes back with it is told what he missed; a gap that cannot be filled is told by the event `gap`.
 *
 * A carrier fills a struct listening (request, channel, carrier), and calls, in this order:
 *
 *   listening_read     one visit: whether the channel is his (not for streams of what is posted for all)
 *   listening_join     from now on he hears
 *   listening_begin    what he missed
 *   listening_take     whenever listening_fd can be read
 *   listening_leave    at the end, always after listening_join
 *
 * Files: listening.c (these), listening_show.c (what he is told of an event), listening_missed.c (what he missed), listening_place.c
 * (ids). streaming.c carries them by HTTP.
 *
 * Threads: one at a time, that of the connection. listening_take and listening_begin ask the engine.
 */
#ifndef API_LISTENING_H
#define API_LISTENING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "social/streaming/channel.h"
#include "social/streaming/hub.h"

struct api;
struct arena;
struct http_request;
struct match_query;
struct sieve_listener;

#define LISTENING_TOLD 64      /* of events that may come twice, when a job had to be repeated */
#define LISTENING_RETRY_MS 500 /* while the engine is away */

/* What he is told. The buffers end with the call that hands it over. */
struct listening_event {
    const char *name;      /* "update" */
    struct buffer place;   /* its id */
    struct buffer payload; /* JSON, an object; of "delete" digits */
};

/* What carries events to him. */
struct listening_carrier {
    void *context;
    /* Sends them, in this order. False: he is gone. */
    bool (*tell)(void *context, const struct listening_event *events, size_t count);
    /* Waits so long, while the engine is away. False: he is gone, or the server stops. */
    bool (*wait)(void *context, unsigned ms);
};

/* The caller's, all zero but for what he fills in. */
struct listening {
    struct http_request *req;         /* whose token it is; to live as long */
    struct channel channel;           /* kind, tag, list; has_notices: if his token lets him. The rest is filled in */
    const struct match_query *wanted; /* NULL: all that the channel has */
    struct listening_carrier carrier;

    /* Inside listening*.c: */
    struct hub_listener *hub;
    struct sieve_listener *sieve; /* of what is wanted; else NULL */
    struct hub_place at;          /* up to where he was told */
    struct hub_place joined;      /* from where the hub tells him; what lies between is replayed first */
    uint64_t told_us;             /* the newest notice */
    uint64_t
        told[LISTENING_TOLD]; /* ids of posts, at their places by id; with the lowest bit for those that are gone */
};

/* Reads with c, a call that was begun and asked nothing yet, what the channel needs. False: an error was answered (c->resp). */
bool listening_read(struct api *c, struct listening *l);

/* Begins to hear. from: the id of the event up to which he was told; NULL, or none: from now on. False: there is no room (answered). */
bool listening_join(struct api *c, struct listening *l, const char *from);
void listening_leave(struct listening *l);

/* Tells him what he missed. False, here and below: it is over. */
bool listening_begin(struct listening *l);

/* Tells him what there is. */
bool listening_take(struct listening *l);

/* Tells him an event without content, from whose id he can come back. */
bool listening_tell_bare(struct listening *l, const char *name);

/* A descriptor that can be read when there may be something to take, or the server stops. */
int listening_fd(const struct listening *l);
bool listening_is_ending(const struct listening *l); /* the server stops */

/* --- inside listening*.c ------------------------------------------------------------------------------------------- */

/* Tells him what these entries are to him, and goes on behind them. */
bool listening_show(struct listening *l, const struct hub_entry *entries, size_t count);

/* Tells him what lies between his place and this one. */
bool listening_catch_up(struct listening *l, const struct hub_place *to);

void listening_pass(struct hub_place *at, const struct hub_entry *e);

/* The id of a place, and back; false: it is none, and nothing is changed. */
struct buffer listening_place(struct arena *a, const struct hub_place *at, uint64_t told_us);
bool listening_place_read(const char *text, struct hub_place *at, uint64_t *told_us);

#endif
