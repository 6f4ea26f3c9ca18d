/* check_walk.c - how the check reaches every key and every entry of every key: SCAN over all nodes, in chunks.
 *
 * SCAN returns each key that is there all the time at least once. Entries are read by rank, in parts (of hashes at
 * once): an entry that moves meanwhile may be missed this time, which is better than stopping the site.
 *
 * Threads: that of the check.
 */
#include "upkeep/check_look.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/posts/marks.h"
#include "social/posts/thread.h"
#include "store/store.h"

#define SCAN_COUNT "1000"
#define KEYS_AT_ONCE 32 /* whose entries are read together */
#define ROWS_AT_ONCE 500
#define NOTHING LOOKS

enum { PHASE_KEYS, PHASE_NAMES, PHASE_USERS, PHASE_TRUTH, PHASE_REST };

/* What is done with the keys of a word. */
static const struct plan {
    unsigned phase;
    enum look key, more; /* looks at the key itself */
    enum look entry;     /* at each of its entries */
} plans[KEY_COUNT] = {
    [KEY_NAME] = {PHASE_NAMES, LOOK_NAME, NOTHING, NOTHING},
    [KEY_USER] = {PHASE_USERS, LOOK_USER, NOTHING, NOTHING},
    [KEY_USERS] = {PHASE_USERS, NOTHING, NOTHING, LOOK_LISTED},
    [KEY_POST] = {PHASE_TRUTH, LOOK_POST, LOOK_BOOST, NOTHING},
    [KEY_POSTS] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_OWN},
    [KEY_DIRECTS] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_DIRECT},
    [KEY_FOLLOWING] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_FOLLOWS},
    [KEY_FOLLOWERS] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_FOLLOWED},
    [KEY_ASKED] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_ASKS},
    [KEY_REQUESTS] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_ASKED},
    [KEY_APART] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_APART},
    [KEY_TIES] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_TIE},
    [KEY_ENDORSED] = {PHASE_REST, LOOK_OWNED, LOOK_LENGTH, LOOK_TIE},
    [KEY_UNSUGGESTED] = {PHASE_REST, LOOK_OWNED, LOOK_LENGTH, NOTHING},
    [KEY_WATCHERS] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_WATCHER},
    [KEY_REMARKS] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_REMARK},
    [KEY_FILTERS] = {PHASE_REST, LOOK_OWNED, NOTHING, NOTHING},
    [KEY_LISTS] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_LISTING},
    [KEY_FAVOURITED] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_FAVOURITED},
    [KEY_FAVOURITES] = {PHASE_REST, LOOK_FAVOURITES, NOTHING, LOOK_FAVOURER},
    [KEY_BOOSTED] = {PHASE_TRUTH, LOOK_OWNED, NOTHING, LOOK_BOOSTED},
    [KEY_BOOSTS] = {PHASE_REST, LOOK_BOOSTS, NOTHING, LOOK_BOOSTER},
    [KEY_PINS] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_PIN},
    [KEY_BOOKMARKS] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_BOOKMARK},
    [KEY_QUIET] = {PHASE_REST, LOOK_OWNED, LOOK_LENGTH, LOOK_QUIET},
    [KEY_INTERESTS] = {PHASE_REST, LOOK_OWNED, LOOK_LENGTH, LOOK_INTEREST},
    [KEY_FEATURED] = {PHASE_REST, LOOK_OWNED, LOOK_LENGTH, LOOK_INTEREST},
    [KEY_LIST] = {PHASE_TRUTH, LOOK_LIST, NOTHING, NOTHING},
    [KEY_MEMBERS] = {PHASE_REST, LOOK_MEMBERS, NOTHING, LOOK_MEMBER},
    [KEY_SESSION] = {PHASE_REST, LOOK_SESSION, NOTHING, NOTHING},
    [KEY_SESSIONS] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_LOGIN},
    [KEY_APP] = {PHASE_REST, NOTHING, NOTHING, NOTHING},
    [KEY_TOKEN] = {PHASE_REST, LOOK_TOKEN, NOTHING, NOTHING},
    [KEY_TOKENS] = {PHASE_REST, LOOK_TOKENS, NOTHING, LOOK_LOGIN},
    [KEY_CODE] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
    [KEY_NEWEST] = {PHASE_REST, LOOK_OWNED, LOOK_NEWEST, NOTHING},
    [KEY_HOME] = {PHASE_REST, LOOK_OWNED, LOOK_HOME, NOTHING},
    [KEY_HOMESTATE] = {PHASE_REST, LOOK_OWNED, LOOK_TALKS, NOTHING},
    [KEY_NOTICES] = {PHASE_REST, LOOK_OWNED, LOOK_LENGTH, LOOK_NOTICE},
    [KEY_TALKS] = {PHASE_REST, LOOK_OWNED, LOOK_TALKS, LOOK_TALK},
    [KEY_TALKPOSTS] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_TALKED},
    [KEY_TALKPEOPLE] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_TALK},
    [KEY_TALKNEWS] = {PHASE_REST, LOOK_OWNED, NOTHING, LOOK_TALK},
    [KEY_NOTICEREAD] = {PHASE_REST, LOOK_OWNED, NOTHING, NOTHING},
    [KEY_MARKERS] = {PHASE_REST, LOOK_OWNED, NOTHING, NOTHING},
    [KEY_NOTICEGONE] = {PHASE_REST, LOOK_OWNED, LOOK_LENGTH, NOTHING},
    [KEY_JOBS] = {PHASE_REST, NOTHING, NOTHING, LOOK_QUEUED},
    [KEY_JOB] = {PHASE_REST, LOOK_JOB, NOTHING, NOTHING},
    [KEY_DEAD] = {PHASE_REST, NOTHING, NOTHING, LOOK_DEAD},
    [KEY_TIMELINE] = {PHASE_REST, LOOK_LENGTH, LOOK_PUBLIC, LOOK_INDEX},
    [KEY_TAG] = {PHASE_REST, LOOK_LENGTH, NOTHING, LOOK_INDEX},
    [KEY_TRENDS] = {PHASE_REST, LOOK_LENGTH, NOTHING, NOTHING},
    [KEY_TRENDPEOPLE] = {PHASE_REST, LOOK_LENGTH, LOOK_ENDLESS, NOTHING},
    [KEY_TAGDAYS] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
    [KEY_POSTED] = {PHASE_REST, LOOK_POSTED, NOTHING, NOTHING},
    [KEY_ACTIVE] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
    [KEY_POPULAR] = {PHASE_REST, LOOK_LENGTH, LOOK_ENDLESS, NOTHING},
    [KEY_REPLIES] = {PHASE_REST, LOOK_REPLIES, NOTHING, LOOK_INDEX},
    [KEY_HISTORY] = {PHASE_REST, LOOK_HISTORY, NOTHING, NOTHING},
    [KEY_THREAD] = {PHASE_REST, NOTHING, NOTHING, LOOK_INDEX},
    [KEY_LATEST] = {PHASE_REST, LOOK_LENGTH, NOTHING, LOOK_LATEST},
    [KEY_WORDS] = {PHASE_REST, NOTHING, NOTHING, LOOK_WORD},
    [KEY_WORDPART] = {PHASE_REST, LOOK_WORDPART, NOTHING, NOTHING},
    [KEY_FRESH] = {PHASE_REST, NOTHING, NOTHING, LOOK_INDEX},
    [KEY_PEOPLE] = {PHASE_REST, NOTHING, NOTHING, LOOK_NAMING},
    [KEY_TAGNAMES] = {PHASE_REST, NOTHING, NOTHING, LOOK_TAGNAME},
    [KEY_CELEBRITIES] = {PHASE_REST, NOTHING, NOTHING, LOOK_FAMOUS},
    /* these say nothing about each other */
    [KEY_REQUEST] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
    [KEY_RATE] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
    [KEY_LIMIT] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
    [KEY_INVITE] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
    [KEY_EVENTS] = {PHASE_REST, NOTHING, NOTHING, NOTHING},
    [KEY_CHANGES] = {PHASE_REST, NOTHING, NOTHING, NOTHING},
    [KEY_SITE] = {PHASE_REST, NOTHING, NOTHING, NOTHING},
    [KEY_HEALTH] = {PHASE_REST, LOOK_ENDLESS, NOTHING, NOTHING},
};

