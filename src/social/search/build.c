/* build.c - see build.h.
 *
 * The cursor of the job says what it is at: "drop <slot>", "people <bucket>", then "posts <id>", below which nothing is indexed yet. Each
 * step is short, because a stop waits for it and a lease is; the newest posts below a cursor are found by asking every author for his, and
 * keeping the newest of all. Rejected: author by author, because then lists grow in their middle, and nothing is whole before the end. */
#include "social/search/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "config/config.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/user.h"
#include "social/people/user_index.h"
#include "social/posts/index.h"
#include "social/search/fresh.h"
#include "social/search/index.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define SLOTS_PER_STEP 256
#define BUCKETS_PER_STEP 64
#define WINDOW 20000  /* posts of a step */
#define AUTHORS 500   /* sets of theirs that are asked at once */
#define OF_AUTHOR 500 /* posts of each that are asked for at once */
#define SAVE_MS 1000  /* how often a lease is prolonged */

#define AT_DROP "drop "
#define AT_PEOPLE "people "
#define AT_POSTS "posts "

/* --- cursors ------------------------------------------------------------------------------------------------------- */

static bool is_at(const struct job *j, const char *what, uint64_t *number)
{
    size_t n = strlen(what);
    *number = 0;
    if (strncmp(j->cursor, what, n) != 0) {
        return false;
    }
    *number = strtoull(j->cursor + n, NULL, 10);
    return true;
}

/* Saves where it goes on; with *done when another worker has it. */
static enum err move_on(struct social *s, struct arena *a, struct job *j, const char *what, uint64_t number, bool *done)
{
    enum err e = job_save(s, a, j, arena_printf(a, "%s%llu", what, (unsigned long long)number));
    *done = e == ERR_NOT_FOUND;
    return *done ? ERR_OK : e;
}

static void state_add(struct store_batch *b, struct arena *a, const char *state)
{
    const char *site = key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET), *word = record_word(RECORD_SITE, SITE_SEARCH);
    if (*state) {
        store_command(b, KEY_GLOBAL_BUCKET, "HSET", site, word, state, NULL);
    } else {
        store_command(b, KEY_GLOBAL_BUCKET, "HDEL", site, word, NULL);
    }
}

static enum err set_build_state(struct social *s, struct arena *a, const char *state)
{
    struct store_batch *b = store_batch_new(s->store, a);
    state_add(b, a, state);
    if (!s->config->search.enabled) {
        fresh_drop_add(b, a);
    }
    return store_run(b);
}

static enum err end_build(struct social *s, struct arena *a, struct job *j, const char *state, bool *done)
{
    enum err e = set_build_state(s, a, state);
    struct store_batch *b = store_batch_new(s->store, a);
    job_done_add(b, j);
    store_send(b); /* if it gets lost the job runs its last step once more, which is harmless */
    *done = true;
    return e;
}

/* --- dropping ------------------------------------------------------------------------------------------------------ */

/* Takes away what is in some slots, asking all of them at once until nothing is left. */
static enum err drop_slots(struct social *s, struct arena *a, uint64_t first, uint64_t end)
{
    size_t count = (size_t)(end - first), left = 0;
    const char **slots = arena_alloc(a, (count + 1) * sizeof(*slots));
    for (size_t i = 0; i < count; i++) {
        slots[i] = index_slot_at(a, (unsigned)(first + i));
    }
    enum err e = ERR_OK;
    do {
        struct store_batch *b = store_batch_new(s->store, a);
        for (size_t i = 0; i < count; i++) {
            script_words_drop_add(b, &(struct script_words_drop){key_text_bucket(slots[i]), slots[i]});
        }
        e = store_run(b);
        left = 0;
        for (size_t i = 0; e == ERR_OK && i < count; i++) {
            struct script_words_drop_reply r;
            if (script_words_drop_take(store_reply(b, i), &r) && r.left > 0) {
                slots[left++] = slots[i];
            }
        }
        count = left;
    } while (e == ERR_OK && count);
    return e;
}

static enum err drop_step(struct social *s, struct arena *a, struct job *j, uint64_t first, bool *done)
{
    enum err e = first == 0 ? set_build_state(s, a, "") : ERR_OK;
    uint64_t end = first + SLOTS_PER_STEP, all = INDEX_REGIONS * INDEX_SLOTS;
    e = e == ERR_OK ? drop_slots(s, a, first, end < all ? end : all) : e;
    if (e != ERR_OK || end < all) {
        return e == ERR_OK ? move_on(s, a, j, AT_DROP, end, done) : e;
    }
    return s->config->search.enabled ? move_on(s, a, j, AT_PEOPLE, 0, done) : end_build(s, a, j, "", done);
}

/* --- people -------------------------------------------------------------------------------------------------------- */

static size_t users_add(struct store_batch *b, struct arena *a, unsigned bucket)
{
    return store_command(b, bucket, "ZRANGE", key_plain(a, KEY_USERS, bucket), "0", "-1", NULL);
}

