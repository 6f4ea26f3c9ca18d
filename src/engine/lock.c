/* lock.c - see lock.h. POSIX record locks (fcntl) rather than flock: F_GETLK names the holder.
 *
 * Threads: the main thread.
 */
#include "engine/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define POLL_MS 10
#define PATH_SIZE 4096

int lock_open(const char *directory, FILE *report)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof(path), "%s/lock", directory);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        fprintf(report, "state.directory: %s: %s\n", path, strerror(errno));
    }
    return fd;
}

static struct flock request(short type, enum lock_role role)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = role, .l_len = 1};
}

bool lock_try(int fd, enum lock_role role)
{
    struct flock f = request(F_WRLCK, role);
    return fcntl(fd, F_SETLK, &f) == 0;
}

void lock_release(int fd, enum lock_role role)
{
    struct flock f = request(F_UNLCK, role);
    fcntl(fd, F_SETLK, &f);
}

pid_t lock_holder(int fd, enum lock_role role)
{
    struct flock f = request(F_WRLCK, role);
    if (fcntl(fd, F_GETLK, &f) != 0 || f.l_type == F_UNLCK) {
        return 0;
    }
    return f.l_pid > 0 ? f.l_pid : -1;
}

pid_t lock_wait(int fd, enum lock_role role, uint64_t timeout_ms)
{
    uint64_t end = clock_monotonic_us() + timeout_ms * 1000;
    while (!lock_try(fd, role)) {
        pid_t holder = lock_holder(fd, role);
        if (holder && clock_monotonic_us() >= end) {
            return holder;
        }
        clock_sleep_ms(POLL_MS);
    }
    return 0;
}
