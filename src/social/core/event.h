/* event.h - how every process of the site learns what has changed: the table of events, how a change writes one, and
 * how a process hears of them.
 *
 * A process remembers what it has read (cache.h) and answers from that without asking. So every change of something
 * that may be remembered adds an event to its batch, behind its own commands. Streams of bounded length hold the
 * events, {p}:events for each of a few partitions (keys.h); an event lies in the partition of its bucket, so that no
 * node of a cluster carries all of them. Its place is the partition and the number of its entry. Entries are counted 1,
 * 2, 3, so a listener that goes on from a place sees whether something is missing.
 *
 * Who hears of it when:
 *   - the process that makes the change, when its batch has come back (even with an error) and before anybody is
 *   answered;
 *   - all others, and itself once more, by the listener (event_listen.c) within milliseconds;
 *   - a process whose listener has not heard from the engine for EVENT_SILENCE_MS does not know: until it hears again,
 *   it believes nothing that it remembers (cache_is_trusted);
 *   - when events can have been missed (a new connection, a stream that was cut off, deleted, or is another than before
 *     because of a failover or a restored backup), EVENT_ALL is heard, and everything is forgotten.
 *
 * How each thing that is remembered stays true:
 *   posts              deletion and edits say EVENT_POST (post_delete, and the jobs of both), `retwis check` too when it mends
 *   counts of a post   EVENT_COUNTS, with the command that adds or takes away a reply, favourite or boost, before its
 *                      author is answered
 *   records of users   EVENT_USER, in the batch of user_set, user_delete, the job that clears up after them, and check.
 *                      Rights that a visitor was just given or has lost hold for the request already: see renew_claimant
 *                      in visit.c
 *   following, marks   no event: each is kept with its version, and each visit asks for the versions that stand
 *                      (homestate)
 *   whom one blocks, what one wants of whom one follows
 *                      no event, likewise
 *   members of lists   no event: they are a guess, which is compared with what the engine says each time
 *   newest posts       no event: for the first page that strangers see they may be some seconds old; the posts
 *                      themselves are what is said of posts
 *   celebrities        EVENT_CELEBRITY
 *   (streams)          EVENT_NEW, _NOTICE, _TALK, _FILTERS, and the text of EVENT_POST: nothing is forgotten by them; they are
 *                      for those who listen (streaming/hub.h)
 *   epoch and mode     EVENT_EPOCH; when nothing is trusted each visit asks for them
 *   sessions, tokens   are not remembered: each visit asks. What ends one says EVENT_SESSIONS all the same
 *
 * On a cluster the commands of a batch are not carried out in order across nodes: support for clusters must send the
 * events after the changes, in event_add.
 *
 * Threads: any.
 */
#ifndef SOCIAL_CORE_EVENT_H
#define SOCIAL_CORE_EVENT_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct social;
struct store_batch;
struct store_reply;

#define EVENT_SILENCE_MS 1000

/* Enough for any cluster that one site needs, and few enough that waiting for all partitions is one short command,
 * which each process sends several times a second. */
#define EVENT_PARTITIONS 16
#define EVENT_KEPT 4000          /* of each partition; a process that misses more at a time forgets everything */
#define EVENT_CHANGES_KEPT 10000 /* of {0}:changes, as 0.2.0 cuts it (event.c) */

/*    id         letter  the cache forgets   what has happened, and to whom (the event's id) */
#define EVENT_TABLE(X)                                                                                                 \
    X(POST, 'p', CACHE_POST)       /* a post is gone or edited; text: post_event.h, "" for the cache alone */          \
    X(COUNTS, 'r', CACHE_COUNTS)   /* a post has more or fewer replies, favourites, boosts */                          \
    X(USER, 'u', CACHE_USER)       /* a user's record has changed: name shown, bio, role, deleted */                   \
    X(CELEBRITY, 'c', CACHE_KINDS) /* a user's posts are not delivered any more (hybrid) */                            \
    X(EPOCH, 'e', CACHE_KINDS)     /* a new epoch, of that number, in the mode `text` (epoch.lua writes it) */         \
    X(SESSIONS, 's', CACHE_KINDS)  /* sessions or tokens have been ended */                                            \
    X(NEW, 'n', CACHE_KINDS)       /* a new post; text: post_event.h */                                                \
    X(NOTICE, 't', CACHE_KINDS)    /* a user may have been told something */                                           \
    X(TALK, 'd', CACHE_KINDS)      /* a user's talk, whose number is the text, may have something new */               \
    X(FILTERS, 'f', CACHE_KINDS)   /* a user's filters have changed */                                                 \
    X(ALL, '*', CACHE_KINDS)       /* nobody knows what: everything is forgotten */

enum event_kind {
#define X(id, letter, forgets) EVENT_##id,
    EVENT_TABLE(X)
#undef X
        EVENT_KINDS
};

struct event {
    enum event_kind kind;
    uint64_t id;
    const char *text; /* "" but where the table says otherwise */
    unsigned partition;
    uint64_t number;      /* its place; 0: not heard from a stream of this version */
    const uint64_t *ends; /* of EVENT_ALL, when the listener began anew: the last number of each partition; else NULL */
};

/* Called when a room of the product hears of an event, in addition to what the cache forgets (social.h, struct
 * social_parts). On any thread, without locks of others; it asks the engine nothing. */
typedef void event_hearer(struct social *s, const struct event *e);

/* Adds an event to the batch, behind the commands that make the change. */
void event_add(struct social *s, struct store_batch *b, struct arena *a, enum event_kind kind, uint64_t id);

/* The same with a text. Of another kind than EVENT_POST, nothing is forgotten here and now. */
void event_add_text(struct social *s, struct store_batch *b, struct arena *a, enum event_kind kind, uint64_t id,
                    const char *text);

/* Adds an event that is for those who listen alone: this process too hears of it from its listener. */
void event_tell(struct store_batch *b, struct arena *a, enum event_kind kind, uint64_t id, const char *text);

/* An event has happened: the cache and the hearers learn of it. */
void event_apply(struct social *s, const struct event *e);

/* The event that an entry of a stream holds; of a kind that this version does not know: EVENT_ALL. The text stays the
 * entry's. */
struct event event_of(const struct store_reply *entry);

/* The number of such an entry. */
uint64_t event_number(const struct store_reply *entry);

/* Starts and ends the listener, after product_open and before product_close. Without one (command-line tools) nothing
 * is ever trusted: what is read is used and forgotten. */
void event_listen(struct social *s);
void event_listen_end(struct social *s);

#endif