static enum err people_step(struct social *s, struct arena *a, struct job *j, uint64_t first, bool *done)
{
    struct store_batch *read = store_batch_new(s->store, a), *records = store_batch_new(s->store, a),
                       *b = store_batch_new(s->store, a);
    uint64_t end = first + BUCKETS_PER_STEP;
    for (uint64_t bucket = first; bucket < end; bucket++) {
        users_add(read, a, (unsigned)bucket);
    }
    enum err e = store_run(read);
    struct buffer ids = buffer_make(a);
    for (size_t i = 0; e == ERR_OK && i < store_batch_count(read); i++) {
        const struct store_reply *rows = store_reply(read, i);
        for (size_t k = 0; k < rows->count; k++) {
            uint64_t id = id_parse(store_text(&rows->items[k]));
            if (id) {
                user_add(records, id);
                buffer_add(&ids, &id, sizeof(id));
            }
        }
    }
    e = e == ERR_OK ? store_run(records) : e;
    for (size_t i = 0; e == ERR_OK && i < store_batch_count(records); i++) {
        uint64_t id;
        struct user u;
        memcpy(&id, ids.data + i * sizeof(id), sizeof(id));
        if (user_take(s, records, i, id, &u) && !u.is_deleted) {
            s->parts->user_index->add(b, a, &u);
        }
    }
    e = e == ERR_OK ? store_run(b) : e;
    if (e != ERR_OK || end < ID_BUCKETS) {
        return e == ERR_OK ? move_on(s, a, j, AT_PEOPLE, end, done) : e;
    }
    return move_on(s, a, j, AT_POSTS, 0, done);
}

/* --- the newest posts below a cursor ------------------------------------------------------------------------------- */

/* Ids, of which the newest WINDOW are kept. */
struct window {
    uint64_t *ids;
    size_t count;
    uint64_t below; /* the cursor; 0: none */
    uint64_t least; /* what is not newer than that is not among them; 0: everything is */
    bool is_cut;    /* there are older ones */
};

static void window_cut(struct window *w)
{
    if (w->count > WINDOW) {
        qsort(w->ids, w->count, sizeof(*w->ids), id_newest_first);
        w->count = WINDOW;
        w->least = w->ids[WINDOW - 1];
        w->is_cut = true;
    }
}

static void window_add(struct window *w, uint64_t id)
{
    if (id && id > w->least) {
        w->ids[w->count++] = id;
        if (w->count == 2 * WINDOW) {
            window_cut(w);
        }
    }
}

/* One of the two sets of an author's posts. */
struct author {
    uint64_t uid, below;
    enum key key;
};

static void author_add(struct store_batch *b, struct arena *a, const struct author *of, const struct window *w)
{
    char digits[ID_SIZE];
    const char *from = of->below ? arena_printf(a, "(%s", id_write(of->below, digits)) : "+";
    const char *to = w->least ? arena_printf(a, "(%s", id_write(w->least, digits)) : "-";
    store_command(b, id_bucket(of->uid), "ZRANGE", key_id(a, of->key, of->uid), from, to, "BYLEX", "REV", "LIMIT", "0",
                  arena_printf(a, "%d", OF_AUTHOR), NULL);
}

/* Takes the next posts of some authors; those who have more stay in the list. */
static enum err authors_take(struct social *s, struct arena *a, struct window *w, struct author *list, size_t *count)
{
    struct store_batch *b = store_batch_new(s->store, a);
    for (size_t i = 0; i < *count; i++) {
        author_add(b, a, &list[i], w);
    }
    enum err e = store_run(b);
    size_t left = 0;
    for (size_t i = 0; e == ERR_OK && i < *count; i++) {
        const struct store_reply *rows = store_reply(b, i);
        for (size_t k = 0; k < rows->count; k++) {
            window_add(w, id_parse(store_text(&rows->items[k])));
        }
        if (rows->count == OF_AUTHOR) {
            list[left] = list[i];
            list[left++].below = id_parse(store_text(&rows->items[OF_AUTHOR - 1]));
        }
    }
    *count = left;
    return e;
}

/* Asks these authors, and those who have more once more, until nobody has. */
static enum err authors_ask(struct social *s, struct window *w, struct author *list, size_t count)
{
    enum err e = ERR_OK;
    struct arena *a = arena_new();
    while (e == ERR_OK && count) {
        e = authors_take(s, a, w, list, &count);
        arena_reset(a);
    }
    arena_free(a);
    return e;
}

