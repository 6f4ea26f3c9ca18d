/* source.c - see source.h. */
#include "base/source.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"

#define MOST 1024 /* places: a page of 40 boosted posts has about 300 */
#define FIRST 128

static _Thread_local struct {
    struct arena *arena; /* NULL: this thread does not note */
    struct sources *found;
    size_t room;
    bool is_unknown;
} noting;

void source_change(source_place *place, uint64_t number)
{
    uint64_t before = atomic_load(place);
    while (before < number && !atomic_compare_exchange_weak(place, &before, number)) {
    }
}

static struct sources *make_room(size_t room)
{
    return arena_alloc(noting.arena, sizeof(struct sources) + room * sizeof(struct source_item));
}

void sources_begin(struct arena *a)
{
    noting.arena = a;
    noting.room = FIRST;
    noting.found = make_room(FIRST);
    noting.is_unknown = false;
    *noting.found = (struct sources){.until_us = UINT64_MAX};
}

const struct sources *sources_end(void)
{
    const struct sources *found = noting.arena && !noting.is_unknown ? noting.found : NULL;
    noting.arena = NULL;
    noting.found = NULL;
    return found && clock_monotonic_us() < found->until_us ? found : NULL;
}

void source_unknown(void)
{
    noting.is_unknown = true;
}

static bool notes(void)
{
    return noting.arena && !noting.is_unknown;
}

static void sources_grow(void)
{
    noting.room *= 2;
    struct sources *wider = make_room(noting.room);
    memcpy(wider, noting.found, sources_size(noting.found));
    noting.found = wider;
}

void source_add(const source_place *place, uint64_t number)
{
    if (!notes()) {
        return;
    }
    if (noting.found->count == MOST) {
        source_unknown();
        return;
    }
    if (noting.found->count == noting.room) {
        sources_grow();
    }
    noting.found->items[noting.found->count++] = (struct source_item){place, number};
}

void source_trust(bool (*is_trusted)(const void *who), const void *who)
{
    if (!notes()) {
        return;
    }
    struct source_witness *w = noting.found->witnesses;
    size_t i = 0;
    while (i < SOURCE_WITNESSES && w[i].is_trusted && !(w[i].is_trusted == is_trusted && w[i].who == who)) {
        i++;
    }
    if (i == SOURCE_WITNESSES) {
        source_unknown();
    } else {
        w[i] = (struct source_witness){is_trusted, who};
    }
}

void source_until(uint64_t monotonic_us)
{
    if (notes() && monotonic_us < noting.found->until_us) {
        noting.found->until_us = monotonic_us;
    }
}

void source_until_site(uint64_t now_ms, uint64_t then_ms)
{
    if (notes()) {
        uint64_t left_ms = then_ms > now_ms ? then_ms - now_ms : 0;
        source_until(clock_monotonic_us() + (left_ms < CLOCK_DAY_MS ? left_ms : CLOCK_DAY_MS) * 1000);
    }
}

size_t sources_size(const struct sources *s)
{
    return sizeof(*s) + s->count * sizeof(struct source_item);
}

bool sources_are_true(const struct sources *s)
{
    if (clock_monotonic_us() >= s->until_us) {
        return false;
    }
    for (size_t i = 0; i < SOURCE_WITNESSES && s->witnesses[i].is_trusted; i++) {
        if (!s->witnesses[i].is_trusted(s->witnesses[i].who)) {
            return false;
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        if (atomic_load_explicit(s->items[i].place, memory_order_acquire) > s->items[i].number) {
            return false;
        }
    }
    return true;
}
