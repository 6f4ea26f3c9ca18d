/* check_search.c - the index of search: that it lacks nobody and no post, once it is built; that its lists can be read. What it has too
 * much of is found to be wrong by whoever reads it, and is a remainder.
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
#include "social/people/user_index.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "social/search/fresh.h"
#include "social/search/index.h"
#include "social/search/people_index.h"
#include "store/calls.h"
#include "store/record.h"
#include "store/store.h"

/* Asks whether the index is to have everybody and everything. */
static size_t built_add(struct store_batch *b, struct arena *a)
{
    return record_ask_at(b, KEY_GLOBAL_BUCKET, key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET), RECORD_SITE, SITE_SEARCH);
}

static bool built_take(const struct check *c, const struct store_batch *b, size_t reply)
{
    struct record_site site;
    record_site_take(store_reply(b, reply), SITE_SEARCH, &site);
    return c->social->config->search.enabled && strcmp(site.search, INDEX_WHOLE) == 0;
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

/* The replies that say of one post what is missing; with `fresh`, whether it waits for the index. */
struct asked_words {
    size_t fresh, first, end;
};

static struct asked_words words_add(struct check *c, struct store_batch *b, struct arena *a, const struct post *p)
{
    struct index_rows rows;
    struct asked_words out = {.fresh = fresh_look_add(b, a, p->id)}; /* first: it leaves when it is in the lists */
    out.first = store_batch_count(b);
    index_rows_of(c->social, a, p, 1, &rows);
    for (size_t i = 0, n; i < rows.count; i += n) {
        n = index_rows_together(&rows, i);
        script_word_has_add(b, &(struct script_word_add){key_text_bucket(rows.items[i].slot), rows.items + i, n});
    }
    out.end = store_batch_count(b);
    return out;
}

static bool words_lack(const struct store_batch *b, const struct asked_words *asked)
{
    bool lacks = false;
    for (size_t i = asked->first; i < asked->end; i++) {
        struct script_word_add_reply r;
        lacks |= script_word_has_take(store_reply(b, i), &r) && r.count > 0;
    }
    return lacks && !store_integer(store_reply(b, asked->fresh));
}

enum err check_look_worded(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *first = store_batch_new(c->social->store, a), *second = store_batch_new(c->social->store, a);
    struct asked_words *asked = arena_zero(a, count * sizeof(*asked));
    for (size_t i = 0; i < count; i++) {
        record_ask(first, RECORD_POST, items[i].id, POST_SHOWN);
    }
    size_t built = built_add(first, a);
    enum err e = check_ask(first);
    bool is_built = e == ERR_OK && built_take(c, first, built);
    for (size_t i = 0; is_built && i < count; i++) {
        struct record_post record;
        struct post post;
        if (record_post_take(store_reply(first, i), POST_SHOWN, &record) && record.author) {
            post_from_record(a, items[i].id, &record, &post);
            asked[i] = words_add(c, second, a, &post);
        }
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        items[i].found = words_lack(second, &asked[i]) ? CHECK_WORDS_LACK : CHECK_NONE;
    }
    return e;
}

/* --- people -------------------------------------------------------------------------------------------------------- */

/* Of everybody whether he has an entry for each of his words. */
enum err check_look_findable(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *first = store_batch_new(c->social->store, a), *second = store_batch_new(c->social->store, a);
    struct asked_words *asked = arena_zero(a, count * sizeof(*asked));
    for (size_t i = 0; i < count; i++) {
        record_ask(first, RECORD_USER, items[i].id, USER_SHOWN);
    }
    size_t built = built_add(first, a);
    enum err e = check_ask(first);
    bool is_built = e == ERR_OK && built_take(c, first, built);
    for (size_t i = 0; is_built && i < count; i++) {
        struct record_user record;
        struct user u;
        asked[i].first = store_batch_count(second);
        if (record_user_take(store_reply(first, i), USER_SHOWN, &record) && *record.name && !record.deleted) {
            user_from_record(&record, items[i].id, &u);
            people_look_add(second, a, &u);
        }
        asked[i].end = store_batch_count(second);
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        items[i].found = CHECK_NONE;
        for (size_t k = asked[i].first; k < asked[i].end; k++) {
            items[i].found = store_reply(second, k)->type == STORE_NIL ? CHECK_NAMES_LACK : items[i].found;
        }
    }
    return e;
}

enum err check_mend_findable(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *read = store_batch_new(c->social->store, a), *b = store_batch_new(c->social->store, a);
    record_ask(read, RECORD_USER, item->id, USER_SHOWN);
    enum err e = check_ask(read);
    struct record_user record;
    struct user u;
    if (e == ERR_OK && record_user_take(store_reply(read, 0), USER_SHOWN, &record)) {
        user_from_record(&record, item->id, &u);
        c->social->parts->user_index->add(b, a, &u);
        e = check_ask(b);
    }
    return e;
}

/* Entries of `people`: of somebody who has that word, under its first letter. */
enum err check_look_naming(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        record_ask(b, RECORD_USER, people_entry_user(items[i].text), USER_SHOWN);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_user record;
        struct user u;
        struct key_parts parts;
        if (!check_entry_take(b, 2 * i, &items[i])) {
            continue;
        }
        bool is_there = record_user_take(store_reply(b, 2 * i + 1), USER_SHOWN, &record) && !record.deleted;
        user_from_record(&record, 1, &u);
        bool fits = is_there && key_parse(items[i].key, &parts) && people_entry_fits(a, items[i].text, &u) &&
                    strcmp(parts.text, people_entry_key(a, items[i].text)) == 0;
        items[i].found = fits ? CHECK_NONE : CHECK_NAMES_GONE;
    }
    return e;
}

