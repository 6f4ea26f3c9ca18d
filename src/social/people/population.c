/* population.c - see population.h. Any thread. */
#include "social/people/population.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/mutex.h"
#include "social/core/social.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

#define COUNT_EVERY_US (60u * 1000000)
#define SPAN_DAYS 5
#define SPANS_MONTH 7     /* the present one and six whole ones */
#define SPANS_HALFYEAR 37 /* and 36 */

static struct {
    pthread_mutex_t lock;     /* who counts */
    pthread_mutex_t set_lock; /* of what is known: held for no longer than it takes to copy */
    uint64_t counted_at;
    struct population known;
    uint32_t buckets[ID_BUCKETS]; /* people of each */
} numbers = {.lock = PTHREAD_MUTEX_INITIALIZER, .set_lock = PTHREAD_MUTEX_INITIALIZER};

/* --- who was here -------------------------------------------------------------------------------------------------- */

static uint64_t span_now(void)
{
    return clock_site_ms() / CLOCK_DAY_MS / SPAN_DAYS;
}

static const char *span_text(struct arena *a, uint64_t span)
{
    return arena_printf(a, "days|%llu", (unsigned long long)span);
}

void population_seen_add(struct store_batch *b, struct arena *a, uint64_t uid)
{
    uint64_t span = span_now();
    const char *text = span_text(a, span), *key = key_text(a, KEY_ACTIVE, text);
    unsigned bucket = key_text_bucket(text);
    uint64_t end = (span + SPANS_HALFYEAR + 1) * SPAN_DAYS * CLOCK_DAY_SECONDS;
    store_command(b, bucket, "PFADD", key, id_text(a, uid), NULL);
    store_command(b, bucket, "EXPIREAT", key, arena_printf(a, "%llu", (unsigned long long)end), NULL);
}

static size_t spans_ask(struct store_batch *b, struct arena *a, size_t spans)
{
    const char *words[1 + SPANS_HALFYEAR] = {"PFCOUNT"}, *text = span_text(a, span_now());
    for (size_t i = 0; i < spans; i++) {
        words[1 + i] = key_text(a, KEY_ACTIVE, span_text(a, span_now() - i));
    }
    return store_command_v(b, key_text_bucket(text), 1 + spans, words);
}

/* --- counting ------------------------------------------------------------------------------------------------------ */

static enum err count_all(struct social *s, struct arena *a, struct population *out, uint32_t *buckets)
{
    *out = (struct population){.users = 0};
    struct store_batch *b = store_batch_new(s->store, a);
    for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
        store_command(b, bucket, "ZCARD", key_plain(a, KEY_USERS, bucket), NULL);
    }
    for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
        script_posted_add(b, &(struct script_posted){.bucket = bucket});
    }
    size_t month = spans_ask(b, a, SPANS_MONTH), halfyear = spans_ask(b, a, SPANS_HALFYEAR);
    enum err e = store_run(b);
    for (unsigned bucket = 0; e == ERR_OK && bucket < ID_BUCKETS; bucket++) {
        struct script_posted_reply posted;
        script_posted_take(store_reply(b, ID_BUCKETS + bucket), &posted);
        buckets[bucket] = (uint32_t)store_integer(store_reply(b, bucket));
        out->users += buckets[bucket];
        out->posts += posted.posts;
    }
    out->month = store_integer(store_reply(b, month));
    out->halfyear = store_integer(store_reply(b, halfyear));
    return e;
}

enum err population_count(struct social *s, struct arena *a, struct population *out)
{
    uint32_t buckets[ID_BUCKETS];
    return count_all(s, a, out, buckets);
}

static struct population known_numbers(const struct population *counted, const uint32_t *buckets)
{
    mutex_lock(&numbers.set_lock);
    if (counted) {
        numbers.known = *counted;
        memcpy(numbers.buckets, buckets, sizeof(numbers.buckets));
    }
    struct population known = numbers.known;
    mutex_unlock(&numbers.set_lock);
    return known;
}

struct population population_read(struct social *s, struct arena *a)
{
    if (!mutex_try(&numbers.lock)) {
        return known_numbers(NULL, NULL);
    }
    uint64_t now = clock_monotonic_us();
    struct population counted;
    uint32_t buckets[ID_BUCKETS];
    bool is_new = (!numbers.counted_at || now > numbers.counted_at + COUNT_EVERY_US) &&
                  count_all(s, a, &counted, buckets) == ERR_OK;
    numbers.counted_at = is_new ? now : numbers.counted_at;
    mutex_unlock(&numbers.lock);
    return known_numbers(is_new ? &counted : NULL, buckets);
}

void population_buckets(struct social *s, struct arena *a, uint32_t *out)
{
    population_read(s, a);
    mutex_lock(&numbers.set_lock);
    memcpy(out, numbers.buckets, sizeof(numbers.buckets));
    mutex_unlock(&numbers.set_lock);
}
