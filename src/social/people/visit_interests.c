/* visit_interests.c - see visit_interests.h. One thread at a time per visit. */
#include "social/people/visit_interests.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* The cached form: the tags, a NUL behind each. */
struct packed_interests {
    uint64_t version, count;
    char text[];
};

static const struct packed_interests *interests_pack(struct arena *a, uint64_t version, const struct store_reply *tags,
                                                     size_t *size)
{
    size_t bytes = 0;
    for (size_t i = 0; i < tags->count; i++) {
        bytes += strlen(store_text(&tags->items[i])) + 1;
    }
    *size = sizeof(struct packed_interests) + bytes;
    struct packed_interests *p = arena_alloc(a, *size);
    *p = (struct packed_interests){version, tags->count};
    char *end = p->text;
    for (size_t i = 0; i < tags->count; i++) {
        size_t length = strlen(store_text(&tags->items[i])) + 1;
        memcpy(end, store_text(&tags->items[i]), length);
        end += length;
    }
    return p;
}

/* The visitor's are these. */
static void interests_use(struct visit *v, const struct packed_interests *p)
{
    struct visit_interests *x = &v->interests;
    const char **tags = arena_alloc(v->arena, ((size_t)p->count + 1) * sizeof(*tags));
    const char *at = p->text;
    for (size_t i = 0; i < p->count; i++) {
        tags[i] = at;
        at += strlen(at) + 1;
    }
    x->tags = tags;
    x->count = (size_t)p->count;
    x->guessed_version = p->version;
}

static void ask_interests(struct visit *v)
{
    v->interests.is_asked = true;
    v->interests.reply = store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE",
                                       key_id(v->arena, KEY_INTERESTS, v->claimed), "0", "-1", NULL);
}

static enum err take_interests(struct visit *v, void *unused)
{
    (void)unused;
    struct visit_interests *x = &v->interests;
    const struct store_reply *r = visit_reply(v, x->reply);
    size_t size;
    const struct packed_interests *p = interests_pack(v->arena, x->version, r, &size);
    interests_use(v, p);
    x->is_known = true;
    cache_put(v->social->cache, CACHE_INTERESTS, v->claimed, p, size, store_batch_marked(v->reads.answers));
    return ERR_OK;
}

/* The version is known: the set is in hand, or remembered as it is, or asked for with the next round. */
static void settle_interests(struct visit *v)
{
    struct visit_interests *x = &v->interests;
    if (x->tags && x->guessed_version == x->version) {
        x->is_known = true;
    } else if (x->is_asked) {
        take_interests(v, NULL);
    } else if (x->version == 0) {
        visit_interests_none(v);
    } else {
        ask_interests(v);
        visit_then(v, take_interests, NULL);
    }
}

void visit_interests_settle(struct visit *v, uint64_t version)
{
    v->interests.version = version;
    if (v->interests.is_wanted) {
        settle_interests(v);
    }
}

void visit_interests_none(struct visit *v)
{
    v->interests = (struct visit_interests){.is_wanted = true, .is_known = true};
}

void visit_want_interests(struct visit *v)
{
    struct visit_interests *x = &v->interests;
    if (!v->claimed || x->is_wanted) {
        return;
    }
    x->is_wanted = true;
    size_t size;
    const struct packed_interests *p = cache_get(v->social->cache, CACHE_INTERESTS, v->claimed, v->arena, &size);
    if (p) {
        interests_use(v, p);
    }
    if (v->is_known) {
        settle_interests(v);
    } else { /* what is remembered may be old, and then there is a round less to wait for */
        ask_interests(v);
    }
}

bool visit_interests_are_known(const struct visit *v)
{
    return v->interests.is_known;
}

const char *const *visit_interests(const struct visit *v, size_t *count)
{
    *count = v->interests.count;
    return v->interests.tags;
}

bool visit_is_interested(const struct visit *v, const char *tag)
{
    bool is = false;
    for (size_t i = 0; i < v->interests.count && !is; i++) {
        is = strcmp(v->interests.tags[i], tag) == 0;
    }
    return is;
}

void visit_interests_remember(struct social *s, const struct store_batch *b, uint64_t uid, uint64_t version,
                              const struct store_reply *tags)
{
    struct arena *a = arena_new();
    size_t size;
    const struct packed_interests *p = interests_pack(a, version, tags, &size);
    cache_put(s->cache, CACHE_INTERESTS, uid, p, size, store_batch_marked(b));
    arena_free(a);
}
