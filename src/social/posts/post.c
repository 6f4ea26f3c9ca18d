/* post.c - loading posts: from the cache, else from the engine, always with the author. Any thread. */
#include "social/posts/post.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* The cached form of a post: this, then text, mentions ("name:uid name:uid") and reply_author ("uid:name") as C
 * strings. */
struct packed {
    uint64_t author, reply_to;
    char strings[];
};

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

const char *post_reply_author_text(struct arena *a, uint64_t uid, const char *name)
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

static void parse_reply_author(const char *text, struct post *p)
{
    size_t length = strcspn(text, ":");
    p->reply_author = id_parse_n(text, length);
    p->reply_name = text[length] ? text + length + 1 : "";
}

static void unpack(struct arena *a, const struct packed *packed, struct post *p)
{
    p->author.id = packed->author;
    p->reply_to = packed->reply_to;
    p->text = packed->strings;
    const char *mentions = packed->strings + strlen(packed->strings) + 1;
    parse_mentions(a, mentions, p);
    parse_reply_author(mentions + strlen(mentions) + 1, p);
}

void post_remember(struct social *s, struct arena *a, uint64_t id, const struct record_post *r, int64_t replies,
                   uint64_t token)
{
    size_t text_size = strlen(r->text) + 1, mentions_size = strlen(r->mentions) + 1;
    size_t reply_size = strlen(r->reply_author) + 1;
    struct packed *packed = arena_alloc(a, sizeof(*packed) + text_size + mentions_size + reply_size);
    packed->author = r->author;
    packed->reply_to = r->reply_to;
    memcpy(packed->strings, r->text, text_size);
    memcpy(packed->strings + text_size, r->mentions, mentions_size);
    memcpy(packed->strings + text_size + mentions_size, r->reply_author, reply_size);
    cache_put(s->cache, CACHE_POST, id, packed, sizeof(*packed) + text_size + mentions_size + reply_size, token);
    cache_put(s->cache, CACHE_REPLIES, id, &replies, sizeof(replies), token);
}

/* Asks for the parts of a cached post that the cache lacks: its author, the number of replies. */
static void add_missing(struct social *s, struct store_batch *b, struct arena *a, struct post_load *l)
{
    l->author_cached = user_cache_get(s, a, l->post.author.id, &l->post.author);
    if (!l->author_cached) {
        l->author_reply = user_add(b, l->post.author.id);
    }
    size_t size;
    const int64_t *count = cache_get(s->cache, CACHE_REPLIES, l->id, a, &size);
    l->count_cached = count != NULL;
    if (count) {
        l->post.reply_count = *count;
    } else {
        l->count_reply = store_command(b, id_bucket(l->id), "ZCARD", key_id(a, KEY_REPLIES, l->id), NULL);
    }
}

void post_load_add(struct social *s, struct store_batch *b, struct arena *a, struct post_load *loads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct post_load *l = &loads[i];
        size_t size;
        const struct packed *packed = cache_get(s->cache, CACHE_POST, l->id, a, &size);
        l->cached = packed != NULL;
        if (packed) {
            unpack(a, packed, &l->post);
            add_missing(s, b, a, l);
        } else {
            l->reply = script_post_read_add(b, &(struct script_post_read){l->id});
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
    user_from_record(&r.user, r.post.author, &p->author);
    user_cache_put(s, &p->author, token);
    post_remember(s, a, l->id, &r.post, r.replies, token);
    p->text = r.post.text;
    p->reply_to = r.post.reply_to;
    parse_reply_author(r.post.reply_author, p);
    p->reply_count = r.replies;
    parse_mentions(a, r.post.mentions, p);
}

static void take_missing(struct social *s, const struct store_batch *b, struct post_load *l)
{
    if (!l->author_cached) {
        user_take(s, b, l->author_reply, l->post.author.id, &l->post.author);
    }
    if (!l->count_cached) {
        l->post.reply_count = store_integer(store_reply(b, l->count_reply));
        cache_put(s->cache, CACHE_REPLIES, l->id, &l->post.reply_count, sizeof(l->post.reply_count),
                  store_batch_marked(b));
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

struct post_read {
    struct post_load *loads;
    size_t count;
};

static enum err take_posts_asked(struct visit *v, void *self)
{
    struct post_read *r = self;
    post_load_take(v->social, v->reads.answers, v->arena, r->loads, r->count);
    return ERR_OK;
}

void post_ask(struct visit *v, struct post_load *loads, size_t count)
{
    struct post_read *r = arena_alloc(v->arena, sizeof(*r));
    *r = (struct post_read){loads, count};
    post_load_add(v->social, v->reads.batch, v->arena, loads, count);
    visit_then(v, take_posts_asked, r);
}
