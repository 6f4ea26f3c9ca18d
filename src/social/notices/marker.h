/* marker.h - how far somebody has read his home and his notices, so that his next device can go on there.
 *
 * The clients of the API say it; nothing is shown by it on pages. Only the marker of the notices means more: what lies
 * before it counts as seen (notice.h), and what a page has shown lies before it.
 *
 * Threads: any; a visit belongs to one.
 */
#ifndef SOCIAL_NOTICES_MARKER_H
#define SOCIAL_NOTICES_MARKER_H

#include <stdint.h>

#include "base/err.h"

struct actor;
struct arena;
struct remains;
struct social;
struct visit;

enum marker_of { MARKER_HOME, MARKER_NOTICES, MARKERS_OF };

/* "home", "notifications". */
const char *marker_word(enum marker_of what);

struct marker {
    uint64_t last; /* id of what was read last; 0: there is no such marker */
    uint64_t version, updated_ms;
};

struct markers {
    struct marker of[MARKERS_OF];
};

/* The visitor's. One round trip. */
const struct markers *markers_ask(struct visit *v);

/* Action (action.h): sets those whose `last` is not 0, and their version and updated_ms. ERR_NOT_FOUND: he is gone. */
enum err marker_set(struct social *s, struct arena *a, const struct actor *by, struct markers *m);

/* Handed over at start: what a deleted user leaves. */
extern const struct remains marker_remains;

#endif
