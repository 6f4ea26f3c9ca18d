/* purge.c - see purge.h. */
#include "social/people/purge.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "store/store.h"

#define PURGED_AT_A_TIME 100

/* The first ids of a sorted set, or some of a hash. */
static enum err first_of(struct social *s, struct arena *a, enum key key, uint64_t uid, uint64_t **ids, size_t *count)
{
    struct store_batch *b = store_batch_new(s->store, a);
    if (strcmp(key_info(key)->type, "hash") == 0) {
        store_command(b, id_bucket(uid), "HRANDFIELD", key_id(a, key, uid), TEXT_OF(PURGED_AT_A_TIME), NULL);
    } else {
        store_command(b, id_bucket(uid), "ZRANGE", key_id(a, key, uid), "0", store_last(a, PURGED_AT_A_TIME), NULL);
    }
    enum err e = store_run(b);
    const struct store_reply *r = store_reply(b, 0);
    *count = e == ERR_OK ? r->count : 0;
    *ids = arena_alloc(a, (*count + 1) * sizeof(**ids));
    if (e == ERR_OK) {
        store_list_ids(r, *ids);
    }
    return e;
}

enum err purge_drop_entry(struct social *s, struct arena *a, enum key key, uint64_t uid, uint64_t entry)
{
    char digits[ID_SIZE];
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "ZREM", key_id(a, key, uid), id_write(entry, digits), NULL);
    return store_run(b);
}

static enum err finish(struct social *s, struct arena *a, struct job *j)
{
    char digits[ID_SIZE];
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, KEY_GLOBAL_BUCKET, "LREM", key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET), "0",
                  id_write(j->uid, digits), NULL);
    for (const struct remains *const *r = s->parts->remains; *r; r++) {
        if ((*r)->end_add) {
            (*r)->end_add(b, a, j->uid);
        }
    }
    event_add(s, b, a, EVENT_USER, j->uid);
    job_done_add(b, j);
    return store_run(b);
}

/* Takes away some things of the first sort that still has any. */
static enum err purge_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    for (const struct remains *const *r = s->parts->remains; *r; r++) {
        uint64_t *ids;
        size_t count = 0;
        enum err e = (*r)->remove ? first_of(s, a, (*r)->key, j->uid, &ids, &count) : ERR_OK;
        if (e == ERR_OK && count) {
            e = (*r)->remove(s, a, j->uid, ids, count);
            return e == ERR_OK ? job_save(s, a, j, (*r)->name) : e;
        }
        if (e != ERR_OK) {
            return e;
        }
    }
    *done = true;
    return finish(s, a, j);
}

const struct job_class purge_job = {
    .name = "purge", .step = purge_step, .size = sizeof(struct job), .about = JOB_ABOUT_OWNER};
