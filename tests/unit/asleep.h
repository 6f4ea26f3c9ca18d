/* asleep.h - whether another thread of this process sleeps, as it does when it waits for its turn. */
#ifndef TESTS_ASLEEP_H
#define TESTS_ASLEEP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* This thread, as asleep_is knows it. */
static inline int asleep_id(void)
{
    return (int)syscall(SYS_gettid);
}

static inline bool asleep_is(int id)
{
    char path[64], line[256] = "";
    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", id);
    FILE *f = fopen(path, "r");
    bool ok = f && fgets(line, sizeof(line), f);
    if (f) {
        fclose(f);
    }
    const char *name_end = strrchr(line, ')');
    return ok && name_end && strncmp(name_end, ") S", 3) == 0;
}

#endif
