/* clock.h - the two clocks and how times look.
 *
 * Wall time (ms since 1970, UTC) goes into ids and records; the monotonic clock measures deadlines and durations and
 * is never stored.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

uint64_t clock_wall_ms(void);
uint64_t clock_monotonic_us(void);

/* A condition whose timed waits go by the monotonic clock (a wall clock that is put back would make them last), and the
 * moment, so many ms from now, until which to wait on it. */
void clock_condition(pthread_cond_t *c);
struct timespec clock_until(uint64_t ms);

/* Sleeps; returns early on a signal. */
void clock_sleep_ms(uint64_t ms);

/* A moment in UTC, by the Gregorian calendar. */
struct clock_date {
    uint64_t year;
    unsigned month, day; /* from 1 */
    unsigned hour, minute, second;
};
struct clock_date clock_date(uint64_t wall_ms);

#define CLOCK_ISO_SIZE 25 /* "2024-01-02T03:04:05.678Z" and NUL */

/* RFC 3339 in UTC with milliseconds, as Mastodon's clients expect. */
void clock_iso(uint64_t wall_ms, char out[CLOCK_ISO_SIZE]);

#endif
