/* event.c - see event.h. An entry of a stream is k (the letter of its kind), i (the id), m (a text, if there is one)
 * and n (a random number: tells this stream from another with the same numbers).
 *
 * Servers of version 0.2.0 may share the engine while the servers of a site are upgraded one by one. They know one
 * stream, {0}:changes: it gets a copy of the events that they understand, and events that they write there are heard.
 * Both end with version 0.4.0.
 *
 * Threads: any.
 */
#include "social/core/event.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

static const struct {
    char letter;
    enum cache_kind forgets; /* CACHE_KINDS: nothing */
} kinds[] = {
#define X(id, letter, forgets) [EVENT_##id] = {letter, forgets},
    EVENT_TABLE(X)
#undef X
};

/* What each visit is made of: answers that were kept are given again no more. */
static bool is_turn(enum event_kind k)
{
    return k == EVENT_CELEBRITY || k == EVENT_EPOCH || k == EVENT_ALL;
}

void event_apply(struct social *s, const struct event *e)
{
    if (e->kind == EVENT_ALL) {
        cache_clear(s->cache);
    } else if (kinds[e->kind].forgets != CACHE_KINDS) {
        cache_forget(s->cache, kinds[e->kind].forgets, e->id);
    }
    for (event_hearer *const *hear = s->parts->hearers; *hear; hear++) {
        (*hear)(s, e);
    }
    if (is_turn(e->kind)) {
        source_change(&s->turns, atomic_fetch_add(&s->turns_made, 1) + 1);
    }
}

struct event event_of(const struct store_reply *entry)
{
    const struct store_reply *fields = store_item(entry, 1);
    struct event e = {.kind = EVENT_ALL, .text = store_text(store_field(fields, "m"))};
    char letter = store_text(store_field(fields, "k"))[0];
    for (int k = 0; k < EVENT_KINDS; k++) {
        if (kinds[k].letter == letter) {
            e.kind = (enum event_kind)k;
        }
    }
    e.id = (uint64_t)store_integer(store_field(fields, "i"));
    return e;
}

uint64_t event_number(const struct store_reply *entry)
{
    const char *dash = strchr(store_text(store_item(entry, 0)), '-');
    return dash ? strtoull(dash + 1, NULL, 10) : 0;
}

/* An event that is written when its batch is sent, and applied here when the batch has come back. */
struct written {
    struct social *social;
    struct event event;
};

static void apply_own(void *context)
{
    const struct written *w = context;
    event_apply(w->social, &w->event);
}

static void write_entry(struct store_batch *b, struct arena *a, const struct event *e, enum key stream, unsigned bucket,
                        int64_t kept)
{
    const char letter[2] = {kinds[e->kind].letter, '\0'};
    const struct script_announce in = {.bucket = bucket,
                                       .stream = key_plain(a, stream, bucket),
                                       .kept = kept,
                                       .kind = letter,
                                       .id = e->id,
                                       .nonce = secret_random_u64(),
                                       .text = e->text};
    script_announce_add(b, &in);
}

void event_add_text(struct social *s, struct store_batch *b, struct arena *a, enum event_kind kind, uint64_t id,
                    const char *text)
{
    struct written *w = arena_alloc(a, sizeof(*w));
    *w = (struct written){s, {.kind = kind, .id = id, .text = ""}};
    event_tell(b, a, kind, id, text);
    if (kind != EVENT_SESSIONS) { /* 0.2.0 does not know these, and would forget everything */
        write_entry(b, a, &w->event, KEY_CHANGES, KEY_GLOBAL_BUCKET, EVENT_CHANGES_KEPT);
    }
    store_batch_then(b, apply_own, w);
}

void event_add(struct social *s, struct store_batch *b, struct arena *a, enum event_kind kind, uint64_t id)
{
    event_add_text(s, b, a, kind, id, "");
}

void event_tell(struct store_batch *b, struct arena *a, enum event_kind kind, uint64_t id, const char *text)
{
    const struct event e = {.kind = kind, .id = id, .text = text};
    write_entry(b, a, &e, KEY_EVENTS, id_bucket(id) % EVENT_PARTITIONS, EVENT_KEPT);
}
