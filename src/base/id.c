/* id.c - see id.h. Any thread: one atomic word orders the ids of this process. */
#include "base/id.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/panic.h"
#include "base/secret.h"

#define SEQUENCE_BITS 6
#define BUCKET_BITS 10
#define TIME_SHIFT (SEQUENCE_BITS + BUCKET_BITS)
#define ID_LAST_MS 15258789062499u /* of ID_DIGITS digits, in 2453 */

/* In each ms the sequence begins anywhere in its lower half, so that processes seldom make the same id. */
#define SEQUENCE_STARTS (1u << (SEQUENCE_BITS - 1))

#define BACK_TICKS (UINT64_C(500) << SEQUENCE_BITS) /* no burst of ids brings the counter further ahead of the clock */

/* ms << 6 | sequence of the newest id: one counter for all buckets, so that no two ids of a process are alike. */
static _Atomic uint64_t newest;

static uint64_t id_make(uint64_t tick, unsigned bucket)
{
    uint64_t sequence = tick & ((1u << SEQUENCE_BITS) - 1);
    return (tick >> SEQUENCE_BITS) << TIME_SHIFT | (uint64_t)bucket << SEQUENCE_BITS | sequence;
}

uint64_t id_new(unsigned bucket, uint64_t newer_than)
{
    require(bucket < ID_BUCKETS);
    uint64_t start = secret_random_u64() % SEQUENCE_STARTS;
    uint64_t floor_tick = newer_than ? ((newer_than >> TIME_SHIFT) + 1) << SEQUENCE_BITS | start : 0;
    uint64_t now_ms = clock_site_ms();
    uint64_t now_tick = (now_ms < ID_FIRST_MS ? ID_FIRST_MS : now_ms) << SEQUENCE_BITS;
    uint64_t last = atomic_load(&newest);
    uint64_t tick;
    do {
        /* when the clock was set back, ids go back with it */
        tick = now_tick > last || last > now_tick + BACK_TICKS ? now_tick | start : last + 1;
        if (tick < floor_tick) {
            return id_make(floor_tick, bucket); /* ahead of the clock: not everybody's ids are drawn there */
        }
    } while (!atomic_compare_exchange_weak(&newest, &last, tick));
    return id_make(tick, bucket);
}

bool id_clock_is_usable(void)
{
    uint64_t now = clock_site_ms();
    return now >= ID_FIRST_MS && now <= ID_LAST_MS;
}

uint64_t id_of_ms(uint64_t wall_ms)
{
    return wall_ms << TIME_SHIFT;
}

uint64_t id_ms(uint64_t id)
{
    return id >> TIME_SHIFT;
}

unsigned id_bucket(uint64_t id)
{
    return (unsigned)(id >> SEQUENCE_BITS) & (ID_BUCKETS - 1);
}

char *id_write(uint64_t id, char out[ID_SIZE])
{
    out[format_number(out, id)] = '\0';
    return out;
}

const char *id_text(struct arena *a, uint64_t id)
{
    return id_write(id, arena_alloc(a, ID_SIZE));
}

int id_oldest_first(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

int id_newest_first(const void *x, const void *y)
{
    return id_oldest_first(y, x);
}

bool id_is_among(uint64_t id, const uint64_t *ids, size_t count)
{
    return count > 0 && bsearch(&id, ids, count, sizeof(id), id_oldest_first) != NULL;
}

uint64_t id_parse_n(const char *text, size_t length)
{
    if (length != ID_DIGITS || text[0] == '0') {
        return 0;
    }
    uint64_t id = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return 0;
        }
        id = id * 10 + (uint64_t)(text[i] - '0');
    }
    return id;
}

uint64_t id_parse(const char *text)
{
    return text ? id_parse_n(text, strlen(text)) : 0;
}

unsigned id_bucket_of_bytes(const char *text, size_t length)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    }
    return (unsigned)(h ^ h >> 32) & (ID_BUCKETS - 1);
}

unsigned id_bucket_of_name(const char *folded_name)
{
    return id_bucket_of_bytes(folded_name, strlen(folded_name));
}
