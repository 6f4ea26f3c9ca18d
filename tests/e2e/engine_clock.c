/* engine_clock.c - a wall clock that a test can move, for Debian's redis-server: preloaded into it by retwis_clock.py.
 *
 * The file that RETWIS_TEST_CLOCK names holds a signed number of ms, which is added to what the system says.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shift_ms;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("RETWIS_TEST_CLOCK");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *file = mmap(NULL, sizeof(*shift_ms), PROT_READ, MAP_SHARED, fd, 0);
        shift_ms = file == MAP_FAILED ? NULL : file;
        close(fd);
    }
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) {
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    }
    int result = real(id, t);
    if (result == 0 && id == CLOCK_REALTIME && shift_ms) {
        int64_t ns = t->tv_nsec + *shift_ms % 1000 * 1000000;
        t->tv_sec += (time_t)(*shift_ms / 1000) + (ns < 0 ? -1 : ns / 1000000000);
        t->tv_nsec = (long)(ns < 0 ? ns + 1000000000 : ns % 1000000000);
    }
    return result;
}

int gettimeofday(struct timeval *t, void *zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}
