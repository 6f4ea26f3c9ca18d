/* hits.c - see hits.h. Pure functions. */
#include "social/search/hits.h"

#include "base/arena.h"
#include "base/id.h"

#include <stdlib.h>

#define BYTES 8

static uint64_t number_of(const char *bytes)
{
    uint64_t n = 0;
    for (size_t i = 0; i < BYTES; i++) {
        n = n << 8 | (unsigned char)bytes[i];
    }
    return n;
}

struct hit_list hits_of_bytes(struct arena *a, const char *bytes, size_t length, bool has_older)
{
    size_t n = length / BYTES;
    struct hit_list out = {.ids = arena_alloc(a, (n + 1) * sizeof(*out.ids)), .count = n};
    for (size_t i = 0; i < n; i++) {
        out.ids[i] = number_of(bytes + (n - 1 - i) * BYTES);
    }
    out.floor = has_older && n ? out.ids[n - 1] : 0;
    return out;
}

static bool is_on(const struct hit_list *l, uint64_t id)
{
    return l->count && bsearch(&id, l->ids, l->count, sizeof(id), id_newest_first) != NULL;
}

/* How many ids are not below this one. */
static size_t count_above(const struct hit_list *l, uint64_t floor)
{
    size_t from = 0, to = l->count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (l->ids[middle] >= floor) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

static uint64_t greater(uint64_t x, uint64_t y)
{
    return x > y ? x : y;
}

struct hit_list hits_joined(struct arena *a, const struct hit_list *x, const struct hit_list *y)
{
    struct hit_list out = {.floor = greater(x->floor, y->floor)};
    size_t i = 0, k = 0, nx = count_above(x, out.floor), ny = count_above(y, out.floor);
    out.ids = arena_alloc(a, (nx + ny + 1) * sizeof(*out.ids));
    while (i < nx || k < ny) {
        bool takes_x = k == ny || (i < nx && x->ids[i] >= y->ids[k]);
        uint64_t id = takes_x ? x->ids[i++] : y->ids[k++];
        if (out.count == 0 || out.ids[out.count - 1] != id) {
            out.ids[out.count++] = id;
        }
    }
    return out;
}

/* The list to go along: the shortest of those that are known whole, else of all. *floor: how far down. */
static const struct hit_list *leader(const struct hit_list *lists, size_t count, uint64_t *floor)
{
    const struct hit_list *whole = NULL, *shortest = NULL;
    *floor = 0;
    for (size_t i = 0; i < count; i++) {
        *floor = greater(*floor, lists[i].floor);
        if (!lists[i].floor && (!whole || lists[i].count < whole->count)) {
            whole = &lists[i];
        }
    }
    if (whole) {
        *floor = 0;
        return whole;
    }
    for (size_t i = 0; i < count; i++) {
        if (!shortest || count_above(&lists[i], *floor) < count_above(shortest, *floor)) {
            shortest = &lists[i];
        }
    }
    return shortest;
}

struct hit_list hits_common(struct arena *a, const struct hit_list *lists, size_t count, bool *is_certain)
{
    uint64_t floor;
    const struct hit_list *along = leader(lists, count, &floor);
    struct hit_list out = {.ids = arena_alloc(a, (along->count + 1) * sizeof(*out.ids)), .floor = floor};
    size_t end = count_above(along, floor);
    *is_certain = true;
    for (size_t i = 0; i < end; i++) {
        bool may = true, is_sure = true;
        for (size_t k = 0; k < count && may; k++) {
            bool is_known = along->ids[i] >= lists[k].floor;
            may = !is_known || is_on(&lists[k], along->ids[i]);
            is_sure = is_sure && is_known;
        }
        if (may) {
            out.ids[out.count++] = along->ids[i];
            *is_certain = *is_certain && is_sure;
        }
    }
    return out;
}
