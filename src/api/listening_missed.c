/* listening_missed.c - see listening.h: what somebody missed who was away, or whose process lost its place.
 *
 * Threads: the connection's.
 */
#include <string.h>

#include "api/api.h"
#include "api/listening.h"
#include "base/arena.h"
#include "social/streaming/match.h"
#include "social/streaming/sift.h"

static void note_wanted(void *context, void *owner)
{
    (void)owner;
    *(bool *)context = true;
}

/* Leaves of these entries, at most SIFT_ENTRIES, what is wanted of them; *count goes on by how many. False: he is gone. */
static bool sift_missed(struct listening *l, struct arena *a, const struct hub_entry *entries, size_t size,
                        struct hub_entry *out, size_t *count)
{
    const struct site *site = l->req->app;
    struct sift_entry *sifted;
    size_t n;
    while (sift_load(site->social, a, entries, size, &sifted, &n) != ERR_OK) {
        if (!l->carrier.wait(l->carrier.context, LISTENING_RETRY_MS)) {
            return false;
        }
    }
    struct match_index *one = match_new();
    match_add(one, l->wanted, NULL);
    for (size_t i = 0; i < n; i++) {
        bool is_wanted = !sifted[i].post;
        if (sifted[i].post) {
            sift_match(a, one, &sifted[i], note_wanted, &is_wanted);
        }
        if (is_wanted) {
            out[(*count)++] = *sifted[i].entry;
        }
    }
    match_free(one);
    return true;
}

/* The same for any number, in their place. */
static bool sift_all_missed(struct listening *l, struct arena *a, struct hub_entry *entries, size_t *count)
{
    size_t all = *count;
    struct hub_entry *out = arena_alloc(a, (all + 1) * sizeof(*out));
    *count = 0;
    for (size_t i = 0; i < all; i += SIFT_ENTRIES) {
        if (!sift_missed(l, a, entries + i, all - i < SIFT_ENTRIES ? all - i : SIFT_ENTRIES, out, count)) {
            return false;
        }
    }
    memcpy(entries, out, *count * sizeof(*out));
    return true;
}

bool listening_catch_up(struct listening *l, const struct hub_place *to)
{
    const struct site *site = l->req->app;
    struct hub_entry *missed;
    size_t count;
    bool gap, goes_on = true;
    struct arena *a = arena_new();
    while (hub_replay(site->social, a, &l->at, to, &missed, &count, &gap) != ERR_OK) {
        arena_reset(a);
        if (!l->carrier.wait(l->carrier.context, LISTENING_RETRY_MS)) {
            arena_free(a);
            return false;
        }
    }
    if (gap) {
        goes_on = listening_tell_bare(l, "gap");
    }
    goes_on = goes_on && (!l->wanted || sift_all_missed(l, a, missed, &count)) && listening_show(l, missed, count);
    l->at = *to;
    arena_free(a);
    return goes_on;
}
