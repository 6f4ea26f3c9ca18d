/* room.c - see room.h.
 *
 * An engine notices that it cannot write only after it has made a change, which must not be acknowledged then: our
 * engine ends before it answers anybody (packaging/deps/build, patch_valkey). Started again, it would end with the next
 * write, and nothing could be read meanwhile. So it must not come that far: below a reserve the engine is told to
 * refuse writes and to go on with reads.
 *
 * It is told by min-replicas-to-write: an engine without replicas then refuses every write, and every script that may
 * write before it runs; nothing else changes. The engine still writes some things by itself (that a key expired). It
 * must not end when that fails, so appendfsync is set to `no`, and so is stop-writes-on-bgsave-error, which decides
 * that in our engine. This comes in a second step, when everything that was acknowledged has left the engine's memory.
 *
 * Others can fill a disk between two looks, and a quota does not show in statvfs(2). Therefore an engine that ended
 * because it could not write starts again refusing writes, and they are allowed only after a file of some size could be
 * written.
 */
#define _GNU_SOURCE
#include "engine/room.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/probe.h"

#define TRY_FILE "room.tmp"
#define TRY_SIZE (256 * 1024)
#define PATH_SIZE 4096
#define CLOSED_LOOK_MS 1000
#define TIMEOUT_MS 200

static _Atomic bool flush_failed;
static _Atomic bool is_short;

void room_note_flush(bool ok)
{
    atomic_store(&flush_failed, !ok);
}

bool room_is_short(void)
{
    return atomic_load(&is_short);
}

static uint64_t free_mib(const struct room *r)
{
    struct statvfs s;
    return statvfs(r->directory, &s) == 0 ? (uint64_t)s.f_bavail * s.f_frsize >> 20 : UINT64_MAX;
}

static bool is_there(const struct room *r)
{
    return free_mib(r) >= r->reserve_mib && !atomic_load(&flush_failed);
}

static bool can_write(const struct room *r)
{
    static const char zeros[TRY_SIZE];
    char path[PATH_SIZE];
    snprintf(path, sizeof(path), "%s/" TRY_FILE, r->directory);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && write(fd, zeros, sizeof(zeros)) == (ssize_t)sizeof(zeros) && fdatasync(fd) == 0;
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return ok;
}

static void room_tell(const struct room *r, bool closed)
{
    if (closed) {
        log_error("engine",
                  "the disk of %s is full or fails (%llu MiB free, redis.disk_reserve is %llu): writes are refused "
                  "until there is room, reading goes on",
                  r->directory, (unsigned long long)free_mib(r), (unsigned long long)r->reserve_mib);
    } else {
        log_warning("engine", "there is room on the disk again: writes are allowed");
    }
}

static void set_closed(struct room *r, bool closed)
{
    if (r->closed != closed) {
        room_tell(r, closed);
    }
    r->closed = closed;
    atomic_store(&is_short, closed);
}

const char *const *room_before_start(struct room *r, bool failed)
{
    static const char *const refusing[] = {
        "--min-replicas-to-write", "1", "--appendfsync", "no", "--stop-writes-on-bgsave-error", "no", NULL};
    set_closed(r, r->closed || failed || !is_there(r));
    r->looked_us = clock_monotonic_us();
    return r->closed ? refusing : refusing + 6;
}

bool room_ended_it(const char *last_words)
{
    return strstr(last_words, "AOF write error") || strstr(last_words, "AOF for fsync error");
}

static bool configure(const struct room *r, const char *key, const char *value)
{
    const char *command[] = {"CONFIG", "SET", key, value};
    return probe_command(r->socket_path, TIMEOUT_MS, sizeof(command) / sizeof(*command), command);
}

/* An answer to the first step means that everything acknowledged before it has been written; otherwise the engine has
 * ended. */
static bool close_engine(const struct room *r)
{
    return configure(r, "min-replicas-to-write", "1") && configure(r, "stop-writes-on-bgsave-error", "no") &&
           configure(r, "appendfsync", "no");
}

static bool open_engine(const struct room *r)
{
    return configure(r, "appendfsync", r->always ? "always" : "no") &&
           configure(r, "stop-writes-on-bgsave-error", "yes") && configure(r, "min-replicas-to-write", "0");
}

void room_look(struct room *r)
{
    uint64_t now = clock_monotonic_us();
    if (now - r->looked_us < (r->closed ? CLOSED_LOOK_MS : ROOM_LOOK_MS) * 1000u) {
        return;
    }
    r->looked_us = now;
    bool closed = r->closed ? !is_there(r) || !can_write(r) : !is_there(r);
    if (closed != r->closed && (closed ? close_engine(r) : open_engine(r))) {
        set_closed(r, closed);
    }
}
