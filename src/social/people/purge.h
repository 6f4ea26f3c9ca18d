/* purge.h - the job that takes away, in chunks, what a deleted user leaves behind. The name and the empty record stay,
 * so that nobody else gets his name.
 *
 * Each room knows what it keeps of a user and hands that over as rows (struct social_parts).
 *
 * Threads: any worker.
 */
#ifndef SOCIAL_PEOPLE_PURGE_H
#define SOCIAL_PEOPLE_PURGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "store/keys.h"

struct arena;
struct job_class;
struct social;
struct store_batch;

/* One sort of things that a user leaves. */
struct remains {
    const char *name; /* the cursor of the job while it is at these */
    enum key key;     /* the user's sorted set of their ids, or hash whose fields they are */
    /* Takes away what these entries of the set stand for, and the entries. NULL: there is no set. */
    enum err (*remove)(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count);
    /* Adds to the last batch of the job what takes away keys of the user's own. NULL: there are none. */
    void (*end_add)(struct store_batch *b, struct arena *a, uint64_t uid);
};

extern const struct job_class purge_job;

/* For `remove`: takes away an entry without a thing behind it; otherwise the job would never end. */
enum err purge_drop_entry(struct social *s, struct arena *a, enum key key, uint64_t uid, uint64_t entry);

#endif
