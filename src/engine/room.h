/* room.h - room on the disk for what the engine writes: when it runs low, the engine is told to refuse writes in time.
 *
 * Internal to src/engine. Threads: the supervisor's; room_note_flush and room_is_short any.
 */
#ifndef ENGINE_ROOM_H
#define ENGINE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#define ROOM_LOOK_MS 250

struct room {
    const char *directory;   /* where the engine writes */
    const char *socket_path; /* the engine's */
    uint64_t reserve_mib;    /* what must be free; 0: whatever is */
    bool always;             /* redis.durability */
    bool closed;             /* the engine refuses writes because of us */
    uint64_t looked_us;
};

/* Before the engine starts: decides whether it must begin by refusing writes. `failed`: it just ended because it could
 * not write. Returns the words to add to its command line, ended by NULL. */
const char *const *room_before_start(struct room *r, bool failed);

/* Whether an engine with these last words ended because it could not write. */
bool room_ended_it(const char *last_words);

/* May be called as often as you like while the engine runs: looks at the disk now and then, and stops or allows
 * writes. */
void room_look(struct room *r);

/* Notes whether the engine's writes could be brought to the disk. */
void room_note_flush(bool ok);

/* True while the embedded engine refuses writes for want of room: for messages. */
bool room_is_short(void);

#endif
