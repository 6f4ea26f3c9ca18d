/* celebrity.c - see celebrity.h. Any thread; one lock guards the copy of the set. */
#include "social/timelines/celebrity.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "social/core/cache.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/user.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

struct celebrities {
    pthread_mutex_t lock;
    uint64_t *ids; /* sorted */
    size_t count;
    uint64_t changes; /* how often celebrity_forget was called */
    uint64_t known;   /* `changes` when the set was read; differs: read again */
};

struct celebrities *celebrity_open(void)
{
    struct celebrities *c = mem_zero(1, sizeof(*c));
    pthread_mutex_init(&c->lock, NULL);
    c->changes = 1;
    return c;
}

void celebrity_close(struct celebrities *c)
{
    pthread_mutex_destroy(&c->lock);
    free(c->ids);
    free(c);
}

enum err celebrity_mark(struct social *s, struct arena *a, uint64_t uid)
{
    char digits[ID_SIZE];
    struct store_batch *set = store_batch_new(s->store, a);
    store_command(set, KEY_GLOBAL_BUCKET, "ZADD", key_plain(a, KEY_CELEBRITIES, KEY_GLOBAL_BUCKET), "NX",
                  arena_printf(a, "%llu", (unsigned long long)clock_site_ms()), id_write(uid, digits), NULL);
    event_add(s, set, a, EVENT_CELEBRITY, uid);
    enum err e = store_run(set);
    if (e != ERR_OK) {
        return e;
    }
    return user_set(s, a, uid, &(struct record_user){.celebrity = true});
}

void celebrity_forget(struct social *s)
{
    struct celebrities *c = s->celebrities;
    mutex_lock(&c->lock);
    c->changes++;
    mutex_unlock(&c->lock);
}

void celebrity_hear(struct social *s, const struct event *e)
{
    if (e->kind == EVENT_CELEBRITY || e->kind == EVENT_ALL) {
        celebrity_forget(s);
    }
}

/* Reads the set; what changes meanwhile is noticed by `changes`. */
static enum err refresh(struct social *s, struct arena *a, uint64_t changes)
{
    struct celebrities *c = s->celebrities;
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, KEY_GLOBAL_BUCKET, "ZRANGE", key_plain(a, KEY_CELEBRITIES, KEY_GLOBAL_BUCKET), "0", "-1", NULL);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    const struct store_reply *r = store_reply(b, 0);
    uint64_t *ids = mem_alloc((r->count + 1) * sizeof(*ids));
    store_list_ids(r, ids);
    qsort(ids, r->count, sizeof(*ids), id_oldest_first);
    mutex_lock(&c->lock);
    if (changes >= c->known) { /* else another thread has read it since */
        free(c->ids);
        c->ids = ids;
        c->count = r->count;
        c->known = changes;
        ids = NULL;
    }
    mutex_unlock(&c->lock);
    free(ids);
    return ERR_OK;
}

enum err celebrity_read(struct social *s, struct arena *a)
{
    mutex_lock(&s->celebrities->lock);
    uint64_t changes = s->celebrities->changes;
    mutex_unlock(&s->celebrities->lock);
    return refresh(s, a, changes);
}

enum err celebrity_among(struct social *s, struct arena *a, const uint64_t *ids, size_t count, uint64_t **out,
                         size_t *found)
{
    struct celebrities *c = s->celebrities;
    mutex_lock(&c->lock);
    uint64_t changes = c->changes;
    bool fresh = c->known == changes && cache_is_trusted(s->cache);
    mutex_unlock(&c->lock);
    enum err e = fresh ? ERR_OK : refresh(s, a, changes);
    *out = arena_alloc(a, (count + 1) * sizeof(**out));
    *found = 0;
    mutex_lock(&c->lock);
    for (size_t i = 0, k = 0; e == ERR_OK && i < count && k < c->count;) {
        if (ids[i] == c->ids[k]) {
            (*out)[(*found)++] = ids[i];
        }
        uint64_t id = ids[i];
        i += id <= c->ids[k];
        k += id >= c->ids[k];
    }
    mutex_unlock(&c->lock);
    return e;
}
