/* clock.h - the three clocks and how times look.
 *
 * Site time (ms since 1970, UTC) goes into ids and records: it is the engine's clock, which all servers of a site
 * share, as far as it is known, and it goes on evenly whatever is done to this machine's clock. Wall time is this
 * machine's own clock, for what never leaves this machine. The monotonic clock measures deadlines and durations and is
 * never stored.
 *
 * Threads: clock_setup by the main thread before there are others; the rest by all.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_DAY_MS 86400000
#define CLOCK_DAY_SECONDS 86400

/* For tests alone: RETWIS_TEST_CLOCK names a file of 8 bytes, a signed number of ms in the machine's byte order, that
 * this process adds to the wall clock. The test may change it at any time. Without such a file nothing is added.
 * Returns whether there is one. */
bool clock_setup(void);

uint64_t clock_wall_ms(void);
uint64_t clock_monotonic_us(void);

/* The monotonic clock as the kernel's last tick left it: never ahead, and less than CLOCK_TICK_US behind (a kernel lets five
 * ticks of at most 10 ms pass when a virtual processor stands still). It costs a tenth, for what is asked many times a page. */
#define CLOCK_TICK_US 50000
uint64_t clock_tick_us(void);

/* Wall time until the engine's clock is known. */
uint64_t clock_site_ms(void);

/* The engine said that its clock shows engine_ms; it was asked and answered at these moments of the monotonic clock.
 * The quicker the answer, the more exactly its clock is known. */
void clock_site_set(uint64_t engine_ms, uint64_t asked_us, uint64_t answered_us);

/* A condition whose timed waits go by the monotonic clock (a wall clock that is put back would make them last), and the
 * time so many ms from now, for such a wait. */
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
