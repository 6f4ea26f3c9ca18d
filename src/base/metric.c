/* metric.c - see metric.h. Any thread: atomics only. Requests are counted in a fixed table by (route, status); a place
 * is taken by compare and exchange and never given back. */
#include "base/metric.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

#define PREFIX "retwis_"
#define PLACES 1024 /* more than routes times statuses */
#define TAKING (-1)

/* Upper bounds in us; the last place is for everything slower. */
static const uint64_t bounds[] = {100, 250, 500, 1000, 2500, 5000, 10000, 25000, 100000, 500000, 2000000};
#define BOUNDS (sizeof(bounds) / sizeof(*bounds))

struct histogram {
    _Atomic uint64_t counts[BOUNDS + 1];
    _Atomic uint64_t sum_us;
};

struct requests {
    _Atomic(const char *) route;
    _Atomic int status; /* 0: free */
    struct histogram times;
};

static const struct {
    const char *name, *type, *help;
} infos[METRIC_COUNT] = {
#define X(id, name, type, help) [METRIC_##id] = {name, type, help},
    METRIC_TABLE(X)
#undef X
};

static _Atomic uint64_t values[METRIC_COUNT] = {
    [METRIC_ENGINE_UP] = METRIC_UNKNOWN,          [METRIC_ENGINE_MEMORY] = METRIC_UNKNOWN,
    [METRIC_DISK_FREE] = METRIC_UNKNOWN,          [METRIC_ENGINE_MEMORY_LIMIT] = METRIC_UNKNOWN,
    [METRIC_SITE_USERS] = METRIC_UNKNOWN,         [METRIC_SITE_POSTS] = METRIC_UNKNOWN,
    [METRIC_SITE_COUNT_MS] = METRIC_UNKNOWN,      [METRIC_SITE_SESSIONS] = METRIC_UNKNOWN,
    [METRIC_CERTIFICATE_EXPIRY] = METRIC_UNKNOWN,
};
static struct histogram trips;
static struct requests requests[PLACES];

void metric_add(enum metric m, uint64_t n)
{
    atomic_fetch_add_explicit(&values[m], n, memory_order_relaxed);
}

void metric_set(enum metric m, uint64_t n)
{
    atomic_store_explicit(&values[m], n, memory_order_relaxed);
}

uint64_t metric_get(enum metric m)
{
    return atomic_load_explicit(&values[m], memory_order_relaxed);
}

static void observe(struct histogram *h, uint64_t us)
{
    size_t i = 0;
    while (i < BOUNDS && us > bounds[i]) {
        i++;
    }
    atomic_fetch_add_explicit(&h->counts[i], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&h->sum_us, us, memory_order_relaxed);
}

void metric_round_trip(uint64_t us)
{
    metric_add(METRIC_ENGINE_TRIPS, 1);
    observe(&trips, us);
}

/* The place of a route and status; NULL when the table is full, which it never is with a fixed route table. */
static struct requests *metric_place(const char *route, int status)
{
    size_t at = ((uintptr_t)route * 31 + (unsigned)status * 2654435761u) >> 4;
    for (size_t i = 0; i < PLACES; i++) {
        struct requests *r = &requests[(at + i) % PLACES];
        int found = 0;
        if (atomic_compare_exchange_strong(&r->status, &found, TAKING)) {
            atomic_store(&r->route, route);
            atomic_store(&r->status, status);
            return r;
        }
        while (found == TAKING) { /* two stores away, perhaps for the same pair */
            found = atomic_load(&r->status);
        }
        if (found == status && atomic_load(&r->route) == route) {
            return r;
        }
    }
    return NULL;
}

void metric_request(const char *route, int status, uint64_t us)
{
    struct requests *r = metric_place(route ? route : "", status);
    if (r) {
        observe(&r->times, us);
    }
}

static void write_histogram(struct buffer *out, const char *name, const char *labels, const struct histogram *h)
{
    uint64_t total = 0;
    const char *comma = labels[0] ? "," : "";
    for (size_t i = 0; i <= BOUNDS; i++) {
        total += atomic_load_explicit(&h->counts[i], memory_order_relaxed);
        if (i < BOUNDS) {
            buffer_printf(out, PREFIX "%s_bucket{%s%sle=\"%g\"} %llu\n", name, labels, comma, (double)bounds[i] / 1e6,
                          (unsigned long long)total);
        }
    }
    buffer_printf(out, PREFIX "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, labels, comma, (unsigned long long)total);
    double seconds = (double)atomic_load_explicit(&h->sum_us, memory_order_relaxed) / 1e6;
    const char *open = labels[0] ? "{" : "", *close = labels[0] ? "}" : "";
    buffer_printf(out, PREFIX "%s_sum%s%s%s %.6f\n", name, open, labels, close, seconds);
    buffer_printf(out, PREFIX "%s_count%s%s%s %llu\n", name, open, labels, close, (unsigned long long)total);
}

static void write_head(struct buffer *out, const char *name, const char *type, const char *help)
{
    buffer_printf(out, "# HELP " PREFIX "%s %s\n# TYPE " PREFIX "%s %s\n", name, help, name, type);
}

static void metric_write_number(struct buffer *out, enum metric m)
{
    uint64_t value = metric_get(m);
    if (value == METRIC_UNKNOWN) {
        return;
    }
    bool is_ms = strcmp(infos[m].type, "gauge_ms") == 0;
    write_head(out, infos[m].name, is_ms ? "gauge" : infos[m].type, infos[m].help);
    if (is_ms) {
        buffer_printf(out, PREFIX "%s %llu.%03u\n", infos[m].name, (unsigned long long)(value / 1000),
                      (unsigned)(value % 1000));
    } else {
        buffer_printf(out, PREFIX "%s %llu\n", infos[m].name, (unsigned long long)value);
    }
}

void metric_write(struct buffer *out)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        metric_write_number(out, (enum metric)i);
    }
    write_head(out, "build_info", "gauge", "Which program this is; always 1");
    buffer_printf(out, PREFIX "build_info{version=\"%s\"} 1\n", RETWIS_VERSION);
    write_head(out, "engine_round_trip_seconds", "histogram", "Time of a round trip to the engine");
    write_histogram(out, "engine_round_trip_seconds", "", &trips);
    write_head(out, "request_seconds", "histogram", "Time of a request, by route and status");
    for (size_t i = 0; i < PLACES; i++) {
        const char *route = atomic_load(&requests[i].route);
        int status = atomic_load(&requests[i].status);
        if (status > 0 && route) {
            char labels[256];
            snprintf(labels, sizeof(labels), "route=\"%s\",status=\"%d\"", route, status);
            write_histogram(out, "request_seconds", labels, &requests[i].times);
        }
    }
}
