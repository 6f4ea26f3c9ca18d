/* comeback.c - see comeback.h. The main thread. */
#include "command/comeback.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "command/notify.h"

#define AT_ONCE 2 /* runs that may fail before anybody waits */
#define TICK_MS 50

/* What the file says: how many runs in a row failed before the last start, and when that was. */
struct record {
    unsigned failed;
    uint64_t started_ms;
};

/* The pause before a start, in ms, after so many runs that did not end in order. */
static unsigned comeback_pause_ms(unsigned runs)
{
    if (runs <= AT_ONCE) {
        return 0;
    }
    unsigned doublings = runs - AT_ONCE - 1;
    unsigned pause = doublings < 10 ? 1000u << doublings : COMEBACK_LONGEST_MS;
    return pause < COMEBACK_LONGEST_MS ? pause : COMEBACK_LONGEST_MS;
}

static const char *comeback_path(const char *directory, char *out, size_t size)
{
    snprintf(out, size, "%s/" COMEBACK_FILE, directory);
    return out;
}

static bool read_record(const char *path, struct record *out)
{
    FILE *f = fopen(path, "re");
    unsigned long long started;
    bool good = f && fscanf(f, "%u %llu", &out->failed, &started) == 2 && out->failed < 1000000;
    if (f) {
        fclose(f);
    }
    out->started_ms = good ? started : 0;
    return good;
}

/* If it cannot be written, starts do not wait; the server serves all the same. */
static void write_record(const char *path, const struct record *r)
{
    FILE *f = fopen(path, "we");
    if (f) {
        fprintf(f, "%u %llu\n", r->failed, (unsigned long long)r->started_ms);
        fclose(f);
    }
}

/* If the clock was set meanwhile, a run may look old or lie in the future: then it does not count. */
static unsigned count_failed(const char *path, uint64_t now)
{
    struct record last;
    if (!read_record(path, &last) || now < last.started_ms || now - last.started_ms > COMEBACK_CALM_MS) {
        return 0;
    }
    return last.failed + 1;
}

void comeback_wait(const char *directory, bool (*over)(void))
{
    char path[4096];
    uint64_t now = clock_wall_ms();
    if (!getenv("NOTIFY_SOCKET")) {
        return;
    }
    unsigned failed = count_failed(comeback_path(directory, path, sizeof(path)), now);
    unsigned pause = comeback_pause_ms(failed);
    struct record r = {failed, now + pause};
    write_record(path, &r);
    if (!pause) {
        return;
    }
    log_warning("serve", "the last %u runs did not end in order: waiting %u s before the next", failed, pause / 1000);
    notify_send("STATUS=Waiting %u s after %u runs that did not end in order", pause / 1000, failed);
    for (unsigned waited = 0; waited < pause && !over(); waited += TICK_MS) {
        clock_sleep_ms(TICK_MS);
    }
}

void comeback_forget(const char *directory)
{
    char path[4096];
    unlink(comeback_path(directory, path, sizeof(path)));
}
