/* clock.c - see clock.h. Any thread. */
#include "base/clock.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CLOCK_LAST_MS 253402300799999 /* 9999-12-31T23:59:59.999Z */

static const _Atomic int64_t *shift_ms; /* of a test; NULL: none */

/* Site time minus the monotonic clock, in us; 0: not known. */
static _Atomic int64_t site_base_us;

bool clock_setup(void)
{
    const char *path = getenv("RETWIS_TEST_CLOCK");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    struct stat st;
    if (fd < 0) {
        return false;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == sizeof(*shift_ms)) {
        void *file = mmap(NULL, sizeof(*shift_ms), PROT_READ, MAP_SHARED, fd, 0);
        shift_ms = file == MAP_FAILED ? NULL : file;
    }
    close(fd);
    return shift_ms != NULL;
}

uint64_t clock_wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
    return shift_ms ? ms + (uint64_t)atomic_load(shift_ms) : ms;
}

static uint64_t clock_read_us(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

uint64_t clock_monotonic_us(void)
{
    return clock_read_us(CLOCK_MONOTONIC);
}

uint64_t clock_tick_us(void)
{
    return clock_read_us(CLOCK_MONOTONIC_COARSE);
}

uint64_t clock_site_ms(void)
{
    int64_t base = atomic_load(&site_base_us);
    return base ? (uint64_t)(base + (int64_t)clock_monotonic_us()) / 1000 : clock_wall_ms();
}

/* The engine read its clock at some moment between the two, so any value between them may be right. The first one taken
 * is what this machine's own clock says, which is usually kept right by NTP. */
void clock_site_set(uint64_t engine_ms, uint64_t asked_us, uint64_t answered_us)
{
    int64_t least = (int64_t)(engine_ms * 1000 - answered_us), most = (int64_t)(engine_ms * 1000 + 999 - asked_us);
    int64_t known = atomic_load(&site_base_us);
    int64_t base = known ? known : (int64_t)(clock_wall_ms() * 1000 - clock_monotonic_us());
    base = base < least ? least : base > most ? most : base;
    if (base != known) {
        atomic_store(&site_base_us, base);
    }
}

void clock_condition(pthread_cond_t *c)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(c, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct timespec clock_until(uint64_t ms)
{
    uint64_t us = clock_monotonic_us() + ms * 1000;
    return (struct timespec){.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000};
}

void clock_sleep_ms(uint64_t ms)
{
    struct timespec t = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&t, NULL);
}

/* The civil calendar in whole numbers, years beginning in March (Howard Hinnant, "chrono-compatible low-level date
 * algorithms"). gmtime_r asks for the lock of the time zone, which all threads share. */
struct clock_date clock_date(uint64_t wall_ms)
{
    uint64_t seconds = wall_ms / 1000;
    unsigned of_day = (unsigned)(seconds % CLOCK_DAY_SECONDS);
    uint64_t days = seconds / CLOCK_DAY_SECONDS + 719468; /* since 0000-03-01 */
    unsigned of_era = (unsigned)(days % 146097);
    unsigned year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned march_month = (5 * of_year + 2) / 153;
    struct clock_date d;
    d.day = of_year - (153 * march_month + 2) / 5 + 1;
    d.month = march_month < 10 ? march_month + 3 : march_month - 9;
    d.year = year_of_era + days / 146097 * 400 + (d.month <= 2);
    d.hour = of_day / 3600;
    d.minute = of_day / 60 % 60;
    d.second = of_day % 60;
    return d;
}

/* So many digits and the character behind them. */
static char *clock_put(char *out, unsigned n, size_t width, char then)
{
    for (size_t i = width; i-- > 0; n /= 10) {
        out[i] = (char)('0' + n % 10);
    }
    out[width] = then;
    return out + width + 1;
}

void clock_iso(uint64_t wall_ms, char out[CLOCK_ISO_SIZE])
{
    if (wall_ms > CLOCK_LAST_MS) {
        wall_ms = 0;
    }
    struct clock_date d = clock_date(wall_ms);
    out = clock_put(out, (unsigned)d.year, 4, '-');
    out = clock_put(out, d.month, 2, '-');
    out = clock_put(out, d.day, 2, 'T');
    out = clock_put(out, d.hour, 2, ':');
    out = clock_put(out, d.minute, 2, ':');
    out = clock_put(out, d.second, 2, '.');
    *clock_put(out, (unsigned)(wall_ms % 1000), 3, 'Z') = '\0';
}
