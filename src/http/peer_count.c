/* peer_count.c - see peer_count.h. A hash table with chains; an address without connections takes no memory, so its
 * size is bounded by the number of open connections. The seed is random, or a client with many addresses could choose
 * them to meet in one chain. */
#include "http/peer_count.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "base/secret.h"

#define BUCKETS 1024

struct peer {
    struct address address;
    unsigned count;
    struct peer *next;
};

struct peer_count {
    uint64_t seed;
    struct peer *buckets[BUCKETS];
};

struct peer_count *peer_count_new(void)
{
    struct peer_count *p = mem_zero(1, sizeof(*p));
    p->seed = secret_random_u64();
    return p;
}

void peer_count_free(struct peer_count *p)
{
    for (size_t i = 0; i < BUCKETS; i++) {
        while (p->buckets[i]) {
            struct peer *next = p->buckets[i]->next;
            free(p->buckets[i]);
            p->buckets[i] = next;
        }
    }
    free(p);
}

static size_t peer_bucket(const struct peer_count *p, const struct address *a)
{
    uint64_t h = p->seed;
    for (size_t i = 0; i < sizeof(a->bytes); i += 8) {
        uint64_t word;
        memcpy(&word, a->bytes + i, sizeof(word));
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return (h * 0xbf58476d1ce4e5b9u) >> 54;
}

/* Where the peer is linked, or where it would be. */
static struct peer **peer_find(const struct peer_count *p, const struct address *a)
{
    struct peer **place = (struct peer **)&p->buckets[peer_bucket(p, a)];
    while (*place && memcmp(&(*place)->address, a, sizeof(*a)) != 0) {
        place = &(*place)->next;
    }
    return place;
}

unsigned peer_count_get(const struct peer_count *p, const struct address *a)
{
    const struct peer *peer = *peer_find(p, a);
    return peer ? peer->count : 0;
}

void peer_count_add(struct peer_count *p, const struct address *a)
{
    struct peer **place = peer_find(p, a);
    if (!*place) {
        *place = mem_zero(1, sizeof(**place));
        (*place)->address = *a;
    }
    (*place)->count++;
}

void peer_count_drop(struct peer_count *p, const struct address *a)
{
    struct peer **place = peer_find(p, a);
    require_shared(*place && (*place)->count > 0);
    if (--(*place)->count == 0) {
        struct peer *gone = *place;
        *place = gone->next;
        free(gone);
    }
}
