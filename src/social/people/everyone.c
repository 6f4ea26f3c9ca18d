/* everyone.c - see everyone.h. One thread at a time per visit. */
#include "social/people/everyone.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/people/population.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/reply.h"
#include "store/store.h"

struct everyone_read {
    struct people out;
    size_t first, replies, most;
};

static enum err take_everyone(struct visit *v, void *self)
{
    struct everyone_read *r = self;
    uint64_t *ids = arena_alloc(v->arena, (r->most + 1) * sizeof(*ids));
    size_t n = 0;
    for (size_t i = 0; i < r->replies; i++) {
        const struct store_reply *rows = visit_reply(v, r->first + i);
        for (size_t k = 0; k < rows->count && n < r->most; k++) {
            ids[n++] = id_parse(store_text(&rows->items[k]));
        }
    }
    people_beside_ask(v, ids, n, &r->out);
    return ERR_OK;
}

const struct people *everyone_ask(struct visit *v, size_t from, size_t count)
{
    uint32_t people[ID_BUCKETS];
    struct everyone_read *r = arena_zero(v->arena, sizeof(*r));
    population_buckets(v->social, v->arena, people);
    r->first = store_batch_count(v->reads.batch);
    r->most = count;
    for (unsigned bucket = 0; bucket < ID_BUCKETS && count; bucket++) {
        size_t here = people[bucket] > from ? people[bucket] - from : 0;
        here = here < count ? here : count;
        if (here) {
            store_command(v->reads.batch, bucket, "ZRANGE", key_plain(v->arena, KEY_USERS, bucket),
                          arena_printf(v->arena, "%zu", from), arena_printf(v->arena, "%zu", from + here - 1), NULL);
            r->replies++;
        }
        from = people[bucket] > from ? 0 : from - people[bucket];
        count -= here;
    }
    visit_then(v, take_everyone, r);
    return &r->out;
}
