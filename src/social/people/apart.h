/* apart.h - from whom people stand apart: blocking, muting, and taking a follower away.
 *
 * A block has two sides in two buckets. That of the one who blocks is the truth: it is written first, together with a
 * durable job that brings the other side after it. From the first moment on neither can follow the other (follow.lua,
 * follower.lua). A mute and its end are nobody else's business and lie on one side.
 *
 * What this is not: who may see what because of it (posts/see.h), and what a visit knows of it (visit_apart.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_APART_H
#define SOCIAL_PEOPLE_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/follow.h"

#define APART_MOST 5000 /* whom one user may block or mute */
#define APART_LIMIT "5000"

/* Actions (action.h), upon whom item->name names. They set its name, uid and result: FOLLOW_CHANGED; FOLLOW_UNCHANGED:
 * it was so already; FOLLOW_SELF and FOLLOW_UNKNOWN: nothing was done. ERR_CONFLICT: the actor would block or mute more
 * than APART_LIMIT. Two round trips, and three more for what has another side; of what was so already, one that looks
 * whether that side is too, because it may be a block whose process died. */

/* Blocks: both follow each other no more. */
enum err apart_block(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                     struct problems *p);
enum err apart_unblock(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                       struct problems *p);

struct apart_mute {
    bool notifications; /* his too */
    uint64_t seconds;   /* for how long; 0: until it is taken back */
};

/* Mutes, or says anew how. FOLLOW_CHANGED whatever was before. */
enum err apart_mute(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                    const struct apart_mute *how, struct problems *p);
enum err apart_unmute(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                      struct problems *p);

/* Whoever is named follows the actor no more, without being blocked. FOLLOW_CHANGED whether he did or not. */
enum err apart_remove(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                      struct problems *p);

/* One page of those whom the visitor blocks (APART_BLOCKS, visit_apart.h) or mutes (APART_MUTES). The cursors of the
 * query and of the page are ids of users; who joined last comes first. */
struct apart_row {
    struct user user;
    uint64_t until_ms; /* when the mute ends; 0: never */
};

struct apart_page {
    struct apart_row *rows;
    size_t count;
    uint64_t older_id, newer_id; /* for max_us and min_us; 0: nothing there */
};

const struct apart_page *apart_list_ask(struct visit *v, unsigned flag, const struct follow_query *q);

/* Brings the other side of a block, or of its end, after that of `uid`, as the job does: for the repair. */
enum err apart_mend(struct social *s, struct arena *a, uint64_t uid, uint64_t other);

/* What is handed over at start: the job that brings the other side after, and what a deleted user leaves. */
extern const struct job_class apart_job;
extern const struct remains apart_remains;

#endif
