/* aof.h - reads one append-only file of the engine without an engine, and says which parts are whole and when they were
 * written.
 *
 * Such a file is a sequence of commands in the engine's protocol, some of them bound together by MULTI and EXEC, with a
 * line "#TS:<seconds>" in front of the first of each second. A unit is a part that can be applied by itself: a command,
 * or a transaction from its MULTI to its EXEC. There are no checksums, so a wrong byte within a text is not noticed.
 *
 * What this is not: the files of a data directory and their repair (aof_repair.h); the meaning of commands.
 *
 * Internal to src/engine. Threads: any; a scan has its own memory.
 */
#ifndef ENGINE_AOF_H
#define ENGINE_AOF_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that belong to no whole unit. */
struct aof_gap {
    uint64_t from, to;
    uint64_t before_s; /* unix time of the last whole unit in front of it, and of the first behind; 0: not known */
    uint64_t after_s;
};

#define AOF_GAPS 32

struct aof_scan {
    uint64_t size;
    uint64_t units;        /* whole ones */
    uint64_t units_behind; /* of these, how many stand behind the first gap */
    uint64_t last_s;       /* time of the last whole one */
    unsigned gaps;
    struct aof_gap gap[AOF_GAPS]; /* in order; when there are more, the last one reaches from there to the end of all */
};

/* Reads the whole file. False with errno when it cannot be read. */
bool aof_scan(int fd, struct aof_scan *out);

/* True if the one gap is at the end of the file. */
bool aof_is_torn(const struct aof_scan *s);

#endif
