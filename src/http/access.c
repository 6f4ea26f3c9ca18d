/* access.c - see access.h. Any thread.
 *
 * Never logged: query string (searches, tokens in links), cookies, bodies, referrers. The user agent is cut short:
 * it is there to tell a browser from a robot.
 */
#include "http/access.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/store.h"

/* ASCII only, so that a cut cannot leave half a character. */
static void shorten(char *out, size_t size, const char *text)
{
    size_t n = 0;
    for (; text[n] && n + 1 < size; n++) {
        out[n] = (unsigned char)text[n] < 0x80 ? text[n] : '?';
    }
    out[n] = '\0';
}

#define SAMPLE 100 /* above the rate, one request in so many gets its line */

static _Atomic bool is_enabled;
static _Atomic uint64_t rate;
/* The second that is being counted, its requests, and the requests without a line that were not reported yet. */
static _Atomic uint64_t second, seen, dropped;

void access_setup(bool enabled, uint64_t lines_per_second)
{
    atomic_store(&is_enabled, enabled);
    atomic_store(&rate, lines_per_second);
}

static void tell_dropped(void)
{
    uint64_t count = atomic_exchange(&dropped, 0);
    if (count) {
        log_info("access", "%llu requests got no line: more than log.access_rate in a second",
                 (unsigned long long)count);
    }
}

/* Whether this request gets a line. Two threads that begin a second at once may let a few more through. */
static bool access_is_due(uint64_t now_us)
{
    uint64_t most = atomic_load(&rate), now = now_us / 1000000, before = atomic_load(&second);
    if (!most) {
        return true;
    }
    if (now != before && atomic_compare_exchange_strong(&second, &before, now)) {
        atomic_store(&seen, 0);
        tell_dropped();
    }
    uint64_t number = atomic_fetch_add(&seen, 1);
    if (number < most || (number - most) % SAMPLE == SAMPLE - 1) {
        return true;
    }
    atomic_fetch_add(&dropped, 1);
    return false;
}

void access_log(const struct http_request *req, const char *method, int status, size_t bytes, uint64_t started_us)
{
    uint64_t now_us = clock_monotonic_us(), us = now_us - started_us;
    if (!atomic_load(&is_enabled) || !access_is_due(now_us)) {
        return;
    }
    char status_text[12];
    char bytes_text[24];
    char ms[32];
    char trips[12];
    char agent[81];
    const char *user_agent = http_header_in(req, "user-agent");
    snprintf(status_text, sizeof(status_text), "%d", status);
    snprintf(bytes_text, sizeof(bytes_text), "%zu", bytes);
    snprintf(ms, sizeof(ms), "%llu.%02u", (unsigned long long)(us / 1000), (unsigned)(us % 1000 / 10));
    snprintf(trips, sizeof(trips), "%u", store_trips());
    shorten(agent, sizeof(agent), user_agent ? user_agent : "");
    const struct log_field fields[] = {
        {"method", method},
        {"path", req->path},
        {"status", status_text},
        {"bytes", bytes_text},
        {"ms", ms},
        {"trips", trips},
        {"address", req->address},
        {"id", req->id},
        {"route", req->route ? req->route->path : NULL},
        {"agent", user_agent ? agent : NULL},
    };
    log_fields(LOG_INFO, "access", "request", fields, sizeof(fields) / sizeof(fields[0]));
}
