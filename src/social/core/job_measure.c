/* job_measure.c - the numbers of all jobs of the site, for /metrics: one round trip. Any thread. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/metric.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

#define LOOKED_AT 10 /* jobs of each bucket, by their lease: the one that waits longest is among them */

/* When the oldest of these jobs was made, read off its id; `oldest` if that is older. */
static uint64_t older_of(uint64_t oldest, const struct store_reply *ids)
{
    for (size_t i = 0; i < ids->count; i++) {
        uint64_t made = id_ms(id_parse(store_text(&ids->items[i])));
        oldest = made < oldest ? made : oldest;
    }
    return oldest;
}

enum err job_measure(struct social *s, struct arena *a)
{
    const char *last = store_last(a, LOOKED_AT);
    metric_set(METRIC_JOBS_WAITING, job_waiting(s));
    struct store_batch *b = store_batch_new(s->store, a);
    for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
        const char *jobs = key_plain(a, KEY_JOBS, bucket);
        store_command(b, bucket, "LLEN", key_plain(a, KEY_DEAD, bucket), NULL);
        store_command(b, bucket, "ZCARD", jobs, NULL);
        store_command(b, bucket, "ZRANGE", jobs, "0", last, NULL);
    }
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    uint64_t dead = 0, open = 0, now = clock_site_ms(), oldest = now;
    for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
        dead += (uint64_t)store_integer(store_reply(b, 3 * bucket));
        open += (uint64_t)store_integer(store_reply(b, 3 * bucket + 1));
        oldest = older_of(oldest, store_reply(b, 3 * bucket + 2));
    }
    metric_set(METRIC_JOBS_DEAD, dead);
    metric_set(METRIC_JOBS_OPEN, open);
    metric_set(METRIC_JOBS_AGE_MS, now - oldest);
    return ERR_OK;
}
