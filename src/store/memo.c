/* memo.c - see memo.h.
 *
 * Keys are found in the wire form of a command: arguments that begin as keys do. What a script changes beyond the keys that
 * it is given, if it does (script.h), lies in its bucket, so all of the bucket counts as changed. What the answer of a script
 * that only reads depends on, its caller says (store_batch_source).
 *
 * Any thread.
 */
#include "store/memo.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/kept.h"
#include "base/panic.h"
#include "base/source.h"
#include "store/batch.h"
#include "store/reply.h"
#include "store/script.h"
#include "store/watch.h"

#define KEYS_MAX 64

struct memo {
    struct watch *watch;
    struct kept *kept;
    _Atomic uint64_t given, asked;
};

/* The commands whose answers depend on nothing but their keys. (PTTL on the time, too: see memo.h.) */
static const char *const reads[] = {"GET",        "HGET",   "HMGET",  "HGETALL", "LRANGE",   "LLEN",
                                    "ZCARD",      "ZRANGE", "ZSCORE", "ZMSCORE", "SCARD",    "SISMEMBER",
                                    "SMISMEMBER", "EXISTS", "STRLEN", "PTTL",    "ZREVRANGE"};

/* --- commands ---------------------------------------------------------------------------------------------------- */

struct word {
    const char *text;
    size_t length;
};

/* A number behind a sign, and past the line's end. */
static size_t take_number(const char **at)
{
    size_t n = 0;
    for (++*at; **at != '\r'; ++*at) {
        n = n * 10 + (size_t)(**at - '0');
    }
    *at += 2;
    return n;
}

static struct word take_word(const char **at)
{
    size_t length = take_number(at);
    struct word w = {*at, length};
    *at += length + 2;
    return w;
}

/* A walk over the words of a command. */
struct words {
    const char *at;
    size_t left;
};

static struct words command_words(const struct store_batch *b, size_t i)
{
    struct words w = {.at = b->wire.data + b->items[i].offset};
    w.left = take_number(&w.at);
    return w;
}

static bool next_word(struct words *w, struct word *out)
{
    if (w->left == 0) {
        return false;
    }
    w->left--;
    *out = take_word(&w->at);
    return true;
}

