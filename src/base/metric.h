/* metric.h - what the process counts about itself, for `retwis stats` and GET /metrics (Prometheus text form).
 *
 * One table names every number. Counting is one relaxed atomic addition, so it may stand anywhere; nothing here locks
 * or allocates. Numbers that are kept elsewhere (queue length, cache) are set just before they are written. A number
 * that is not known yet, or does not exist here (the certificate of a server without one), is left out.
 *
 * Threads: any.
 */
#ifndef BASE_METRIC_H
#define BASE_METRIC_H

#include <stdint.h>

struct buffer;

/* clang-format off */
/*     id                 name                              type       help
 * Names follow Prometheus' rules: base units, and _total for counters. A gauge_ms is kept in
 * milliseconds and written in seconds. */
#define METRIC_TABLE(X)                                                                                                \
    X(ENGINE_TRIPS,       "engine_round_trips_total",       "counter", "Round trips to the engine")                    \
    X(ENGINE_FAILURES,    "engine_failures_total",          "counter", "Round trips that failed")                      \
    X(POSTS,              "posts_total",                    "counter", "Posts written")                                \
    X(DELIVERIES,         "deliveries_total",               "counter", "Posts put into home timelines")                \
    X(REBUILDS,           "home_rebuilds_total",            "counter", "Home timelines built again from the truth")    \
    X(PULLS,              "home_pulls_total",               "counter", "Visits that asked all authors for new posts") \
    X(MERGES,             "home_merges_total",              "counter", "Pages merged from below the window")           \
    X(JOBS_DONE,          "jobs_done_total",                "counter", "Jobs finished")                                \
    X(JOBS_FAILED,        "jobs_failed_total",              "counter", "Steps of jobs that failed; they are repeated") \
    X(JOBS_TAKEN_OVER,    "jobs_taken_over_total",          "counter", "Jobs of dead or late workers taken over")      \
    X(JOBS_WAITING,       "jobs_waiting",                   "gauge",   "Jobs waiting in this process")                 \
    X(JOBS_OPEN,          "jobs_open",                      "gauge",   "Jobs of the whole site that are not finished") \
    X(JOBS_AGE_MS,        "jobs_oldest_seconds",            "gauge_ms", "Age of the oldest job that is not finished")                   \
    X(JOBS_DEAD,          "jobs_dead",                      "gauge",   "Jobs given up after too many attempts")        \
    X(FANOUT_LAG_MS,      "fanout_lag_seconds",             "gauge_ms", "Age of the post whose last delivery ended last") \
    X(CACHE_HITS,         "cache_hits_total",               "counter", "Posts, users and relations found in the cache") \
    X(CACHE_MISSES,       "cache_misses_total",             "counter", "Posts, users and relations that were not in the cache")                    \
    X(CACHE_ENTRIES,      "cache_entries",                  "gauge",   "Entries of the cache")                         \
    X(CACHE_BYTES,        "cache_bytes",                    "gauge",   "Memory of the cache")                          \
    X(ANSWERS_HITS,       "answers_hits_total",             "counter", "Visits for which the engine was not asked, because nothing had changed") \
    X(ANSWERS_MISSES,     "answers_misses_total",           "counter", "Visits for which it was asked") \
    X(ANSWERS_ENTRIES,    "answers_entries",                "gauge",   "Visits whose answers are remembered") \
    X(ANSWERS_BYTES,      "answers_bytes",                  "gauge",   "Memory of the answers that are remembered") \
    X(RENDERED_HITS,      "rendered_hits_total",            "counter", "Posts on pages that were not made into HTML anew") \
    X(RENDERED_MISSES,    "rendered_misses_total",          "counter", "Posts on pages that were made into HTML")      \
    X(RENDERED_UNFIT,     "rendered_unfit_total",           "counter", "Posts on pages whose kept HTML could not be used: a fault of a template") \
    X(RENDERED_ENTRIES,   "rendered_entries",               "gauge",   "Posts whose HTML is kept")                     \
    X(RENDERED_BYTES,     "rendered_bytes",                 "gauge",   "Memory of the HTML that is kept")              \
    X(RECALLED_HITS,      "recalled_hits_total",            "counter", "Answers that were given again, because nothing in them had changed") \
    X(RECALLED_MISSES,    "recalled_misses_total",          "counter", "Answers of the same pages and endpoints that were made") \
    X(RECALLED_ENTRIES,   "recalled_entries",               "gauge",   "Answers that are kept")                        \
    X(RECALLED_BYTES,     "recalled_bytes",                 "gauge",   "Memory of the answers that are kept")          \
    X(CACHE_TRUSTED,      "cache_trusted",                  "gauge",   "1 while this process hears of all changes; 0: it does not believe its cache") \
    X(EVENTS_HEARD,       "events_heard_total",             "counter", "Events (notes of what was changed) that came from the engine") \
    X(EVENTS_BEGUN_ANEW,  "events_begun_anew_total",        "counter", "Times that the cache was emptied because events may have been missed") \
    X(ENGINE_UP,          "engine_up",                      "gauge",   "1 when the engine answers, else 0")            \
    X(ENGINE_MEMORY,      "engine_memory_bytes",            "gauge",   "Memory that the engine uses")                  \
    X(ENGINE_MEMORY_LIMIT, "engine_memory_limit_bytes",     "gauge",   "Memory from which on the engine refuses writes; 0: no limit") \
    X(ENGINE_REFUSED,     "engine_refused",                 "gauge",   "1: the engine would lose data and is not used")    \
    X(ENGINE_WARNINGS,    "engine_warnings",                "gauge",   "Warnings about how the engine is set up")            \
    X(DISK_FREE,          "disk_free_bytes",                "gauge",   "Free on the disk of the state directory")      \
    X(SITE_USERS,         "users",                          "gauge",   "Accounts of the site") \
    X(SITE_POSTS,         "posts",                          "gauge",   "Posts of the site, when they were counted last")                  \
    X(SITE_SESSIONS,      "sessions",                       "gauge",   "Sessions of the site, likewise")               \
    X(SITE_COUNT_MS,      "site_count_seconds",             "gauge_ms", "How long the count of posts and sessions took: the two can be that old") \
    X(CERTIFICATE_EXPIRY, "certificate_expiry_timestamp_seconds", "gauge", "End of the TLS certificate's validity, in seconds since 1970") \
    X(BROKEN_REQUESTS,    "broken_requests_total",          "counter", "Requests that a fault of the program ended; the log says where") \
    X(RESIDENT_BYTES,     "process_resident_memory_bytes",  "gauge",   "Memory of this process, without the engine")   \
    X(CONNECTIONS_REFUSED, "connections_refused_total",     "counter", "Connections refused: all places taken, or too many of one address") \
    X(CONNECTIONS_EVICTED, "connections_evicted_total",     "counter", "Idle, slow or silent connections ended to make room") \
    X(UPTIME_SECONDS,     "uptime_seconds",                 "gauge",   "Seconds since the start")
/* clang-format on */

enum metric {
#define X(id, name, type, help) METRIC_##id,
    METRIC_TABLE(X)
#undef X
        METRIC_COUNT
};

/* A value that is not known: the line is left out. */
#define METRIC_UNKNOWN UINT64_MAX

void metric_add(enum metric m, uint64_t n);
void metric_set(enum metric m, uint64_t n);
uint64_t metric_get(enum metric m);

/* One round trip to the engine, or one request: counted, and its time put into a histogram. `route` is a pattern of the
 * route table and must be the same pointer each time. */
void metric_round_trip(uint64_t us);
void metric_request(const char *route, int status, uint64_t us);

/* Everything in Prometheus' text form. */
void metric_write(struct buffer *out);

#endif
