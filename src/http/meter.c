/* meter.c - see meter.h. Any thread.
 *
 * A hash table of sets of WAYS slots, without chains: a caller's hash says the set, and the set is searched. The hash
 * is keyed (secret_spread), so nobody can choose addresses that meet in one. Each lock is for the sets of a shard.
 */
#include "http/meter.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mutex.h"
#include "base/panic.h"

#define WAYS 8
#define SHARDS 64

struct slot {
    uint64_t who;
    uint64_t until; /* in the past: the slot is free */
};

struct meter {
    size_t sets; /* a power of two */
    pthread_mutex_t locks[SHARDS];
    struct slot slots[];
};

struct meter *meter_new(size_t slots)
{
    size_t sets = slots / WAYS;
    require(sets >= SHARDS && (sets & (sets - 1)) == 0);
    struct meter *m = mem_zero(1, sizeof(*m) + slots * sizeof(struct slot));
    m->sets = sets;
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&m->locks[i], NULL);
    }
    return m;
}

void meter_free(struct meter *m)
{
    if (m) {
        for (size_t i = 0; i < SHARDS; i++) {
            pthread_mutex_destroy(&m->locks[i]);
        }
        free(m);
    }
}

static pthread_mutex_t *lock_of(struct meter *m, uint64_t who)
{
    return &m->locks[who & (SHARDS - 1)];
}

/* The caller's slot, NULL if he has none. The lock is held. */
static struct slot *meter_find(struct meter *m, uint64_t who)
{
    struct slot *set = &m->slots[(who & (m->sets - 1)) * WAYS];
    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].who == who) {
            return &set[i];
        }
    }
    return NULL;
}

/* His slot, or the slot of the caller who has used least, which becomes his. */
static struct slot *meter_take_slot(struct meter *m, uint64_t who)
{
    struct slot *set = &m->slots[(who & (m->sets - 1)) * WAYS], *found = meter_find(m, who);
    if (found) {
        return found;
    }
    found = set;
    for (size_t i = 1; i < WAYS; i++) {
        found = set[i].until < found->until ? &set[i] : found;
    }
    *found = (struct slot){.who = who};
    return found;
}

static uint64_t interval_us(const struct config_limit *l)
{
    return (uint64_t)l->seconds * 1000000 / l->count;
}

uint64_t meter_used(struct meter *m, uint64_t caller, uint64_t now)
{
    mutex_lock(lock_of(m, caller));
    const struct slot *s = meter_find(m, caller);
    uint64_t used = s && s->until > now ? s->until - now : 0;
    mutex_unlock(lock_of(m, caller));
    return used;
}

uint64_t meter_left(uint64_t used, const struct config_limit *l)
{
    uint64_t window = (uint64_t)l->seconds * 1000000;
    return l->count && used < window ? (window - used) / interval_us(l) : 0;
}

uint64_t meter_wait(struct meter *m, uint64_t caller, const struct config_limit *l, uint64_t now)
{
    uint64_t window = (uint64_t)l->seconds * 1000000;
    if (l->count == 0) {
        return window;
    }
    uint64_t after = meter_used(m, caller, now) + interval_us(l);
    return after > window ? after - window : 0;
}

void meter_add(struct meter *m, uint64_t caller, const struct config_limit *l, uint64_t now)
{
    if (l->count == 0) {
        return;
    }
    mutex_lock(lock_of(m, caller));
    struct slot *s = meter_take_slot(m, caller);
    s->until = (s->until > now ? s->until : now) + interval_us(l);
    mutex_unlock(lock_of(m, caller));
}

void meter_keep(struct meter *m, uint64_t member, uint64_t until)
{
    mutex_lock(lock_of(m, member));
    meter_take_slot(m, member)->until = until;
    mutex_unlock(lock_of(m, member));
}

bool meter_has(struct meter *m, uint64_t member, uint64_t now)
{
    mutex_lock(lock_of(m, member));
    const struct slot *s = meter_find(m, member);
    bool has = s && s->until > now;
    mutex_unlock(lock_of(m, member));
    return has;
}

void meter_drop(struct meter *m, uint64_t member)
{
    mutex_lock(lock_of(m, member));
    struct slot *s = meter_find(m, member);
    if (s) {
        *s = (struct slot){0};
    }
    mutex_unlock(lock_of(m, member));
}
