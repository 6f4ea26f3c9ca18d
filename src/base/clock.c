/* clock.c - see clock.h. Any thread. */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

uint64_t clock_wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

uint64_t clock_monotonic_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

void clock_sleep_ms(uint64_t ms)
{
    struct timespec t = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&t, NULL);
}

void clock_iso(uint64_t wall_ms, char out[CLOCK_ISO_SIZE])
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm tm;
    if (!gmtime_r(&seconds, &tm) || tm.tm_year > 8099) {
        snprintf(out, CLOCK_ISO_SIZE, "1970-01-01T00:00:00.000Z");
        return;
    }
    size_t n = strftime(out, CLOCK_ISO_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(out + n, CLOCK_ISO_SIZE - n, ".%03uZ", (unsigned)(wall_ms % 1000));
}
