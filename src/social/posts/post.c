/* post.c - loading posts: from the cache, else from the engine, always with the author. Any thread. */
#include "social/people/user_numbers.h"
#include "social/posts/post.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

static void parse_mentions(struct arena *a, const char *text, struct post *p)
{
    p->mention_count = 0;
    p->mentions = NULL;
    if (!*text) {
        return;
    }
    p->mentions = arena_alloc(a, POST_MENTIONS_MAX * sizeof(*p->mentions));
    while (*text && p->mention_count < POST_MENTIONS_MAX) {
        size_t length = strcspn(text, " ");
        const char *colon = memchr(text, ':', length);
        if (colon) {
            struct post_mention *m = &p->mentions[p->mention_count];
            m->name = arena_dup_n(a, text, (size_t)(colon - text));
            m->uid = id_parse_n(colon + 1, length - (size_t)(colon + 1 - text));
            p->mention_count += m->uid != 0;
        }
        text += length + (text[length] == ' ');
    }
}

const char *post_author_text(struct arena *a, uint64_t uid, const char *name)
{
    return arena_printf(a, "%llu:%s", (unsigned long long)uid, name);
}

const char *post_mentions_text(struct arena *a, const struct post_mention *mentions, size_t count)
{
    struct buffer out = buffer_make(a);
    for (size_t i = 0; i < count; i++) {
        char digits[ID_SIZE];
        buffer_printf(&out, "%s%s:%s", i ? " " : "", mentions[i].name, id_write(mentions[i].uid, digits));
    }
    return buffer_string(&out);
}

static uint64_t parse_author(const char *text, const char **name)
{
    size_t length = strcspn(text, ":");
    *name = text[length] ? text + length + 1 : "";
    return id_parse_n(text, length);
}

static const char *const visibility_words[] = {
#define X(id, word) [VISIBILITY_##id] = word,
    VISIBILITY_TABLE(X)
#undef X
};

const char *post_visibility_word(enum visibility v)
{
    return visibility_words[v];
}

enum visibility post_visibility_of(const char *word)
{
    enum visibility v = 0;
    while (v < VISIBILITIES && strcmp(visibility_words[v], word) != 0) {
        v++;
    }
    return v;
}

/* What a later version means by a word that this one does not know is for as few as possible. */
static enum visibility recorded_visibility(const char *word)
{
    enum visibility v = word && *word ? post_visibility_of(word) : VISIBILITY_PUBLIC;
    return v < VISIBILITIES ? v : VISIBILITY_DIRECT;
}

bool post_is_for_all(const struct post *p)
{
    return p->visibility == VISIBILITY_PUBLIC || p->visibility == VISIBILITY_UNLISTED;
}

bool post_is_sensitive(const struct post *p)
{
    return p->is_sensitive || *p->spoiler;
}

bool post_addresses(const struct post *p, uint64_t uid)
{
    bool is_mentioned = false;
    for (size_t i = 0; i < p->mention_count; i++) {
        is_mentioned |= p->mentions[i].uid == uid;
    }
    return uid && (is_mentioned || p->reply_author == uid);
}

void post_from_record(struct arena *a, uint64_t id, const struct record_post *r, struct post *out)
{
    *out = (struct post){
        .id = id, .author = {.id = r->author}, .text = r->text, .reply_to = r->reply_to, .thread = r->thread};
    out->visibility = recorded_visibility(r->visibility);
    out->spoiler = r->spoiler ? r->spoiler : "";
    out->language = r->language ? r->language : "";
    out->place = r->place ? r->place : "";
    out->app = r->app ? r->app : "";
    out->is_sensitive = r->sensitive;
    out->boost = r->boost;
    out->reply_author = parse_author(r->reply_author ? r->reply_author : "", &out->reply_name);
    out->boost_author = parse_author(r->boost_author ? r->boost_author : "", &out->boost_name);
    out->edited_ms = r->edited > 0 ? (uint64_t)r->edited : 0;
    parse_mentions(a, r->mentions ? r->mentions : "", out);
}

static void post_unpack(struct arena *a, uint64_t id, const void *packed, struct post *out)
{
    struct record_post record;
    record_unpack(RECORD_POST, packed, &record);
    post_from_record(a, id, &record, out);
}

bool post_recall_whole(struct social *s, struct arena *a, uint64_t id, struct post *out)
{
    size_t size;
    const void *packed = cache_get(s->cache, CACHE_POST, id, a, &size);
    if (packed) {
        post_unpack(a, id, packed, out);
    }
    return packed && user_cache_get(s, a, out->author.id, &out->author);
}

