/* channel.h - what one listener is told of what the hub heard: the channels of Mastodon's streaming protocol.
 *
 * A listener's thread takes entries of the hub (hub.h), leaves out what cannot concern him (channel_concerns), and asks for
 * the rest in a visit of his own, as a page would: so his token is judged each time, and everything is loaded and judged
 * as it is for his timelines (posts/post_read.h): blocks, mutes, filters, what he wants of whom he follows.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_STREAMING_CHANNEL_H
#define SOCIAL_STREAMING_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub_entry;
struct notice;
struct post;
struct talk;
struct visit;

#define CHANNEL_ENTRIES 20 /* of one visit, at most */

enum channel_kind {
    CHANNEL_USER,    /* one's home, and what one is told */
    CHANNEL_NOTICES, /* what one is told */
    CHANNEL_PUBLIC,  /* what stands on the public timeline */
    CHANNEL_TAG,     /* likewise, with a tag */
    CHANNEL_LIST,    /* what the people on one of one's lists post */
    CHANNEL_DIRECT,  /* one's conversations */
    CHANNEL_NOTHING, /* what would come from other sites */
};

struct channel {
    enum channel_kind kind;
    uint64_t list;
    const char *tag;       /* folded */
    uint64_t account, app; /* who listens, with whose token */
    bool has_notices;      /* his token lets him read notifications */
};

enum channel_event {
    CHANNEL_UPDATE, /* a post */
    CHANNEL_EDITED, /* a post */
    CHANNEL_GONE,   /* an id */
    CHANNEL_NOTICE,
    CHANNEL_TALK,
    CHANNEL_FILTERS,
};

struct channel_item {
    enum channel_event event;
    size_t entry; /* that told it; of notices, which come last: how many there were */
    uint64_t id;
    const struct post *post;
    const struct notice *notice;
    const struct talk *talk;
};

struct channel_news {
    struct channel_item *items; /* after channel_take */
    size_t count;
    uint64_t told_us; /* up to where his notices go now */
    bool more;        /* notices than these */
};

/* Whether a listener of this channel must look at the entry. */
bool channel_concerns(const struct channel *c, const struct hub_entry *e);

/* Asks for what these entries are to him. told_us: his newest notice so far; 0: of those that are there now he wants
 * none. */
struct channel_news *channel_ask(struct visit *v, const struct channel *c, const struct hub_entry *entries,
                                 size_t count, uint64_t told_us);

/* After visit_read: what he is told, in the order of the entries. */
void channel_take(const struct visit *v, struct channel_news *news);

#endif
