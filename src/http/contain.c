/* contain.c - see contain.h. Any connection thread; the table of places is made of atomics. */
#include "http/contain.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/panic.h"

#define PLACES 64
#define LOG_EVERY_US (60u * 1000000)

/* Where invariants were broken, and when the log was told last. Somebody who finds out how to break one may do it a
 * thousand times a second: the metric counts all of them, and the log gets a line a minute for each place. Two places
 * that share an entry just get more lines. */
static struct {
    _Atomic uintptr_t where;
    _Atomic uint64_t told_us;
} places[PLACES];

static bool contain_is_worth_a_line(const struct panic_report *r)
{
    uintptr_t where = (uintptr_t)r->file * 31 + (unsigned)r->line;
    size_t i = (where ^ where >> 6 ^ where >> 12) % PLACES;
    uint64_t now = clock_monotonic_us(), told = atomic_load(&places[i].told_us);
    if (atomic_load(&places[i].where) == where && told && now - told < LOG_EVERY_US) {
        return false;
    }
    if (!atomic_compare_exchange_strong(&places[i].told_us, &told, now)) {
        return false; /* another request tells it at this moment */
    }
    atomic_store(&places[i].where, where);
    return true;
}

bool contain_run(const char *request_id, void (*work)(void *context), void *context)
{
    struct panic_report report;
    if (panic_contain(work, context, &report)) {
        return true;
    }
    metric_add(METRIC_BROKEN_REQUESTS, 1);
    if (contain_is_worth_a_line(&report)) {
        log_error("http", "request %s ended: %s:%d: %s. This is a fault of the program; please report it.", request_id,
                  report.file, report.line, report.text);
    }
    return false;
}
