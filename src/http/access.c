/* access.c - see access.h. Any thread.
 *
 * Never logged: query string (searches, tokens in links), cookies, bodies, referrers. The user agent is cut short:
 * it is there to tell a browser from a robot.
 */
#include "http/access.h"

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

void access_log(const struct http_request *req, const char *method, int status, size_t bytes, uint64_t started_us)
{
    char status_text[12];
    char bytes_text[24];
    char ms[32];
    char trips[12];
    char agent[81];
    const char *user_agent = http_header_in(req, "user-agent");
    uint64_t us = clock_monotonic_us() - started_us;
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
