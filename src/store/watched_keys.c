/* watched_keys.c - see watched_keys.h: a hash table with chains, and the wanted ones in a queue. Any thread. */
#include "store/watched_keys.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/panic.h"

#define CHAINS 16384
#define KEYS_MOST 200000   /* about 30 MB, and as much in the engine */
#define LATELY_US 15000000 /* whoever asked for it so lately will ask again, if he did since its last change */
#define SWEEP_US 10000000

enum watched_state { KEY_WANTED, KEY_ASKED, KEY_HEARD };

struct watched_key {
    struct watched_key *chain, *next_wanted;
    uint64_t since;   /* KEY_HEARD */
    uint64_t used_us; /* when somebody asked for it last */
    enum watched_state state;
    bool spoiled; /* KEY_ASKED: a change came meanwhile */
    bool is_used; /* somebody asked for it since the last change of it */
    size_t length;
    char text[];
};

struct watched_keys {
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    struct watched_key *chains[CHAINS];
    struct watched_key *first, *last; /* wanted */
    size_t count;
    uint64_t swept_us;
};

struct watched_keys *watched_keys_new(void)
{
    struct watched_keys *k = mem_zero(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    clock_condition(&k->wanted);
    return k;
}

static void forget_all(struct watched_keys *k)
{
    for (size_t i = 0; i < CHAINS; i++) {
        struct watched_key *next;
        for (struct watched_key *key = k->chains[i]; key; key = next) {
            next = key->chain;
            free(key);
        }
        k->chains[i] = NULL;
    }
    k->first = k->last = NULL;
    k->count = 0;
}

void watched_keys_free(struct watched_keys *k)
{
    if (k) {
        forget_all(k);
        pthread_cond_destroy(&k->wanted);
        pthread_mutex_destroy(&k->lock);
        free(k);
    }
}

/* FNV-1a, with the upper half folded in: what is used is the lower. */
uint64_t watched_key_hash(const char *key, size_t length)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (unsigned char)key[i]) * UINT64_C(0x100000001B3);
    }
    return h ^ h >> 32;
}

static struct watched_key **key_at(struct watched_keys *k, const char *text, size_t length)
{
    struct watched_key **at = &k->chains[watched_key_hash(text, length) % CHAINS];
    while (*at && !((*at)->length == length && memcmp((*at)->text, text, length) == 0)) {
        at = &(*at)->chain;
    }
    return at;
}

static void want(struct watched_keys *k, struct watched_key *key)
{
    key->state = KEY_WANTED;
    key->spoiled = false;
    key->next_wanted = NULL;
    if (k->first) {
        k->last->next_wanted = key;
    } else {
        k->first = key;
    }
    k->last = key;
    pthread_cond_signal(&k->wanted);
}

static struct watched_key *key_new(struct watched_keys *k, struct watched_key **at, const char *text, size_t length)
{
    struct watched_key *key = mem_alloc(sizeof(*key) + length + 1);
    *key = (struct watched_key){.length = length};
    memcpy(key->text, text, length);
    key->text[length] = '\0';
    *at = key;
    k->count++;
    return key;
}

bool watched_keys_find(struct watched_keys *k, const char *text, size_t length, uint64_t token)
{
    mutex_lock(&k->lock);
    struct watched_key **at = key_at(k, text, length);
    struct watched_key *key = *at;
    if (!key && k->count < KEYS_MOST) {
        key = key_new(k, at, text, length);
        want(k, key);
    }
    bool is_heard = key && key->state == KEY_HEARD && key->since <= token;
    if (key) {
        key->is_used = key->state == KEY_HEARD;
        key->used_us = clock_tick_us();
    }
    mutex_unlock(&k->lock);
    return is_heard;
}

static void drop_key(struct watched_keys *k, struct watched_key **at)
{
    struct watched_key *key = *at;
    *at = key->chain;
    k->count--;
    free(key);
}

/* Makes room: those that nobody asked for lately. The engine may still tell of them, and then nobody listens. */
static void sweep_keys(struct watched_keys *k)
{
    uint64_t now = clock_monotonic_us();
    if (now - k->swept_us < SWEEP_US) {
        return;
    }
    k->swept_us = now;
    for (size_t i = 0; i < CHAINS; i++) {
        for (struct watched_key **at = &k->chains[i]; *at;) {
            if ((*at)->state == KEY_HEARD && (*at)->used_us + 4 * LATELY_US < now) {
                drop_key(k, at);
            } else {
                at = &(*at)->chain;
            }
        }
    }
}

size_t watched_keys_take(struct watched_keys *k, struct arena *a, const char **out, size_t most, uint64_t ms)
{
    size_t count = 0;
    struct timespec until = clock_until(ms);
    mutex_lock(&k->lock);
    sweep_keys(k);
    if (!k->first) {
        pthread_cond_timedwait(&k->wanted, &k->lock, &until);
    }
    for (; k->first && count < most; count++) {
        struct watched_key *key = k->first;
        k->first = key->next_wanted;
        key->state = KEY_ASKED;
        out[count] = arena_dup_n(a, key->text, key->length);
    }
    mutex_unlock(&k->lock);
    return count;
}

void watched_keys_asked(struct watched_keys *k, const char *text, uint64_t since)
{
    mutex_lock(&k->lock);
    struct watched_key *key = *key_at(k, text, strlen(text));
    if (key && key->state == KEY_ASKED && key->spoiled) {
        want(k, key);
    } else if (key && key->state == KEY_ASKED) {
        key->state = KEY_HEARD;
        key->since = since;
    }
    mutex_unlock(&k->lock);
}

void watched_keys_changed(struct watched_keys *k, const char *text, size_t length)
{
    mutex_lock(&k->lock);
    struct watched_key **at = key_at(k, text, length);
    struct watched_key *key = *at;
    if (key && key->state == KEY_ASKED) {
        key->spoiled = true;
    } else if (key && key->state == KEY_HEARD && key->is_used && key->used_us + LATELY_US > clock_monotonic_us()) {
        key->is_used = false;
        want(k, key);
    } else if (key && key->state == KEY_HEARD) {
        drop_key(k, at);
    }
    mutex_unlock(&k->lock);
}

void watched_keys_forget(struct watched_keys *k)
{
    mutex_lock(&k->lock);
    forget_all(k);
    mutex_unlock(&k->lock);
}

void watched_keys_wake(struct watched_keys *k)
{
    mutex_lock(&k->lock);
    pthread_cond_broadcast(&k->wanted);
    mutex_unlock(&k->lock);
}
