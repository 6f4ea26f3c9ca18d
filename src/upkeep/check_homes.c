/* check_homes.c - home timelines: ids that do not belong there, and, if asked for, posts that are missing.
 *
 * A home that the next visit builds anew anyway is left alone. Of several ids that do not belong in a home the oldest
 * is named: while posts come in at the other end, it is still the same one at the next look.
 *
 * Threads: that of the check.
 */
#include "upkeep/check_look.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/timelines/celebrity.h"
#include "social/timelines/rebuild.h"
#include "social/timelines/timeline.h"
#include "store/record.h"
#include "store/store.h"

#define HOMES_AT_ONCE 32 /* in one batch, with all their ids */
#define ASKS 4           /* for each of them */

/* A home is cut only now and then, at about every 64th delivery (fanout.c): one this much longer was not cut for a very
 * long time. */
#define LONGER_BY 4000

struct home {
    struct check_item *item;
    const struct store_reply *list;
    uint64_t *following; /* sorted */
    size_t following_count;
    uint64_t mark_ms;
    bool is_built, is_whole; /* nothing older than the list exists */
    size_t count;            /* of ids in the list, without the mark of its end */
    struct writer *writers;  /* of each id */
};

/* Who wrote a post: known, or in a reply. */
struct writer {
    uint64_t author;
    size_t reply; /* SIZE_MAX: known */
};

/* --- authors of posts ---------------------------------------------------------------------------------------------- */

static struct check_author *author_slot(struct check *c, uint64_t post)
{
    return &c->authors[(post * 0x9E3779B97F4A7C15u >> 40) & (CHECK_AUTHOR_SLOTS - 1)];
}

static struct writer writer_add(struct check *c, struct store_batch *b, uint64_t post)
{
    const struct check_author *known = author_slot(c, post);
    if (post && !c->again && known->post == post) {
        return (struct writer){known->author, SIZE_MAX};
    }
    return (struct writer){0, record_ask(b, RECORD_POST, post, POST_AUTHOR)};
}

/* The author's id; 0: the post is gone. */
static uint64_t writer_take(struct check *c, const struct store_batch *b, const struct writer *w, uint64_t post)
{
    if (w->reply == SIZE_MAX) {
        return w->author;
    }
    struct record_post record;
    record_post_take(store_reply(b, w->reply), POST_AUTHOR, &record);
    if (record.author) {
        *author_slot(c, post) = (struct check_author){post, record.author};
    }
    return record.author;
}

static uint64_t id_at(const struct home *h, size_t i)
{
    return id_parse(store_text(&h->list->items[i]));
}

/* --- what does not belong ------------------------------------------------------------------------------------------ */

static void home_add(struct check *c, struct store_batch *b, struct arena *a, uint64_t uid)
{
    const char *last = store_last(a, (size_t)TIMELINE_KEPT(c->social->config));
    store_command(b, id_bucket(uid), "LRANGE", key_id(a, KEY_HOME, uid), "0", last, NULL);
    record_ask(b, RECORD_HOMESTATE, uid, HOMESTATE_SHOWN);
    store_command(b, id_bucket(uid), "ZRANGE", key_id(a, KEY_FOLLOWING, uid), "0", "-1", NULL);
    store_command(b, id_bucket(uid), "LLEN", key_id(a, KEY_HOME, uid), NULL);
}

static void home_take(struct check *c, const struct store_batch *b, struct arena *a, size_t first, struct home *h)
{
    const struct store_reply *following = store_reply(b, first + 2);
    struct record_homestate state;
    record_homestate_take(store_reply(b, first + 1), HOMESTATE_SHOWN, &state);
    h->list = store_reply(b, first);
    h->is_built =
        (uint64_t)state.epoch == atomic_load(&c->social->epoch) && !state.build && !atomic_load(&c->social->is_foreign);
    h->mark_ms = (uint64_t)state.mark;
    size_t n = h->list->count;
    h->is_whole = n && strcmp(store_text(&h->list->items[n - 1]), "0") == 0;
    h->count = n - h->is_whole;
    h->following = arena_alloc(a, (following->count + 1) * sizeof(uint64_t));
    h->following_count = following->count;
    store_list_ids(following, h->following);
    qsort(h->following, h->following_count, sizeof(uint64_t), id_oldest_first);
    h->item->found = CHECK_NONE;
    h->item->other = 0;
    if (h->is_built && store_integer(store_reply(b, first + 3)) > TIMELINE_KEPT(c->social->config) + LONGER_BY) {
        h->item->found = CHECK_HOME_LONG;
    }
}

static void ask_writers(struct check *c, struct store_batch *b, struct arena *a, struct home *h)
{
    h->writers = arena_alloc(a, (h->count + 1) * sizeof(*h->writers));
    for (size_t i = 0; i < h->count; i++) {
        h->writers[i] = writer_add(c, b, id_at(h, i));
    }
}

/* The ids of a home, sorted; NULL, with the verdict in the item, when one is damaged or there twice. */
static uint64_t *sorted_ids(struct arena *a, struct home *h)
{
    uint64_t *ids = arena_alloc(a, (h->count + 1) * sizeof(*ids));
    for (size_t i = 0; i < h->count; i++) {
        ids[i] = id_at(h, i);
    }
    qsort(ids, h->count, sizeof(*ids), id_oldest_first);
    for (size_t i = 0; i < h->count; i++) {
        if (!ids[i] || (i && ids[i] == ids[i - 1])) {
            h->item->found = ids[i] ? CHECK_HOME_TWICE : CHECK_HOME_DAMAGED;
            h->item->other = ids[i];
            return NULL;
        }
    }
    return ids;
}

