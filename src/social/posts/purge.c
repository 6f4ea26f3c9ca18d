/* purge.c - the job that takes away what a deleted user left: posts, both sides of his relations, lists, in chunks. The name and
 * the empty record stay, so that nobody else becomes him. Any worker thread. */

#include "base/arena.h"
#include "base/id.h"
#include "social/core/job.h"
#include "social/core/job_steps.h"
#include "social/core/social.h"
#include "social/people/follow.h"
#include "social/posts/post.h"
#include "social/timelines/list.h"
#include "store/keys.h"
#include "store/store.h"

#define LAST_OF_CHUNK "99"

/* The first ids of a sorted set. */
static enum err first_of(struct social *s, struct arena *a, enum key key, uint64_t uid, uint64_t **ids, size_t *count)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "ZRANGE", key_id(a, key, uid), "0", LAST_OF_CHUNK, NULL);
    enum err e = store_run(b);
    const struct store_reply *r = store_reply(b, 0);
    *count = e == ERR_OK ? r->count : 0;
    *ids = arena_alloc(a, (*count + 1) * sizeof(**ids));
    for (size_t i = 0; i < *count; i++) {
        (*ids)[i] = id_parse(store_text(&r->items[i]));
    }
    return e;
}

/* Drops an entry that nothing stands behind, or this job would never end. */
static enum err drop_entry(struct social *s, struct arena *a, enum key key, uint64_t uid, uint64_t entry)
{
    char digits[ID_SIZE];
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "ZREM", key_id(a, key, uid), id_write(entry, digits), NULL);
    return store_run(b);
}

static enum err delete_posts(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = post_delete(s, a, uid, false, ids[i]);
        if (e == ERR_NOT_FOUND || e == ERR_FORBIDDEN) { /* no such post, or somebody else's */
            e = drop_entry(s, a, KEY_POSTS, uid, ids[i]);
        }
    }
    return e;
}

static enum err end_following(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    return follow_end(s, a, uid, ids, count);
}

static enum err end_followers(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = follow_end(s, a, ids[i], &uid, 1);
        if (e == ERR_OK || e == ERR_NOT_FOUND) { /* he did not follow, or does not exist: still the entry goes */
            e = drop_entry(s, a, KEY_FOLLOWERS, uid, ids[i]);
        }
    }
    return e;
}

static enum err delete_lists(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = list_delete(s, a, uid, ids[i]);
        if (e == ERR_NOT_FOUND) { /* somebody else's */
            e = drop_entry(s, a, KEY_LISTS, uid, ids[i]);
        }
    }
    return e;
}

static const struct {
    enum key key;
    const char *name;
    enum err (*remove)(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count);
} parts[] = {
    {KEY_POSTS, "posts", delete_posts},
    {KEY_FOLLOWING, "following", end_following},
    {KEY_FOLLOWERS, "followers", end_followers},
    {KEY_LISTS, "lists", delete_lists},
};

static enum err finish(struct social *s, struct arena *a, struct job *j)
{
    char digits[ID_SIZE];
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, KEY_GLOBAL_BUCKET, "LREM", key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET), "0",
                  id_write(j->uid, digits), NULL);
    store_command(b, id_bucket(j->uid), "DEL", key_id(a, KEY_HOME, j->uid), key_id(a, KEY_HOMESTATE, j->uid),
                  key_id(a, KEY_NEWEST, j->uid), NULL);
    social_announce(b, a, 'u', j->uid);
    job_done_add(b, a, j);
    return store_run(b);
}

enum err job_step_purge(struct social *s, struct arena *a, struct job *j, bool *done)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        uint64_t *ids;
        size_t count;
        enum err e = first_of(s, a, parts[i].key, j->uid, &ids, &count);
        if (e == ERR_OK && count) {
            e = parts[i].remove(s, a, j->uid, ids, count);
            return e == ERR_OK ? job_save(s, a, j, parts[i].name) : e;
        }
        if (e != ERR_OK) {
            return e;
        }
    }
    *done = true;
    return finish(s, a, j);
}
