/* sift.c - see sift.h. */
#include "social/streaming/sift.h"

#include "base/arena.h"
#include "social/people/visit.h"
#include "social/posts/post.h"
#include "social/posts/post_event.h"
#include "social/posts/post_pick.h"
#include "social/streaming/match.h"
#include "social/streaming/match_post.h"

static struct post_event event_in(const struct hub_entry *e)
{
    return e->kind == EVENT_NEW || e->kind == EVENT_POST ? post_event_read(e->kind == EVENT_NEW, e->text)
                                                         : (struct post_event){.kind = POST_EVENT_NONE};
}

static const struct post *sift_post(const struct post_picked *picked, uint64_t id)
{
    size_t i = 0;
    while (i < picked->count && picked->posts[i].id != id) {
        i++;
    }
    return i < picked->count ? &picked->posts[i] : NULL;
}

/* Of which the post is to be loaded. */
static bool is_to_load(const struct post_event *e)
{
    return e->is_public && (e->kind == POST_EVENT_NEW || e->kind == POST_EVENT_EDITED);
}

static size_t sift_ids(const struct hub_entry *entries, size_t count, uint64_t ids[SIFT_ENTRIES])
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        struct post_event e = event_in(&entries[i]);
        if (is_to_load(&e)) {
            ids[n++] = entries[i].id;
        }
    }
    return n;
}

enum err sift_load(struct social *s, struct arena *a, const struct hub_entry *entries, size_t count,
                   struct sift_entry **out, size_t *out_count)
{
    uint64_t ids[SIFT_ENTRIES];
    size_t n = sift_ids(entries, count, ids);
    struct visit *v = visit_begin_as(s, a, 0);
    const struct post_picked none = {.count = 0}, *picked = n ? post_pick_ask(v, ids, n) : &none;
    enum err e = n ? visit_read(v) : ERR_OK;
    *out = arena_alloc(a, (count + 1) * sizeof(**out));
    *out_count = 0;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        struct post_event what = event_in(&entries[i]);
        const struct post *p = is_to_load(&what) ? sift_post(picked, entries[i].id) : NULL;
        if (p || (what.kind == POST_EVENT_GONE && what.is_public)) {
            (*out)[(*out_count)++] = (struct sift_entry){&entries[i], p};
        }
    }
    return e;
}

void sift_match(struct arena *a, struct match_index *m, const struct sift_entry *e,
                void (*hit)(void *context, void *owner), void *context)
{
    struct match_post read;
    match_post_read(a, e->post, &read);
    match_find(m, &read, hit, context);
}
