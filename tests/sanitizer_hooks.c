/* sanitizer_hooks.c - keeps the sanitizers away from the engine's process. Only in `make asan` and `make tsan`.
 *
 * The engine in the program is the ordinary build, which the sanitizers do not see into: its own allocator hides
 * pointers from the leak check, its atomics are unknown to the race check. It is a process of its own ("retwis engine",
 * or a unit test program as "… engine"), so the reports can be turned off there and nowhere else. The sanitizers ask
 * for their options before the C library is ready, hence the bare system calls.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *__asan_default_options(void);
const char *__tsan_default_options(void);

__attribute__((no_sanitize("address", "undefined", "thread"))) static bool is_engine(void)
{
    char line[4096] = {0};
    long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        return false;
    }
    long length = syscall(SYS_read, fd, line, sizeof(line) - 1);
    syscall(SYS_close, fd);

    static const char wanted[] = "engine";
    long i = 0;
    while (i < length && line[i] != '\0') { /* skip the program's name */
        i++;
    }
    for (size_t k = 0; k < sizeof(wanted); k++) {
        if (++i >= (long)sizeof(line) || line[i] != wanted[k]) {
            return false;
        }
    }
    return true;
}

__attribute__((no_sanitize("address", "undefined", "thread"))) const char *__asan_default_options(void)
{
    return is_engine() ? "detect_leaks=0" : "";
}

__attribute__((no_sanitize("address", "undefined", "thread"))) const char *__tsan_default_options(void)
{
    /* when it forks, its allocator takes more locks at once than the search for deadlocks can count */
    return is_engine() ? "report_bugs=0:detect_deadlocks=0" : "";
}
