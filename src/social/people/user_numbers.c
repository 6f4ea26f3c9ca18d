/* user_numbers.c - see user_numbers.h. Any thread. */
#include "social/people/user_numbers.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "store/store.h"

#define BELIEVED_US (USER_NUMBERS_SECONDS * UINT64_C(1000000))

/* What is remembered. */
struct kept_numbers {
    uint64_t read_us; /* monotonic */
    struct user_numbers numbers;
};

void user_numbers_put(struct social *s, uint64_t uid, const struct user_numbers *n, uint64_t token)
{
    const struct kept_numbers k = {clock_monotonic_us(), *n};
    cache_put(s->cache, CACHE_NUMBERS, uid, &k, sizeof(k), token);
}

bool user_numbers_recall(struct social *s, struct arena *a, uint64_t uid, struct user_numbers *out)
{
    size_t size;
    const struct kept_numbers *k = cache_get(s->cache, CACHE_NUMBERS, uid, a, &size);
    bool is_good = k && clock_monotonic_us() < k->read_us + BELIEVED_US;
    *out = is_good ? k->numbers : (struct user_numbers){.last_post = 0};
    return is_good;
}

const struct user_numbers *user_numbers_take(struct social *s, struct arena *a, uint64_t uid,
                                             const struct store_reply *r, uint64_t token)
{
    if (!r->count) {
        return NULL;
    }
    struct user_numbers *n = arena_alloc(a, sizeof(*n));
    *n = (struct user_numbers){.counts = {.posts = store_integer(store_item(r, 0)),
                                          .following = store_integer(store_item(r, 1)),
                                          .followers = store_integer(store_item(r, 2))},
                               .last_post = id_parse(store_text(store_item(r, 3)))};
    user_numbers_put(s, uid, n, token);
    return n;
}