/* Truth is looked at once more in the last phase: whether the data derived from it have it. LOOK_TYPE: no second
 * look. */
static const enum look later[KEY_COUNT][2] = {
    [KEY_POST] = {LOOK_INDEXED, LOOK_WORDED}, [KEY_USER] = {LOOK_NEWCOMER, LOOK_FINDABLE}};

static bool is_due(const struct check *c, enum key k)
{
    return plans[k].phase == c->phase || (c->phase == PHASE_REST && later[k][0] != LOOK_TYPE);
}

/* Whether the keys of this word get this look in this phase. */
static bool gets(const struct check *c, enum key k, enum look sort)
{
    const struct plan *p = &plans[k];
    bool is_later = sort != LOOK_TYPE && (later[k][0] == sort || later[k][1] == sort);
    return p->phase == c->phase ? p->key == sort || p->more == sort : is_later;
}

/* --- the key itself ------------------------------------------------------------------------------------------------
 * */

/* Looks at keys, all of one sort at a time. */
static enum err look_at_keys(struct check *c, const struct check_item *keys, size_t count)
{
    struct check_item *items = arena_alloc(c->chunk, (count + 1) * sizeof(*items));
    enum err e = ERR_OK;
    for (int sort = 0; e == ERR_OK && sort < LOOKS; sort++) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            if (gets(c, keys[i].in, (enum look)sort)) {
                items[n] = keys[i];
                items[n++].look = (enum look)sort;
            }
        }
        c->report->users += sort == LOOK_USER ? n : 0;
        c->report->posts += sort == LOOK_POST ? n : 0;
        e = c->first_look(c, items, n);
    }
    return e;
}

