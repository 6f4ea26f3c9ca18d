/* shifted_clock.h - a monotonic clock that the test shifts, for the whole program: hours pass without anybody waiting.
 * The kernel's own waits do not know of it. */
#ifndef TESTS_SHIFTED_CLOCK_H
#define TESTS_SHIFTED_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t shift_s;

/* Instead of the C library's. */
int clock_gettime(clockid_t which, struct timespec *out)
{
    int result = (int)syscall(SYS_clock_gettime, which, out);
    out->tv_sec += which == CLOCK_MONOTONIC ? shift_s : 0;
    return result;
}

#endif
