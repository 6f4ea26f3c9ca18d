/* social.c - the context, and the key that signs forms. Threads: see social.h. */
#include "social/core/social.h"

#include <stdlib.h>
#include <string.h>

#include "base/kept.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/panic.h"
#include "base/secret.h"
#include "config/config.h"
#include "config/settings.h"
#include "social/core/cache.h"
#include "store/store.h"

/* A key that was in use may still be read by a request, so it stays until the end. There are hardly ever more than
 * two. */
struct social_key {
    const struct social_key *before;
    unsigned char bytes[32];
};

/* Called by one thread at a time: see social_enter_epoch. */
static void set_key(struct social *s, const unsigned char bytes[32])
{
    const struct social_key *now = atomic_load(&s->key);
    if (!now || memcmp(now->bytes, bytes, sizeof(now->bytes)) != 0) {
        struct social_key *next = mem_alloc(sizeof(*next));
        next->before = now;
        memcpy(next->bytes, bytes, sizeof(next->bytes));
        atomic_store(&s->key, next);
    }
}

static void free_keys(struct social *s)
{
    for (const struct social_key *k = atomic_load(&s->key), *before; k; k = before) {
        before = k->before;
        secret_wipe((void *)k->bytes, sizeof(k->bytes));
        free((void *)k);
    }
}

const unsigned char *social_key(const struct social *s)
{
    return atomic_load(&s->key)->bytes;
}

void social_take_key(struct social *s, const char *text)
{
    unsigned char bytes[32];
    if (secret_key_read(text, bytes)) {
        set_key(s, bytes);
    } else if (*text) {
        log_error("social", "the key kept with the data is damaged: forms of other servers are not accepted here");
    }
    secret_wipe(bytes, sizeof(bytes));
}

struct social *social_open(const struct config *c, struct settings_store *settings, struct store *store,
                           const struct social_parts *parts)
{
    struct social *s = mem_zero(1, sizeof(*s));
    s->config = c;
    s->settings = settings;
    s->store = store;
    s->parts = parts;
    s->cache = cache_new((size_t)c->posts.cache * 1024 * 1024);
    const struct settings *now = settings_get(settings);
    set_key(s, now->secret_key);
    settings_release(settings, now);
    return s;
}

void social_close(struct social *s)
{
    if (!s) {
        return;
    }
    cache_free(s->cache);
    free_keys(s);
    free(s);
}

struct store_batch *social_batch(struct social *s, struct arena *a)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_batch_mark(b, cache_token(s->cache));
    return b;
}

void social_measure(struct social *s)
{
    struct cache_numbers cache;
    cache_count(s->cache, &cache);
    metric_set(METRIC_CACHE_HITS, cache.hits);
    metric_set(METRIC_CACHE_MISSES, cache.misses);
    metric_set(METRIC_CACHE_ENTRIES, cache.entries);
    metric_set(METRIC_CACHE_BYTES, cache.bytes);
    metric_set(METRIC_CACHE_TRUSTED, cache_is_trusted(s->cache));
    struct kept_numbers answers;
    store_remembered(s->store, &answers);
    metric_set(METRIC_ANSWERS_HITS, answers.hits);
    metric_set(METRIC_ANSWERS_MISSES, answers.misses);
    metric_set(METRIC_ANSWERS_ENTRIES, answers.entries);
    metric_set(METRIC_ANSWERS_BYTES, answers.bytes);
}