/* Asks the authors of some buckets, many at once. */
static enum err window_read_some(struct social *s, struct arena *a, struct window *w, unsigned first)
{
    static const enum key keys[] = {KEY_POSTS, KEY_DIRECTS};
    struct author list[AUTHORS];
    size_t count = 0;
    struct store_batch *read = store_batch_new(s->store, a);
    for (unsigned bucket = first; bucket < first + BUCKETS_PER_STEP; bucket++) {
        users_add(read, a, bucket);
    }
    enum err e = store_run(read);
    for (size_t n = 0; e == ERR_OK && n < store_batch_count(read); n++) {
        const struct store_reply *users = store_reply(read, n);
        for (size_t i = 0; e == ERR_OK && i < 2 * users->count; i++) {
            uint64_t uid = id_parse(store_text(&users->items[i / 2]));
            list[count] = (struct author){uid, w->below, keys[i % 2]};
            count += uid != 0;
            if (count == AUTHORS) {
                e = authors_ask(s, w, list, count);
                count = 0;
            }
        }
    }
    return e == ERR_OK ? authors_ask(s, w, list, count) : e;
}

/* Asks every author. The lease is prolonged on the way. */
static enum err window_read(struct social *s, struct arena *a, struct job *j, struct window *w, bool *done)
{
    enum err e = ERR_OK;
    struct arena *part = arena_new();
    uint64_t saved_ms = clock_wall_ms();
    w->ids = arena_alloc(a, 2 * WINDOW * sizeof(*w->ids));
    for (unsigned bucket = 0; e == ERR_OK && !*done && bucket < ID_BUCKETS; bucket += BUCKETS_PER_STEP) {
        arena_reset(part);
        e = window_read_some(s, part, w, bucket);
        if (e == ERR_OK && clock_wall_ms() > saved_ms + SAVE_MS) {
            saved_ms = clock_wall_ms();
            e = move_on(s, a, j, AT_POSTS, w->below, done);
        }
    }
    arena_free(part);
    window_cut(w);
    qsort(w->ids, w->count, sizeof(*w->ids), id_newest_first);
    return e;
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static enum err posts_step(struct social *s, struct arena *a, struct job *j, uint64_t below, bool *done)
{
    struct window w = {.below = below};
    enum err e = window_read(s, a, j, &w, done);
    struct arena *part = arena_new();
    uint64_t saved_ms = clock_wall_ms();
    for (size_t i = 0, n; e == ERR_OK && !*done && i < w.count; i += n) {
        arena_reset(part);
        n = w.count - i < INDEX_AT_ONCE ? w.count - i : INDEX_AT_ONCE;
        e = index_stored(s, part, w.ids + i, n);
        below = w.ids[i + n - 1];
        if (e == ERR_OK && clock_wall_ms() > saved_ms + SAVE_MS) {
            saved_ms = clock_wall_ms();
            e = move_on(s, a, j, AT_POSTS, below, done);
        }
    }
    arena_free(part);
    if (e != ERR_OK || *done) {
        return e;
    }
    if (!w.is_cut) {
        e = fresh_settle(s, a);
    }
    if (!w.is_cut && e == ERR_OK) {
        log_info("search", "the index of all posts is built");
        return end_build(s, a, j, INDEX_WHOLE, done);
    }
    e = e == ERR_OK ? set_build_state(s, a, id_text(a, below)) : e;
    return e == ERR_OK ? move_on(s, a, j, AT_POSTS, below, done) : e;
}

static enum err build_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    uint64_t number;
    if (is_at(j, AT_PEOPLE, &number)) {
        return people_step(s, a, j, number, done);
    }
    if (is_at(j, AT_POSTS, &number)) {
        return posts_step(s, a, j, number, done);
    }
    is_at(j, AT_DROP, &number);
    return drop_step(s, a, j, number, done);
}

const struct job_class build_job = {.name = "search", .step = build_step, .size = sizeof(struct job)};

/* --- beginning ----------------------------------------------------------------------------------------------------- */

/* A job of the site; nobody's, so it lies where things do that belong to nobody. */
static struct job *new_build(struct arena *a)
{
    return job_new(a, &build_job, id_of_ms(clock_site_ms()) | KEY_GLOBAL_BUCKET << 6);
}

enum err build_now(struct social *s, struct arena *a)
{
    struct job *j = new_build(a);
    enum err e = job_store(s, a, j);
    return e == ERR_OK ? job_run(s, a, j) : e;
}

enum err build_begin(struct social *s, struct arena *a)
{
    struct record_site site;
    struct store_batch *b = store_batch_new(s->store, a);
    const char *key = key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET);
    size_t asked = record_ask_at(b, KEY_GLOBAL_BUCKET, key, RECORD_SITE, SITE_SEARCH);
    size_t people = store_command(b, KEY_GLOBAL_BUCKET, "EXISTS", key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET), NULL);
    enum err e = store_run(b);
    record_site_take(store_reply(b, asked), SITE_SEARCH, &site);
    bool has_index = *site.search, is_wanted = s->config->search.enabled;
    if (e != ERR_OK || has_index == is_wanted) {
        return e;
    }
    if (is_wanted && store_integer(store_reply(b, people)) == 0) {
        return set_build_state(s, a, INDEX_WHOLE); /* of a new site, which has nothing */
    }
    log_info("search", is_wanted ? "the index is built in the background" : "the index is dropped in the background");
    return job_store(s, a, new_build(a));
}
