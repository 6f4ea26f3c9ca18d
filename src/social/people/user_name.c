/* user_name.c - see user_name.h. Any thread. */
#include "social/people/user_name.h"

#include "social/core/cache.h"
#include "social/core/social.h"

/* Where it is remembered (FNV-1a). Two names may share a place: one of them is asked for each time. */
static uint64_t name_place(const char *folded)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (const char *c = folded; *c; c++) {
        h = (h ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    return h;
}

void user_name_put(struct social *s, const char *folded, uint64_t uid, uint64_t token)
{
    cache_put(s->cache, CACHE_NAMES, name_place(folded), &uid, sizeof(uid), token);
}

uint64_t user_name_guess(struct social *s, struct arena *a, const char *folded)
{
    size_t size;
    const uint64_t *uid = cache_get(s->cache, CACHE_NAMES, name_place(folded), a, &size);
    return uid ? *uid : 0;
}
