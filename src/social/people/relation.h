/* relation.h - how other people stand to the visitor: whether they follow him, or ask to; and what he keeps about them.
 * How he stands to them the visit knows (visit_follows, visit_asked, visit_apart, visit_tie), which this read asks for,
 * too. Reading alone.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_RELATION_H
#define SOCIAL_PEOPLE_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct visit;

struct relation {
    uint64_t uid;
    bool followed_by, requested_by;
    bool endorsed;      /* the visitor recommends him */
    const char *remark; /* what the visitor has noted about him; "" */
};

struct relations {
    struct relation *items; /* one for each id, in their order */
    size_t count;
};

/* Of these people, whether there are such or not; all false for a visitor who is not signed in. */
const struct relations *relation_ask(struct visit *v, const uint64_t *ids, size_t count);

#endif