static void judge(struct check *c, const struct store_batch *b, struct home *h)
{
    for (size_t i = h->count; i-- > 0 && !h->item->found;) {
        uint64_t post = id_at(h, i), author = writer_take(c, b, &h->writers[i], post);
        bool followed = author == h->item->id || id_is_among(author, h->following, h->following_count);
        h->item->found = !author ? CHECK_HOME_GONE : followed ? CHECK_NONE : CHECK_HOME_STRANGER;
        h->item->other = h->item->found ? post : 0;
    }
}

/* --- what is missing ----------------------------------------------------------------------------------------------- */

/* The authors whose posts this home must have: in hybrid mode celebrities are left out, because each visit asks
 * them. */
static enum err sources(struct check *c, struct arena *a, const struct home *h, uint64_t **out, size_t *count)
{
    uint64_t *famous = NULL;
    size_t famous_count = 0;
    enum err e = ERR_OK;
    if (c->social->config->timeline.mode == CONFIG_HYBRID) {
        if (c->again) {
            celebrity_forget(c->social); /* somebody may have become one since */
        }
        e = celebrity_among(c->social, a, h->following, h->following_count, &famous, &famous_count);
    }
    *out = arena_alloc(a, (h->following_count + 1) * sizeof(**out));
    *count = 0;
    for (size_t i = 0; i < h->following_count; i++) {
        if (!id_is_among(h->following[i], famous, famous_count)) {
            (*out)[(*count)++] = h->following[i];
        }
    }
    (*out)[(*count)++] = h->item->id;
    return e;
}

/* The time between which the home must have everything. At its ends it may be in disorder (see social.h). */
static void bounds(struct check *c, const struct home *h, const uint64_t *ids, char low[ID_SIZE + 1],
                   char high[ID_SIZE + 1])
{
    strcpy(low, "-");
    strcpy(high, "+");
    if (!h->is_whole) {
        low[0] = '[';
        id_write(id_of_ms(id_ms(ids[0]) + SOCIAL_DISORDER_MS), low + 1);
    }
    if (c->social->config->timeline.mode == CONFIG_PULL) {
        /* a home that was made before anybody wrote has no mark; ids are compared as text, so they must have the same
         * length */
        bool has_mark = h->mark_ms > ID_FIRST_MS + SOCIAL_DISORDER_MS;
        high[0] = '(';
        id_write(has_mark ? id_of_ms(h->mark_ms - SOCIAL_DISORDER_MS) : 0, high + 1);
    }
}

static enum err look_for_gaps(struct check *c, struct arena *a, struct home *h, const uint64_t *ids)
{
    uint64_t *authors;
    size_t count;
    char low[ID_SIZE + 1], high[ID_SIZE + 1];
    enum err e = sources(c, a, h, &authors, &count);
    if (e != ERR_OK || (h->count == 0 && !h->is_whole)) {
        return e;
    }
    bounds(c, h, ids, low, high);
    struct store_batch *b = store_batch_new(c->social->store, a);
    const char *most = arena_printf(a, "%lld", (long long)c->social->config->timeline.size);
    for (size_t i = 0; i < count; i++) {
        store_command(b, id_bucket(authors[i]), "ZRANGE", key_id(a, KEY_POSTS, authors[i]), low, high, "BYLEX", "LIMIT",
                      "0", most, NULL);
    }
    e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *posts = store_reply(b, i);
        for (size_t k = 0; k < posts->count; k++) {
            uint64_t post = id_parse(store_text(&posts->items[k]));
            if (!id_is_among(post, ids, h->count) && (!h->item->other || post < h->item->other)) {
                h->item->found = CHECK_HOME_LACKS;
                h->item->other = post;
            }
        }
    }
    return e;
}

/* --- all of it ----------------------------------------------------------------------------------------------------- */

static enum err look_at_some(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct home homes[HOMES_AT_ONCE];
    uint64_t *ids[HOMES_AT_ONCE] = {NULL};
    struct store_batch *first = store_batch_new(c->social->store, a), *second = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        home_add(c, first, a, items[i].id);
    }
    enum err e = check_ask(first);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        homes[i].item = &items[i];
        home_take(c, first, a, ASKS * i, &homes[i]);
        ids[i] = homes[i].is_built && !items[i].found ? sorted_ids(a, &homes[i]) : NULL;
        if (ids[i]) {
            ask_writers(c, second, a, &homes[i]);
        }
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (ids[i]) {
            judge(c, second, &homes[i]);
        }
        if (ids[i] && !items[i].found && c->options->homes) {
            e = look_for_gaps(c, a, &homes[i], ids[i]);
        }
    }
    return e;
}

enum err check_look_homes(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i += HOMES_AT_ONCE) {
        size_t n = count - i < HOMES_AT_ONCE ? count - i : HOMES_AT_ONCE;
        e = look_at_some(c, a, items + i, n);
        if (i + n < count) {
            arena_reset(a);
        }
    }
    return e;
}

enum err check_mend_home(struct check *c, struct arena *a, const struct check_item *item)
{
    return rebuild_home(c->social, a, item->id);
}
