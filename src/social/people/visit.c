/* visit.c - see visit.h. One thread at a time per visit. */
#include "social/people/visit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "config/config.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/session.h"
#include "store/keys.h"
#include "store/store.h"

#define SEEN_EVERY_MS (3600u * 1000)
#define MS_PER_DAY 86400000u

/* The cached form of a following set. */
struct packed_following {
    uint64_t version, count;
    uint64_t ids[];
};

/* Begins the first batch of a visit whose `claimed` and `session` are set. */
static struct visit *begin(struct visit *v, struct social *s, struct arena *a)
{
    v->social = s;
    v->arena = a;
    v->batch = v->first = social_batch(s, a);
    v->home.stamp = "";
    v->changes = social_changes_add(s, v->batch, a);
    if (v->claimed) {
        unsigned bucket = id_bucket(v->claimed);
        v->session_reply = store_command(v->batch, bucket, "HMGET", key_id_text(a, KEY_SESSION, v->claimed, v->session),
                                         "created", "seen", NULL);
        v->state_reply = store_command(v->batch, bucket, "HMGET", key_id(a, KEY_HOMESTATE, v->claimed), "epoch",
                                       "stamp", "build", "mark", "version", NULL);
        v->asked_user = !user_cache_get(s, a, v->claimed, &v->claimant);
        if (v->asked_user) {
            v->user_reply = user_add(v->batch, a, v->claimed);
        }
    }
    return v;
}

struct visit *visit_begin(struct social *s, struct arena *a, const char *cookie)
{
    struct visit *v = arena_zero(a, sizeof(*v));
    if (!session_parse(cookie, &v->claimed, v->session)) {
        v->claimed = 0;
    }
    return begin(v, s, a);
}

struct visit *visit_begin_as(struct social *s, struct arena *a, uint64_t uid)
{
    struct visit *v = arena_zero(a, sizeof(*v));
    v->claimed = uid;
    v->is_trusted = true;
    return begin(v, s, a);
}

static void ask_following(struct visit *v)
{
    v->following_batch = v->batch;
    v->following_reply = store_command(v->batch, id_bucket(v->claimed), "ZRANGE",
                                       key_id(v->arena, KEY_FOLLOWING, v->claimed), "0", "-1", NULL);
}

void visit_want_following(struct visit *v)
{
    if (!v->claimed || v->wants_following) {
        return;
    }
    v->wants_following = true;
    size_t size;
    const struct packed_following *f = cache_get(v->social->cache, CACHE_FOLLOWING, v->claimed, v->arena, &size);
    if (f) {
        v->cached_version = f->version;
        v->following = f->ids;
        v->following_count = (size_t)f->count;
    } else {
        ask_following(v);
    }
}

