/* rebuild.c - see rebuild.h. Any thread. */
#include "social/timelines/rebuild.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

#define CHUNK "1000"

void rebuild_add(struct store_batch *b, uint64_t uid)
{
    char stamp[ID_SIZE];
    script_home_drop_add(b, &(struct script_home_drop){.uid = uid, .stamp = id_write(secret_random_u64(), stamp)});
}

static void end_home(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_HOME, uid), key_id(a, KEY_HOMESTATE, uid), NULL);
}

const struct remains rebuild_remains = {.name = "home", .end_add = end_home};

enum err rebuild_home(struct social *s, struct arena *a, uint64_t uid)
{
    struct store_batch *b = store_batch_new(s->store, a);
    rebuild_add(b, uid);
    return store_run(b);
}

/* The next users of a bucket, `after` being a BYLEX bound; drops their homes and moves the bound. */
static enum err drop_chunk(struct social *s, struct arena *a, unsigned bucket, char after[ID_SIZE + 1], size_t *found)
{
    struct store_batch *read = store_batch_new(s->store, a);
    store_command(read, bucket, "ZRANGE", key_plain(a, KEY_USERS, bucket), after, "+", "BYLEX", "LIMIT", "0", CHUNK,
                  NULL);
    enum err e = store_run(read);
    const struct store_reply *ids = store_reply(read, 0);
    *found = e == ERR_OK ? ids->count : 0;
    struct store_batch *drop = store_batch_new(s->store, a);
    for (size_t i = 0; i < *found; i++) {
        uint64_t uid = id_parse(store_text(&ids->items[i]));
        if (uid) {
            rebuild_add(drop, uid);
            after[0] = '(';
            id_write(uid, after + 1);
        }
    }
    return e == ERR_OK ? store_run(drop) : e;
}

enum err rebuild_all(struct social *s, void (*step)(void *context, unsigned bucket, uint64_t done), void *context,
                     uint64_t *done)
{
    struct arena *a = arena_new();
    enum err e = ERR_OK;
    *done = 0;
    for (unsigned bucket = 0; e == ERR_OK && bucket < ID_BUCKETS; bucket++) {
        char after[ID_SIZE + 1] = "-", before[ID_SIZE + 1];
        size_t found;
        do {
            arena_reset(a);
            strcpy(before, after);
            e = drop_chunk(s, a, bucket, after, &found);
            *done += found;
            if (step) {
                step(context, bucket, *done);
            }
        } while (e == ERR_OK && found && strcmp(before, after) != 0);
    }
    arena_free(a);
    return e;
}
