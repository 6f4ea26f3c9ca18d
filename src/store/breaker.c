/* breaker.c - see breaker.h. Threads: those that hold the pool's mutex. */
#include "store/breaker.h"

#include <string.h>

#include "base/clock.h"

#define BACKOFF_FIRST_US (50 * 1000)
#define BACKOFF_LAST_US (5 * 1000 * 1000)
#define REFUSED_LAST_US (1000 * 1000) /* somebody has to change a setting, and looks whether that was enough */

void breaker_setup(struct breaker *b, uint64_t seed)
{
    memset(b, 0, sizeof(*b));
    b->random = seed;
}

/* splitmix64: jitter needs no secrecy. */
static uint64_t random_below(struct breaker *b, uint64_t limit)
{
    uint64_t z = b->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % limit;
}

enum breaker_advice breaker_ask(const struct breaker *b)
{
    if (!b->open) {
        return BREAKER_CLOSED;
    }
    uint64_t now = clock_monotonic_us();
    if (b->probing || (now < b->next_try_us && b->next_try_us - now < BREAKER_PATIENCE_US)) {
        return BREAKER_WAIT;
    }
    return now < b->next_try_us ? BREAKER_OPEN : BREAKER_PROBE;
}

void breaker_probe(struct breaker *b)
{
    b->probing = true;
}

void breaker_probed(struct breaker *b)
{
    b->probing = false;
}

bool breaker_trip(struct breaker *b, enum err trouble)
{
    uint64_t ceiling = (uint64_t)BACKOFF_FIRST_US << (b->failures < 10 ? b->failures : 10);
    uint64_t last = trouble == ERR_CONFIG ? REFUSED_LAST_US : BACKOFF_LAST_US;
    bool news = !b->told;
    b->failures++;
    b->open = b->told = true;
    b->trouble = trouble;
    b->next_try_us = clock_monotonic_us() + random_below(b, ceiling < last ? ceiling : last);
    return news;
}

bool breaker_heal(struct breaker *b)
{
    bool news = b->open || b->told;
    b->open = b->told = false;
    b->failures = 0;
    b->alive_us = clock_monotonic_us();
    return news;
}

void breaker_reset(struct breaker *b)
{
    b->open = false;
    b->failures = 0;
}

void breaker_note_answer(struct breaker *b, uint64_t now_us)
{
    b->alive_us = now_us;
}

bool breaker_is_doubtful(const struct breaker *b, uint64_t since_us)
{
    uint64_t now = clock_monotonic_us();
    return b->alive_us > now - (now - since_us) / 2;
}
