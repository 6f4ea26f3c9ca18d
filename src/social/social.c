/* social.c - the context, the timeline epoch and the change log. Threads: see social.h. */
#include "social/social.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "base/secret.h"
#include "config/config.h"
#include "config/settings.h"
#include "social/cache.h"
#include "social/celebrity.h"
#include "social/job.h"
#include "social/user.h"
#include "store/keys.h"
#include "store/store.h"

#define CHANGES_READ "256"   /* more than this between two pages: forget everything */
#define CHANGES_KEPT "10000" /* length of the change log */

static const char *const mode_names[] = {[CONFIG_PUSH] = "push", [CONFIG_PULL] = "pull", [CONFIG_HYBRID] = "hybrid"};

/* One that was in use may still be read by a request, so it stays until the end. There are hardly ever more than two. */
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

/* The key that the data have. */
static void take_key(struct social *s, const char *text)
{
    unsigned char bytes[32];
    if (secret_key_read(text, bytes)) {
        set_key(s, bytes);
    } else if (*text) {
        log_error("social", "the key kept with the data is damaged: forms of other servers are not accepted here");
    }
    secret_wipe(bytes, sizeof(bytes));
}

struct social *social_open(const struct config *c, struct settings_store *settings, struct store *store)
{
    struct social *s = mem_zero(1, sizeof(*s));
    s->config = c;
    s->settings = settings;
    s->store = store;
    s->celebrities = celebrity_open();
    s->cache = cache_new((size_t)c->posts.cache * 1024 * 1024);
    pthread_mutex_init(&s->change_lock, NULL);
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
    celebrity_close(s->celebrities);
    free_keys(s);
    pthread_mutex_destroy(&s->change_lock);
    free(s);
}

/* An engine that refuses writes still has the epoch, and pages can be read. */
static enum err read_epoch(struct social *s, struct arena *a, const char *site, const char *mode)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, KEY_GLOBAL_BUCKET, "HMGET", site, "mode", "epoch", "key", NULL);
    enum err e = store_run(b);
    const struct store_reply *r = store_reply(b, 0);
    if (e == ERR_OK && strcmp(store_text(store_item(r, 0)), mode) != 0) {
        e = ERR_READ_ONLY; /* in another mode than before: the new epoch has to be written */
    }
    if (e == ERR_OK) {
        take_key(s, store_text(store_item(r, 2)));
        atomic_store(&s->epoch, (uint64_t)strtoull(store_text(store_item(r, 1)), NULL, 10));
    }
    return e;
}

enum err social_enter_epoch(struct social *s)
{
    struct arena *a = arena_new();
    const char *site = key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET);
    const char *keys[] = {site};
    char key[SECRET_KEY_TEXT_SIZE];
    secret_key_write(social_key(s), key);
    const char *arguments[] = {mode_names[s->config->timeline.mode], key};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, KEY_GLOBAL_BUCKET, SCRIPT_EPOCH, 1, keys, 2, arguments);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        take_key(s, store_text(store_item(store_reply(b, 0), 1)));
        atomic_store(&s->epoch, (uint64_t)store_integer(store_item(store_reply(b, 0), 0)));
        celebrity_read(s, a);
    } else if (e == ERR_READ_ONLY) {
        e = read_epoch(s, a, site, arguments[0]);
    }
    arena_free(a);
    return e;
}

static void forget(struct social *s, char kind, uint64_t id, uint64_t change)
{
    switch (kind) {
    case 'p':
        cache_forget(s->cache, CACHE_POST, id, change);
        break;
    case 'r':
        cache_forget(s->cache, CACHE_REPLIES, id, change);
        break;
    case 'u':
        cache_forget(s->cache, CACHE_USER, id, change);
        break;
    case 'c':
        celebrity_forget(s);
        break;
    default: /* of a newer version: better to know nothing than something wrong */
        cache_clear(s->cache, change);
    }
}

void social_announce(struct store_batch *b, struct arena *a, char kind, uint64_t id)
{
    char digits[ID_SIZE];
    char kind_text[2] = {kind, '\0'};
    store_command(b, KEY_GLOBAL_BUCKET, "XADD", key_plain(a, KEY_CHANGES, KEY_GLOBAL_BUCKET), "MAXLEN", "~",
                  CHANGES_KEPT, "0-*", "k", kind_text, "i", id_write(id, digits), NULL);
}

size_t social_changes_add(struct social *s, struct store_batch *b, struct arena *a)
{
    uint64_t known = atomic_load(&s->change);
    cache_know(known);
    const char *after = arena_printf(a, "(0-%llu", (unsigned long long)known);
    return store_command(b, KEY_GLOBAL_BUCKET, "XREVRANGE", key_plain(a, KEY_CHANGES, KEY_GLOBAL_BUCKET), "+", after,
                         "COUNT", CHANGES_READ, NULL);
}

static uint64_t sequence_of(const struct store_reply *entry)
{
    const char *id = store_text(store_item(entry, 0));
    const char *dash = strchr(id, '-');
    return dash ? strtoull(dash + 1, NULL, 10) : 0;
}

static void apply(struct social *s, const struct store_reply *entry)
{
    const struct store_reply *fields = store_item(entry, 1);
    forget(s, store_text(store_field(fields, "k"))[0], id_parse(store_text(store_field(fields, "i"))),
           sequence_of(entry));
}

void social_changes_take(struct social *s, const struct store_batch *b, size_t reply)
{
    const struct store_reply *entries = store_reply(b, reply);
    if (entries->type != STORE_ARRAY || entries->count == 0) {
        return;
    }
    mutex_lock(&s->change_lock);
    uint64_t last = atomic_load(&s->change);
    uint64_t newest = sequence_of(store_item(entries, 0));
    uint64_t oldest = sequence_of(store_item(entries, entries->count - 1));
    if (newest > last) {
        if (oldest > last + 1) {
            cache_clear(s->cache, newest);
            celebrity_forget(s);
        }
        for (size_t i = 0; i < entries->count && sequence_of(store_item(entries, i)) > last; i++) {
            apply(s, store_item(entries, i));
        }
        atomic_store(&s->change, newest);
    }
    cache_know(atomic_load(&s->change));
    mutex_unlock(&s->change_lock);
}

enum err social_measure(struct social *s, struct arena *a)
{
    struct cache_numbers cache;
    cache_count(s->cache, &cache);
    metric_set(METRIC_CACHE_HITS, cache.hits);
    metric_set(METRIC_CACHE_MISSES, cache.misses);
    metric_set(METRIC_CACHE_ENTRIES, cache.entries);
    metric_set(METRIC_CACHE_BYTES, cache.bytes);
    int64_t users = 0;
    enum err e = store_measure(s->store);
    if (e == ERR_OK && (e = user_count_all(s, a, &users)) == ERR_OK) {
        metric_set(METRIC_SITE_USERS, (uint64_t)users);
    }
    return e == ERR_OK ? job_measure(s, a) : e;
}