/* --- entries -------------------------------------------------------------------------------------------------------
 * */

static void rows_add(struct store_batch *b, struct arena *a, const struct check_item *key, size_t from)
{
    const char *first = arena_printf(a, "%zu", from);
    const char *last = arena_printf(a, "%zu", from + ROWS_AT_ONCE - 1);
    if (check_is_list(key->in)) {
        store_command(b, key->bucket, "LRANGE", key->key, first, last, NULL);
    } else if (check_is_hash(key->in)) {
        store_command(b, key->bucket, "HGETALL", key->key, NULL);
    } else {
        store_command(b, key->bucket, "ZRANGE", key->key, first, last, "WITHSCORES", NULL);
    }
}

/* Whether the scores of such a set are times, unique within it: cursors of pages. */
static bool has_times(enum key k)
{
    static const enum key sets[] = {KEY_FOLLOWING,  KEY_FOLLOWERS, KEY_MEMBERS, KEY_FAVOURITED,
                                    KEY_FAVOURITES, KEY_BOOKMARKS, KEY_BOOSTS,  KEY_PINS,
                                    KEY_ASKED,      KEY_REQUESTS,  KEY_QUIET};
    bool is_one = false;
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        is_one = is_one || sets[i] == k;
    }
    return is_one;
}

/* Two entries of the same time. */
static void note_times(const struct check_item *key, const struct store_reply *rows, size_t at,
                       struct check_item *items, size_t *count)
{
    if (has_times(key->in) && at && strcmp(store_text(&rows->items[at - 1]), store_text(&rows->items[at + 1])) == 0) {
        items[*count] = *key;
        items[*count].look = LOOK_TIMES;
        items[*count].other = id_parse(store_text(&rows->items[at - 2]));
        items[(*count)++].text = store_text(&rows->items[at]);
    }
}

/* Whom an entry is about; 0: it is none that this version knows. */
static uint64_t id_in_entry(const struct check_item *item)
{
    switch (item->in) {
    case KEY_THREAD:
        return thread_entry_of(item->text).id;
    case KEY_BOOSTED:
        return marks_boost_parse(item->text).post;
    default:
        return id_parse(item->text);
    }
}

/* Looks at the entries of one reply, but for the first `skip`. */
static enum err look_at_rows(struct check *c, const struct check_item *key, const struct store_reply *rows, size_t skip)
{
    size_t step = check_is_list(key->in) ? 1 : 2, good = 0, strange = 0, times = 0;
    size_t most = rows->count / step + 1;
    struct check_item *items = arena_alloc(c->rows, most * sizeof(*items));
    struct check_item *others = arena_alloc(c->rows, most * sizeof(*others));
    struct check_item *pairs = arena_alloc(c->rows, most * sizeof(*pairs));
    for (size_t i = skip * step; i + step <= rows->count; i += step) {
        struct check_item item = *key;
        item.look = plans[key->in].entry;
        item.text = store_text(&rows->items[i]);
        bool has_text = check_has_text(item.look);
        item.other = has_text ? 0 : id_in_entry(&item);
        if (item.other || has_text) {
            items[good++] = item;
            note_times(key, rows, i, pairs, &times);
        } else {
            item.look = LOOK_STRANGE;
            others[strange++] = item;
        }
    }
    c->report->relations += key->in == KEY_FOLLOWING ? good : 0;
    enum err e = c->first_look(c, items, good);
    e = e == ERR_OK ? c->first_look(c, others, strange) : e;
    return e == ERR_OK ? c->first_look(c, pairs, times) : e;
}

