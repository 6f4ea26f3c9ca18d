/* home_known.c - see home_known.h. Any thread. */
#include "social/timelines/home_known.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "store/store.h"

struct known_ids {
    uint64_t late;
    char stamp[ID_SIZE];
    uint64_t ids[HOME_KNOWN];
};

static size_t known_size(size_t count)
{
    return offsetof(struct known_ids, ids) + count * sizeof(uint64_t);
}

void home_known_keep(struct visit *v, const struct timeline_ids *newest)
{
    struct known_ids k = {.late = v->home.late};
    size_t count = newest->count < HOME_KNOWN ? newest->count : HOME_KNOWN;
    if (count == 0 || strlen(v->home.stamp) >= sizeof(k.stamp)) {
        return;
    }
    memcpy(k.stamp, v->home.stamp, strlen(v->home.stamp));
    memcpy(k.ids, newest->ids, count * sizeof(uint64_t));
    cache_put(v->social->cache, CACHE_WINDOW, v->viewer.id, &k, known_size(count),
              store_batch_marked(v->reads.answers));
}

/* Of the list as v->home describes it; false: there is nothing of that. */
static bool find_known(struct visit *v, struct timeline_ids *out)
{
    size_t size;
    struct known_ids *k = cache_get(v->social->cache, CACHE_WINDOW, v->viewer.id, v->arena, &size);
    if (!k || k->late != v->home.late || strcmp(k->stamp, v->home.stamp) != 0) {
        return false;
    }
    *out = (struct timeline_ids){k->ids, (size - known_size(0)) / sizeof(uint64_t)};
    return true;
}

/* Whether the list behind its first ids, here in their order, is as it was: what of them was there stands at their end, and
 * nothing else does, unless it was too old to be remembered. */
static bool is_behind_known(const struct timeline_ids *first, const struct timeline_ids *known)
{
    uint64_t lowest = known->ids[known->count - 1];
    bool is_old = false, is_joined = true;
    for (size_t i = 0; i < first->count && is_joined; i++) {
        bool has = timeline_has(known, first->ids[i]);
        is_joined = !is_old || has || first->ids[i] < lowest;
        is_old |= has;
    }
    return is_old && is_joined;
}

struct timeline_ids home_known_join(struct visit *v, struct timeline_ids first, size_t need)
{
    struct timeline_ids known, all = {0};
    if (!find_known(v, &known) || !is_behind_known(&first, &known)) {
        return all;
    }
    all.ids = arena_alloc(v->arena, (first.count + known.count) * sizeof(uint64_t));
    for (size_t i = 0; i < first.count; i++) { /* of older ones there may be others */
        if (first.ids[i] > known.ids[known.count - 1]) {
            all.ids[all.count++] = first.ids[i];
        }
    }
    memcpy(all.ids + all.count, known.ids, known.count * sizeof(uint64_t));
    all.count += known.count;
    timeline_sort(&all);
    if (all.count < need) {
        return (struct timeline_ids){0};
    }
    home_known_keep(v, &all);
    return all;
}