static bool word_equals(struct word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

static bool is_plain_read(struct word command)
{
    for (size_t i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
        if (word_equals(command, reads[i])) {
            return true;
        }
    }
    return false;
}

/* Keys begin with the prefix of the store and the bucket in braces. */
static bool is_key(const struct store_batch *b, struct word w)
{
    size_t length = strlen(b->store->prefix);
    return w.length > length && memcmp(w.text, b->store->prefix, length) == 0 && w.text[length] == '{';
}

/* --- what a batch reads ------------------------------------------------------------------------------------------ */

struct memo_keys {
    struct word words[KEYS_MAX];
    size_t count;
};

static bool put_key(struct memo_keys *keys, struct word w)
{
    if (keys->count == KEYS_MAX) {
        return false;
    }
    keys->words[keys->count++] = w;
    return true;
}

/* The keys that a script has read, by its answer. */
static bool find_sources(const struct store_batch *b, size_t i, struct memo_keys *keys)
{
    const char *out[STORE_SOURCES_MAX];
    const struct batch_source *s = b->sources;
    while (s && s->index != i) {
        s = s->next;
    }
    size_t count = s ? s->keys(b->arena, &b->replies[i], out, s->context) : 0;
    bool fits = count > 0 && script_info((enum script)b->items[i].script)->reads;
    for (size_t k = 0; fits && k < count; k++) {
        const char *key = arena_printf(b->arena, "%s%s", b->store->prefix, out[k]);
        fits = put_key(keys, (struct word){key, strlen(key)});
    }
    return fits;
}

/* The keys of a command that is a plain read. */
static bool find_words(const struct store_batch *b, size_t i, struct memo_keys *keys)
{
    struct words words = command_words(b, i);
    struct word w;
    size_t before = keys->count;
    if (!next_word(&words, &w) || !is_plain_read(w)) {
        return false;
    }
    while (next_word(&words, &w)) {
        if (is_key(b, w) && !put_key(keys, w)) {
            return false;
        }
    }
    return keys->count > before;
}

/* False: not every command is a read of a key or few. */
static bool find_keys(const struct store_batch *b, struct memo_keys *keys)
{
    bool all = true;
    keys->count = 0;
    for (size_t i = 0; all && i < b->count; i++) {
        all = b->items[i].script == BATCH_NO_SCRIPT ? find_words(b, i, keys) : find_sources(b, i, keys);
    }
    return all;
}

/* --- answers ------------------------------------------------------------------------------------------------------- */

/* What is kept: this, the places of the keys, the buckets of the commands, all replies (those of the batch first), and
 * their texts. */
struct memory {
    uint64_t token, made_us;
    size_t place_count, reply_count, text_size;
};

static size_t align(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

static size_t size_of_numbers(size_t places, size_t commands)
{
    return align(sizeof(struct memory) + places * sizeof(uint32_t) + commands * sizeof(uint16_t));
}

static uint32_t *places_of(struct memory *m)
{
    return (uint32_t *)(m + 1);
}

static uint16_t *buckets_of(struct memory *m)
{
    return (uint16_t *)(places_of(m) + m->place_count);
}

static struct store_reply *replies_of(struct memory *m, size_t commands)
{
    return (struct store_reply *)(void *)((char *)m + size_of_numbers(m->place_count, commands));
}

static void measure_replies(const struct store_reply *r, size_t count, size_t *replies, size_t *text)
{
    for (size_t i = 0; i < count; i++) {
        *replies += 1;
        *text += r[i].type == STORE_STRING ? r[i].length + 1 : 0;
        if (r[i].type == STORE_ARRAY) {
            measure_replies(r[i].items, r[i].count, replies, text);
        }
    }
}

struct packer {
    struct store_reply *next;
    char *text;
};

/* Copies into the places that are next, with all below. */
static void pack_replies(struct packer *p, struct store_reply *to, const struct store_reply *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        if (to[i].type == STORE_STRING) {
            memcpy(p->text, from[i].text, from[i].length + 1);
            to[i].text = p->text;
            p->text += from[i].length + 1;
        } else if (to[i].type == STORE_ARRAY) {
            to[i].items = p->next;
            p->next += from[i].count;
            pack_replies(p, to[i].items, from[i].items, from[i].count);
        }
    }
}

/* The copy of all replies, whose pointers lead into what it was copied from. */
static void move_replies(struct store_reply *r, size_t count, const char *from, char *to)
{
    for (size_t i = 0; i < count; i++) {
        if (r[i].type == STORE_STRING) {
            r[i].text = to + (r[i].text - from);
        } else if (r[i].type == STORE_ARRAY) {
            r[i].items = (struct store_reply *)(void *)(to + ((const char *)r[i].items - from));
        }
    }
}

static bool has_error(const struct store_reply *r, size_t count)
{
    bool has = false;
    for (size_t i = 0; i < count && !has; i++) {
        has = r[i].type == STORE_ERROR || (r[i].type == STORE_ARRAY && has_error(r[i].items, r[i].count));
    }
    return has;
}

/* --- finding and keeping ------------------------------------------------------------------------------------------- */

static bool is_true_still(struct memo *m, struct memory *kept, size_t commands)
{
    if (clock_monotonic_us() - kept->made_us > (uint64_t)MEMO_SECONDS * 1000000) {
        return false;
    }
    for (size_t i = 0; i < kept->place_count; i++) {
        if (watch_has_changed(m->watch, places_of(kept)[i], kept->token)) {
            return false;
        }
    }
    for (size_t i = 0; i < commands; i++) {
        if (watch_bucket_has_changed(m->watch, buckets_of(kept)[i], kept->token)) {
            return false;
        }
    }
    return true;
}

/* What is made of these answers is true as long as they are. */
static void add_sources(struct memo *m, struct memory *kept, size_t commands)
{
    source_until(kept->made_us + (uint64_t)MEMO_SECONDS * 1000000);
    watch_add_sources(m->watch, kept->token);
    for (size_t i = 0; i < kept->place_count; i++) {
        watch_add_place(m->watch, places_of(kept)[i], kept->token);
    }
    for (size_t i = 0; i < commands; i++) {
        watch_add_bucket(m->watch, buckets_of(kept)[i], kept->token);
    }
}

static void give(struct memory *kept, struct store_batch *b)
{
    const struct store_reply *from = replies_of(kept, b->count);
    size_t size = kept->reply_count * sizeof(*from) + kept->text_size;
    struct store_reply *to = arena_alloc(b->arena, size);
    memcpy(to, from, size);
    move_replies(to, kept->reply_count, (const char *)from, (char *)to);
    b->replies = to;
    b->mark = 0; /* read before now: no cache may take it for newer than what was heard meanwhile */
}

bool memo_find(struct memo *m, struct store_batch *b)
{
    if (!m || !b->keeps || !b->count) {
        return false;
    }
    b->memo_token = watch_token(m->watch);
    struct memory *kept = watch_is_trusted(m->watch) ? kept_find(m->kept, b->wire.data, b->wire.length) : NULL;
    bool found = kept && is_true_still(m, kept, b->count);
    if (found) {
        add_sources(m, kept, b->count);
        give(kept, b);
    }
    if (kept) {
        kept_release(kept);
    }
    atomic_fetch_add(found ? &m->given : &m->asked, 1);
    return found;
}

/* Whether the answers can be kept: of keys of which all changes are heard. */
static bool is_worth_keeping(struct memo *m, const struct store_batch *b, struct memo_keys *keys)
{
    if (!m || !b->keeps || has_error(b->replies, b->count) || !find_keys(b, keys)) {
        return false;
    }
    bool is_heard = true;
    for (size_t i = 0; i < keys->count; i++) { /* each of them: what is not heard of is from now on */
        is_heard &= watch_hears(m->watch, keys->words[i].text, keys->words[i].length, b->memo_token);
    }
    return is_heard;
}

void memo_keep(struct memo *m, const struct store_batch *b)
{
    struct memo_keys keys;
    if (!is_worth_keeping(m, b, &keys)) {
        source_unknown();
        return;
    }
    struct memory head = {.token = b->memo_token, .made_us = clock_monotonic_us(), .place_count = keys.count};
    measure_replies(b->replies, b->count, &head.reply_count, &head.text_size);
    size_t numbers = size_of_numbers(keys.count, b->count);
    struct memory *kept = kept_room(b->wire.data, b->wire.length,
                                    numbers + head.reply_count * sizeof(struct store_reply) + head.text_size);
    *kept = head;
    for (size_t i = 0; i < keys.count; i++) {
        places_of(kept)[i] = watch_place(keys.words[i].text, keys.words[i].length);
    }
    for (size_t i = 0; i < b->count; i++) {
        buckets_of(kept)[i] = b->items[i].bucket;
    }
    struct store_reply *replies = replies_of(kept, b->count);
    struct packer packer = {replies + b->count, (char *)(replies + head.reply_count)};
    pack_replies(&packer, replies, b->replies, b->count);
    add_sources(m, kept, b->count);
    kept_add(m->kept, kept);
    kept_release(kept);
}

static void note_command(struct memo *m, const struct store_batch *b, size_t i)
{
    struct words words = command_words(b, i);
    struct word w;
    int script = b->items[i].script;
    bool only_reads = script != BATCH_NO_SCRIPT && script_info((enum script)script)->reads;
    if (!next_word(&words, &w) || only_reads || is_plain_read(w)) {
        return;
    }
    while (next_word(&words, &w)) {
        if (is_key(b, w)) {
            watch_note(m->watch, watch_place(w.text, w.length));
        }
    }
    if (script != BATCH_NO_SCRIPT && script_info((enum script)script)->roams) {
        watch_note_bucket(m->watch, b->items[i].bucket);
    }
}

void memo_note(struct memo *m, const struct store_batch *b)
{
    for (size_t i = 0; m && i < b->count; i++) {
        note_command(m, b, i);
    }
}

/* --- beginning and end --------------------------------------------------------------------------------------------- */

struct memo *memo_new(struct watch *w, size_t bytes)
{
    struct memo *m = mem_alloc(sizeof(*m));
    *m = (struct memo){.watch = w, .kept = kept_new(bytes)};
    return m;
}

void memo_end(struct memo *m)
{
    watch_end(m->watch);
}

void memo_free(struct memo *m)
{
    if (m) {
        key_watch_free(m->watch);
        kept_free(m->kept);
        free(m);
    }
}

void memo_count(struct memo *m, struct kept_numbers *out)
{
    kept_count(m ? m->kept : NULL, out);
    out->hits = m ? atomic_load(&m->given) : 0;
    out->misses = m ? atomic_load(&m->asked) : 0;
}
