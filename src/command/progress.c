/* progress.c - see progress.h. */
#include "command/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

#define EVERY_US 100000
#define WIDTH 30

struct progress progress_begin(void)
{
    return (struct progress){.shown = isatty(STDERR_FILENO) == 1, .began_us = clock_monotonic_us()};
}

void progress_show(struct progress *p, const char *what, uint64_t done, uint64_t total)
{
    uint64_t now = clock_monotonic_us();
    if (!p->shown || (p->dirty && now - p->drawn_us < EVERY_US)) {
        return;
    }
    p->drawn_us = now;
    p->dirty = true;
    if (total == 0) {
        fprintf(stderr, "\r\033[K%s %llu", what, (unsigned long long)done);
    } else {
        uint64_t part = done < total ? done : total;
        int filled = (int)(part * WIDTH / total);
        fprintf(stderr, "\r\033[K%s [%.*s%*s] %3d%%", what, filled, "##############################", WIDTH - filled,
                "", (int)(part * 100 / total));
    }
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->dirty) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        p->dirty = false;
    }
}

double progress_seconds(const struct progress *p)
{
    return (double)(clock_monotonic_us() - p->began_us) / 1e6;
}