/* The rest of a long key. */
static enum err walk_on(struct check *c, const struct check_item *key)
{
    /* from the last one read on: neighbours are compared */
    for (size_t from = ROWS_AT_ONCE - 1;; from += ROWS_AT_ONCE - 1) {
        arena_reset(c->rows);
        struct store_batch *b = store_batch_new(c->social->store, c->rows);
        rows_add(b, c->rows, key, from);
        enum err e = check_ask(b);
        const struct store_reply *rows = store_reply(b, 0);
        e = e == ERR_OK ? look_at_rows(c, key, rows, 1) : e;
        if (e != ERR_OK || rows->count < ROWS_AT_ONCE * (check_is_list(key->in) ? 1u : 2u)) {
            return e;
        }
    }
}

static enum err walk_group(struct check *c, const struct check_item *const *keys, size_t count)
{
    arena_reset(c->rows);
    struct store_batch *b = store_batch_new(c->social->store, c->rows);
    bool goes_on[KEYS_AT_ONCE] = {false};
    for (size_t i = 0; i < count; i++) {
        rows_add(b, c->rows, keys[i], 0);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *rows = store_reply(b, i);
        goes_on[i] =
            !check_is_hash(keys[i]->in) && rows->count >= ROWS_AT_ONCE * (check_is_list(keys[i]->in) ? 1u : 2u);
        e = look_at_rows(c, keys[i], rows, 0);
    }
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = goes_on[i] ? walk_on(c, keys[i]) : ERR_OK;
    }
    return e;
}

static enum err walk_entries(struct check *c, const struct check_item *keys, size_t count)
{
    const struct check_item *group[KEYS_AT_ONCE];
    enum err e = ERR_OK;
    size_t n = 0;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (plans[keys[i].in].phase == c->phase && plans[keys[i].in].entry != NOTHING) {
            group[n++] = &keys[i];
        }
        if (n == KEYS_AT_ONCE || (n && i + 1 == count)) {
            e = walk_group(c, group, n);
            n = 0;
        }
    }
    return e == ERR_OK && n ? walk_group(c, group, n) : e;
}

/* --- all keys ------------------------------------------------------------------------------------------------------
 * */

/* The keys of this phase among those of one SCAN. */
static size_t sift(struct check *c, const struct store_reply *found, unsigned bucket, struct check_item *items)
{
    size_t n = 0;
    for (size_t i = 0; i < found->count; i++) {
        struct key_parts parts;
        const char *key = store_text(&found->items[i]);
        struct check_item item = {.look = LOOK_TYPE, .key = key, .bucket = bucket};
        bool known = key_parse(key, &parts);
        if (!known && c->phase == PHASE_KEYS) {
            item.found = CHECK_KEY_UNKNOWN;
            check_note(c, &item);
        }
        c->report->keys += c->phase == PHASE_KEYS;
        if (known && (c->phase == PHASE_KEYS || (is_due(c, parts.key) && !parts.astray))) {
            item.in = parts.key;
            item.bucket = parts.bucket;
            item.id = parts.id;
            item.text = parts.text;
            items[n++] = item;
        }
    }
    return n;
}

static enum err walk_chunk(struct check *c, const struct store_reply *found, unsigned bucket)
{
    struct check_item *items = arena_alloc(c->chunk, (found->count + 1) * sizeof(*items));
    size_t n = sift(c, found, bucket, items);
    if (c->phase == PHASE_KEYS) {
        return c->first_look(c, items, n);
    }
    enum err e = look_at_keys(c, items, n);
    return e == ERR_OK ? walk_entries(c, items, n) : e;
}

static enum err walk_node(struct check *c, unsigned bucket)
{
    char cursor[ID_SIZE] = "0";
    enum err e;
    do {
        arena_reset(c->chunk);
        struct store_batch *b = store_batch_new(c->social->store, c->chunk);
        store_command(b, bucket, "SCAN", cursor, "MATCH", key_pattern(c->chunk), "COUNT", SCAN_COUNT, NULL);
        e = check_ask(b);
        if (e != ERR_OK) {
            break;
        }
        const struct store_reply *found = store_item(store_reply(b, 0), 1);
        strncpy(cursor, store_text(store_item(store_reply(b, 0), 0)), sizeof(cursor) - 1);
        e = walk_chunk(c, found, bucket);
        c->seen += found->count;
        if (c->options->progress) {
            c->options->progress(c->options->context, c->phase, c->seen, c->total);
        }
    } while (e == ERR_OK && strcmp(cursor, "0") != 0);
    return e;
}

enum err check_walk(struct check *c)
{
    enum err e = ERR_OK;
    for (size_t n = 0; e == ERR_OK && n < store_nodes(c->social->store); n++) {
        e = walk_node(c, store_node_bucket(c->social->store, n));
    }
    return e;
}