/* --- tags ---------------------------------------------------------------------------------------------------------- */

/* Entries of `tagnames`: of a tag that some post has. */
enum err check_look_tagnames(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        const char *tag = tag_entry_tag(items[i].text);
        check_entry_add(b, a, &items[i]);
        store_command(b, key_text_bucket(tag ? tag : ""), "EXISTS", key_text(a, KEY_TAG, tag ? tag : ""), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (check_entry_take(b, 2 * i, &items[i])) {
            items[i].found = store_integer(store_reply(b, 2 * i + 1)) ? CHECK_NONE : CHECK_TAGNAME_GONE;
        }
    }
    return e;
}

/* --- lists of words ------------------------------------------------------------------------------------------------ */

#define WORD_HEAD 9 /* include/word.lua */

/* The numbers of the oldest and the newest part. False: there are none. */
static bool word_parts(const struct store_reply *value, int32_t *first, int32_t *last)
{
    if (value->type != STORE_STRING || value->length % 8 != 1 || value->length < WORD_HEAD) {
        return false;
    }
    uint32_t numbers[2] = {0, 0};
    for (size_t i = 0; i < 8; i++) {
        numbers[i / 4] = numbers[i / 4] << 8 | (unsigned char)value->text[1 + i];
    }
    *first = (int32_t)numbers[0];
    *last = (int32_t)numbers[1];
    return true;
}

/* Entries of `words`: whole numbers of posts, and the parts that they name. */
enum err check_look_word_lists(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a), *second = store_batch_new(c->social->store, a);
    struct key_parts parts;
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        int32_t ends[2] = {0, 0};
        const char *slot = key_parse(items[i].key, &parts) ? parts.text : "";
        word_parts(store_reply(b, i), &ends[0], &ends[1]);
        for (size_t k = 0; k < 2; k++) {
            const char *text = arena_printf(a, "%s|%d|%s", slot, (int)ends[k], items[i].text);
            store_command(second, items[i].bucket, "EXISTS", key_text(a, KEY_WORDPART, text), NULL);
        }
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *value = store_reply(b, i);
        int32_t first, last;
        bool has_parts = word_parts(value, &first, &last);
        bool are_there = store_integer(store_reply(second, 2 * i)) && store_integer(store_reply(second, 2 * i + 1));
        bool good = has_parts ? first <= last && are_there : value->length % 8 == 0 && value->length > 0;
        bool here = check_entry_take(b, i, &items[i]);
        items[i].found = here && !good ? CHECK_WORD_DAMAGED : CHECK_NONE;
    }
    return e;
}

/* "<region>|<slot>|<number>|<word>" in its three parts. */
static bool part_name(struct arena *a, const char *text, const char **slot, long *number, const char **word)
{
    const char *second = strchr(text, '|'), *third = second ? strchr(second + 1, '|') : NULL;
    char *end = NULL;
    *slot = third ? arena_dup_n(a, text, (size_t)(third - text)) : "";
    *number = third ? strtol(third + 1, &end, 10) : 0;
    *word = end && *end == '|' ? end + 1 : "";
    return **word != '\0';
}

/* Parts: that their word names, of whole numbers of posts. */
enum err check_look_word_parts(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    const char *slot, *word;
    long number;
    for (size_t i = 0; i < count; i++) {
        part_name(a, items[i].text, &slot, &number, &word);
        store_command(b, items[i].bucket, "HGET", key_text(a, KEY_WORDS, slot), word, NULL);
        store_command(b, items[i].bucket, "STRLEN", items[i].key, NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        int32_t first, last;
        int64_t length = store_integer(store_reply(b, 2 * i + 1));
        bool is_named = part_name(a, items[i].text, &slot, &number, &word) &&
                        word_parts(store_reply(b, 2 * i), &first, &last) && number >= first && number <= last;
        bool good = length == 0 || (is_named && length % 8 == 0);
        items[i].found = good ? CHECK_NONE : CHECK_WORD_LEFT;
    }
    return e;
}