struct post_recalled post_recall(struct social *s, struct arena *a, uint64_t id)
{
    size_t size;
    struct record_post record = {.boost = 0};
    const void *packed = cache_get(s->cache, CACHE_POST, id, a, &size);
    if (packed) {
        record_unpack(RECORD_POST, packed, &record);
    }
    return (struct post_recalled){packed != NULL, record.boost};
}

void post_remember(struct social *s, struct arena *a, uint64_t id, const struct record_post *r,
                   const struct post_counts *counts, uint64_t token)
{
    size_t size;
    const void *packed = record_pack(a, RECORD_POST, r, &size);
    cache_put(s->cache, CACHE_POST, id, packed, size, token);
    cache_put(s->cache, CACHE_COUNTS, id, counts, sizeof(*counts), token);
}

static void take_counts(struct post *p, const struct post_counts *counts)
{
    p->reply_count = counts->replies;
    p->favourite_count = counts->favourites;
    p->boost_count = counts->boosts;
}

/* Asks for what the cache lacks of a post that it has: its author, its counts. */
static void add_missing(struct social *s, struct store_batch *b, struct arena *a, struct post_load *l)
{
    l->author_cached = user_cache_get(s, a, l->post.author.id, &l->post.author);
    if (!l->author_cached) {
        l->author_reply = user_add(b, l->post.author.id);
    }
    size_t size;
    const struct post_counts *counts = l->afresh ? NULL : cache_get(s->cache, CACHE_COUNTS, l->id, a, &size);
    l->counts_cached = counts || l->post.boost; /* nobody answers a boost: all is done with what it boosts */
    if (counts) {
        take_counts(&l->post, counts);
    } else if (!l->counts_cached) {
        l->counts_reply = store_command(b, id_bucket(l->id), "ZCARD", key_id(a, KEY_REPLIES, l->id), NULL);
        store_command(b, id_bucket(l->id), "ZCARD", key_id(a, KEY_FAVOURITES, l->id), NULL);
        store_command(b, id_bucket(l->id), "ZCARD", key_id(a, KEY_BOOSTS, l->id), NULL);
    }
}

void post_load_add(struct social *s, struct store_batch *b, struct arena *a, struct post_load *loads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct post_load *l = &loads[i];
        size_t size;
        const void *packed = cache_get(s->cache, CACHE_POST, l->id, a, &size);
        l->cached = packed != NULL;
        if (packed) {
            post_unpack(a, l->id, packed, &l->post);
            add_missing(s, b, a, l);
        } else {
            l->reply = script_post_read_add(b, &(struct script_post_read){.id = l->id, .numbers = l->numbers});
        }
    }
}

/* A post that came from post_read.lua. */
static void take_read(struct social *s, const struct store_batch *b, struct arena *a, struct post_load *l)
{
    struct script_post_read_reply r;
    uint64_t token = store_batch_marked(b);
    memset(&l->post, 0, sizeof(l->post));
    if (!script_post_read_take(store_reply(b, l->reply), &r)) {
        return;
    }
    struct post *p = &l->post;
    post_from_record(a, l->id, &r.post, p);
    user_from_record(&r.user, r.post.author, &p->author);
    user_cache_put(s, a, r.post.author, &r.user, token);
    p->author.numbers = user_numbers_take(s, a, r.post.author, r.of_author, token);
    const struct post_counts counts = {r.replies, r.favourites, r.boosts};
    post_remember(s, a, l->id, &r.post, &counts, token);
    take_counts(p, &counts);
}

static void take_missing(struct social *s, const struct store_batch *b, struct post_load *l)
{
    if (!l->author_cached) {
        user_take(s, b, l->author_reply, l->post.author.id, &l->post.author);
    }
    if (!l->counts_cached) {
        const struct post_counts counts = {store_integer(store_reply(b, l->counts_reply)),
                                           store_integer(store_reply(b, l->counts_reply + 1)),
                                           store_integer(store_reply(b, l->counts_reply + 2))};
        take_counts(&l->post, &counts);
        cache_put(s->cache, CACHE_COUNTS, l->id, &counts, sizeof(counts), store_batch_marked(b));
    }
}

void post_load_take(struct social *s, const struct store_batch *b, struct arena *a, struct post_load *loads,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct post_load *l = &loads[i];
        if (!l->cached) {
            take_read(s, b, a, l);
        } else {
            take_missing(s, b, l);
        }
        l->post.id = l->post.author.id && !l->post.author.is_deleted ? l->id : 0;
    }
}
