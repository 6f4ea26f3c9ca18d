/* source.h - what an answer was made of, so that it can be given again as long as none of that has changed.
 *
 * Whoever keeps data counts changes, each number greater than the one before, and has for each thing that he keeps a place
 * where the number of its last change stands; several things may share one. While a thread notes, all that it reads adds
 * the place of what was read, and the number up to which that was true. Later the same is true still if no place holds a
 * greater number, if those who count still hear of changes, and if its time is not over.
 *
 * Whoever reads something of which none of this can be said, or changes something, says source_unknown: then what is made
 * of it is not to be given again.
 *
 * What this is not: a place to keep anything in (kept.h).
 *
 * Threads: noting belongs to the thread; places are written by any.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

typedef _Atomic uint64_t source_place;

struct source_item {
    const source_place *place;
    uint64_t number; /* true as long as the place holds no greater one */
};

/* Whether somebody who counts changes hears of all of them. */
struct source_witness {
    bool (*is_trusted)(const void *who);
    const void *who;
};

#define SOURCE_WITNESSES 4

struct sources {
    uint64_t until_us; /* of the monotonic clock */
    size_t count;
    struct source_witness witnesses[SOURCE_WITNESSES]; /* ended by NULL, if there are fewer */
    struct source_item items[];
};

/* --- changes ------------------------------------------------------------------------------------------------------- */

/* A change of that number. A place never goes back, in whatever order two threads come. */
void source_change(source_place *place, uint64_t number);

/* --- noting -------------------------------------------------------------------------------------------------------- */

/* This thread notes from now on what it reads, in the arena, until sources_end. */
void sources_begin(struct arena *a);

/* What was noted, in the arena; NULL: something is unknown, it is too much, or it is over already. */
const struct sources *sources_end(void);

/* Nothing of these does anything in a thread that does not note. */
void source_add(const source_place *place, uint64_t number);
void source_trust(bool (*is_trusted)(const void *who), const void *who);
void source_until(uint64_t monotonic_us);
void source_until_site(uint64_t now_ms, uint64_t then_ms); /* the same for the site's clock: now, and the end */
void source_unknown(void);

/* --- afterwards ---------------------------------------------------------------------------------------------------- */

size_t sources_size(const struct sources *s); /* bytes: it can be copied */
bool sources_are_true(const struct sources *s);

#endif
