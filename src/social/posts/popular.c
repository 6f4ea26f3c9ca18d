/* popular.c - see popular.h. Any thread. */
#include "social/posts/popular.h"

#include <stdbool.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "store/keys.h"
#include "store/store.h"

#define HOUR_MS (CLOCK_DAY_MS / 24)
#define HOUR_SECONDS (CLOCK_DAY_SECONDS / 24)

static const char *hour_text(struct arena *a, uint64_t hour)
{
    return arena_printf(a, "%llu", (unsigned long long)hour);
}

static bool is_recent(uint64_t post)
{
    return id_ms(post) + CLOCK_DAY_MS > clock_site_ms();
}

void popular_add(struct store_batch *b, struct arena *a, uint64_t post, int64_t people)
{
    if (people < POPULAR_LEAST || !is_recent(post)) {
        return;
    }
    uint64_t hour = id_ms(post) / HOUR_MS;
    const char *text = hour_text(a, hour), *key = key_text(a, KEY_POPULAR, text);
    unsigned bucket = key_text_bucket(text);
    store_command(b, bucket, "ZADD", key, arena_printf(a, "%lld", (long long)people), id_text(a, post), NULL);
    store_command(b, bucket, "ZREMRANGEBYRANK", key, "0", arena_printf(a, "%d", -POPULAR_KEPT - 1), NULL);
    const char *end = arena_printf(a, "%llu", (unsigned long long)(hour + POPULAR_HOURS + 1) * HOUR_SECONDS);
    store_command(b, bucket, "EXPIREAT", key, end, NULL);
}

void popular_end_add(struct store_batch *b, struct arena *a, uint64_t post)
{
    if (is_recent(post)) {
        const char *text = hour_text(a, id_ms(post) / HOUR_MS);
        store_command(b, key_text_bucket(text), "ZREM", key_text(a, KEY_POPULAR, text), id_text(a, post), NULL);
    }
}

size_t popular_ask(struct store_batch *b, struct arena *a, size_t most)
{
    uint64_t hour = clock_site_ms() / HOUR_MS;
    size_t first = store_batch_count(b);
    for (unsigned i = 0; i < POPULAR_HOURS; i++) {
        const char *text = hour_text(a, hour - i);
        store_command(b, key_text_bucket(text), "ZRANGE", key_text(a, KEY_POPULAR, text), "0", store_last(a, most),
                      "REV", "WITHSCORES", NULL);
    }
    return first;
}