static int compare_ids(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

static void take_following(struct visit *v, uint64_t version)
{
    const struct store_reply *r = store_reply(v->following_batch, v->following_reply);
    uint64_t token = store_batch_marked(v->following_batch);
    v->following_batch = NULL;
    if (r->type != STORE_ARRAY) {
        return;
    }
    size_t size = sizeof(struct packed_following) + r->count * sizeof(uint64_t);
    struct packed_following *f = arena_alloc(v->arena, size);
    f->version = version;
    f->count = r->count;
    for (size_t i = 0; i < r->count; i++) {
        f->ids[i] = id_parse(store_text(&r->items[i]));
    }
    qsort(f->ids, r->count, sizeof(uint64_t), compare_ids);
    v->following = f->ids;
    v->following_count = r->count;
    v->following_known = true;
    cache_put(v->social->cache, CACHE_FOLLOWING, v->claimed, f, size, token);
}

/* Once in a while writes down that the session is in use; the reply is nobody's business. */
static void refresh_session(struct visit *v, uint64_t created, uint64_t seen)
{
    uint64_t now = clock_site_ms();
    uint64_t end = created + (uint64_t)v->social->config->session.lifetime_days * MS_PER_DAY;
    if (now < seen + SEEN_EVERY_MS || end <= now) {
        return;
    }
    uint64_t idle = (uint64_t)v->social->config->session.idle_days * MS_PER_DAY;
    const char *key = key_id_text(v->arena, KEY_SESSION, v->claimed, v->session);
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    store_command(b, id_bucket(v->claimed), "HSET", key, "seen",
                  arena_printf(v->arena, "%llu", (unsigned long long)now), NULL);
    store_command(b, id_bucket(v->claimed), "PEXPIRE", key,
                  arena_printf(v->arena, "%llu", (unsigned long long)(end - now < idle ? end - now : idle)), NULL);
    store_send(b);
}

/* Believes the cookie if its session exists, is not too old, and its user is there. */
static bool take_session(struct visit *v)
{
    const struct store_reply *r = store_reply(v->first, v->session_reply);
    uint64_t created = (uint64_t)store_integer(store_item(r, 0));
    uint64_t lifetime = (uint64_t)v->social->config->session.lifetime_days * MS_PER_DAY;
    if (!v->is_trusted && (!created || clock_site_ms() > created + lifetime)) {
        return false;
    }
    if (v->asked_user && !user_take(v->social, v->first, v->user_reply, v->claimed, &v->claimant)) {
        return false;
    }
    if (!v->is_trusted) {
        refresh_session(v, created, (uint64_t)store_integer(store_item(r, 1)));
    }
    return !v->claimant.is_deleted;
}

static void take_state(struct visit *v)
{
    const struct store_reply *r = store_reply(v->first, v->state_reply);
    v->home.epoch = (uint64_t)store_integer(store_item(r, 0));
    v->home.stamp = store_text(store_item(r, 1));
    v->home.must_build = store_integer(store_item(r, 2)) != 0;
    v->home.mark_ms = (uint64_t)store_integer(store_item(r, 3));
    uint64_t version = (uint64_t)store_integer(store_item(r, 4));
    if (!v->wants_following) {
        return;
    }
    if (v->following_batch) {
        take_following(v, version);
    } else if (v->cached_version == version) {
        v->following_known = true;
    } else {
        v->cached_version = version;
        ask_following(v); /* changed meanwhile: with the second round trip */
    }
}

/* The claimant's record came out of the cache before the change log was known. If it has left the cache since, it is
 * read anew: whoever was just made administrator, or is none any more, is so for this request already. */
static enum err renew_claimant(struct visit *v)
{
    if (!v->claimed || v->asked_user || user_cache_get(v->social, v->arena, v->claimed, &v->claimant)) {
        return ERR_OK;
    }
    struct store_batch *b = social_batch(v->social, v->arena);
    size_t reply = user_add(b, v->arena, v->claimed);
    enum err e = store_run(b);
    if (e == ERR_OK && !user_take(v->social, b, reply, v->claimed, &v->claimant)) {
        v->claimant.is_deleted = true;
    }
    return e;
}

/* The cookie was nobody's. Of what was asked and found for it nothing stays, not even a reply number: from here on the visit
 * is one that came without a cookie. */
static void become_nobody(struct visit *v)
{
    *v = (struct visit){.social = v->social,
                        .arena = v->arena,
                        .batch = v->batch,
                        .is_second = true,
                        .home.stamp = "",
                        .following_known = true};
}

static enum err take_first(struct visit *v)
{
    social_changes_take(v->social, v->first, &v->changes);
    store_batch_mark(v->batch, cache_token(v->social->cache)); /* the next one, which was made before that */
    enum err e = renew_claimant(v);
    if (e != ERR_OK) {
        return e;
    }
    if (!v->claimed || !take_session(v)) {
        become_nobody(v);
        return ERR_OK;
    }
    v->viewer = v->claimant;
    take_state(v);
    return ERR_OK;
}

void visit_require(struct visit *v, enum who who)
{
    v->who = who;
}

static enum err admit(const struct user *viewer, enum who who)
{
    if (who != WHO_ANYONE && !viewer->id) {
        return ERR_UNAUTHORIZED;
    }
    return who == WHO_ADMINISTRATOR && !viewer->is_admin ? ERR_FORBIDDEN : ERR_OK;
}

enum err visit_run(struct visit *v)
{
    enum err e = store_run(v->batch);
    v->batch = social_batch(v->social, v->arena);
    if (e != ERR_OK) {
        return e;
    }
    if (!v->is_second) {
        v->is_second = true;
        enum who who = v->who; /* become_nobody forgets it */
        e = take_first(v);
        return e == ERR_OK ? admit(&v->viewer, who) : e;
    }
    if (v->following_batch) {
        take_following(v, v->cached_version);
    }
    return ERR_OK;
}

bool visit_follows(const struct visit *v, uint64_t uid)
{
    return v->following_count > 0 && bsearch(&uid, v->following, v->following_count, sizeof(uid), compare_ids) != NULL;
}
