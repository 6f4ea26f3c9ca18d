/* tag_trends.c - see tag_trends.h. Any thread. */
#include "social/timelines/tag_trends.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "social/posts/tags.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

#define PERIOD "day"
#define TRENDS_ID 0 /* there is one such list */
#define REMEMBERED_US UINT64_C(60000000)
#define NONE_REMEMBERED_US UINT64_C(5000000) /* the first trends of a site are soon seen */
#define TAGS_MOST 20                         /* of a post: tags.c */

static int64_t since(void)
{
    return (int64_t)clock_site_ms() - CLOCK_DAY_MS;
}

static size_t tag_words(struct arena *a, const char *tags, const char **out)
{
    size_t n = 0;
    for (const char *tag; n < TAGS_MOST && (tag = tags_next(a, &tags));) {
        out[n++] = tag;
    }
    return n;
}

void trends_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t post, const char *tags)
{
    const char *words[TAGS_MOST];
    const struct script_trend_add in = {.period = PERIOD,
                                        .since = since(),
                                        .uid = uid,
                                        .at = (int64_t)id_ms(post),
                                        .span = CLOCK_DAY_MS,
                                        .people = TRENDS_PEOPLE,
                                        .kept = TRENDS_KEPT,
                                        .tags = words,
                                        .tags_count = tag_words(a, tags, words)};
    if (in.tags_count && in.at > in.since) {
        script_trend_add_add(b, &in);
    }
}

void trends_end_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t post, const char *tags)
{
    const char *words[TAGS_MOST];
    const struct script_trend_end in = {.period = PERIOD,
                                        .since = since(),
                                        .uid = uid,
                                        .at = (int64_t)id_ms(post),
                                        .tags = words,
                                        .tags_count = tag_words(a, tags, words)};
    if (in.tags_count && in.at > in.since) {
        script_trend_end_add(b, &in);
    }
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

/* What is remembered: the tags, a NUL behind each. */
struct packed_trends {
    uint64_t read_us; /* monotonic */
    uint64_t count;
    int64_t people[TRENDS_MOST];
    char text[];
};

struct trends_read {
    struct trends out;
    size_t reply;
};

static void trends_remember(struct visit *v, const struct trends *t)
{
    struct packed_trends head = {.read_us = clock_monotonic_us(), .count = t->count};
    struct buffer all = buffer_make(v->arena);
    for (size_t i = 0; i < t->count; i++) {
        head.people[i] = t->items[i].people;
    }
    buffer_add(&all, (const char *)&head, sizeof(head));
    for (size_t i = 0; i < t->count; i++) {
        buffer_add(&all, t->items[i].tag, strlen(t->items[i].tag) + 1);
    }
    cache_put(v->social->cache, CACHE_TRENDS, TRENDS_ID, buffer_string(&all), all.length,
              store_batch_marked(v->reads.answers));
}

static bool trends_recall(struct visit *v, struct trends *out)
{
    size_t size;
    const struct packed_trends *p = cache_get(v->social->cache, CACHE_TRENDS, TRENDS_ID, v->arena, &size);
    if (!p || clock_monotonic_us() > p->read_us + (p->count ? REMEMBERED_US : NONE_REMEMBERED_US)) {
        return false;
    }
    const char *at = p->text;
    for (out->count = 0; out->count < p->count; out->count++) {
        out->items[out->count].tag = at;
        out->items[out->count].people = p->people[out->count];
        at += strlen(at) + 1;
    }
    return true;
}

static enum err take_trends(struct visit *v, void *self)
{
    struct trends_read *r = self;
    struct script_trend_read_reply reply;
    script_trend_read_take(visit_reply(v, r->reply), &reply);
    for (size_t i = 0; i + 1 < reply.tags->count && r->out.count < TRENDS_MOST; i += 2) {
        r->out.items[r->out.count].tag = store_text(&reply.tags->items[i]);
        r->out.items[r->out.count++].people = store_integer(&reply.tags->items[i + 1]);
    }
    trends_remember(v, &r->out);
    return ERR_OK;
}

const struct trends *trends_ask(struct visit *v, bool may_be_old)
{
    struct trends_read *r = arena_zero(v->arena, sizeof(*r));
    if (may_be_old && trends_recall(v, &r->out)) {
        return &r->out;
    }
    const struct script_trend_read in = {
        .period = PERIOD, .since = since(), .most = TRENDS_MOST, .least = TRENDS_LEAST};
    r->reply = script_trend_read_add(v->reads.batch, &in);
    visit_then(v, take_trends, r);
    return &r->out;
}

/* --- day by day ---------------------------------------------------------------------------------------------------- */

struct history_read {
    struct tag_history out;
    tag_history_names *names;
    const void *from;
    size_t reply;
};

static enum err take_tag_days(struct visit *v, void *self)
{
    struct history_read *r = self;
    struct script_trend_days_reply reply;
    script_trend_days_take(visit_reply(v, r->reply), &reply);
    for (size_t i = 0; i < r->out.count; i++) {
        for (size_t d = 0; d < TAG_DAYS; d++) {
            size_t at = 2 * (i * TAG_DAYS + d);
            r->out.days[i].uses[d] = store_integer(store_item(reply.days, at));
            r->out.days[i].people[d] = store_integer(store_item(reply.days, at + 1));
        }
    }
    return ERR_OK;
}

static void ask_history(struct visit *v, struct history_read *r)
{
    const struct script_trend_days in = {.bucket = key_text_bucket(PERIOD),
                                         .period = PERIOD,
                                         .today = (int64_t)(clock_site_ms() / CLOCK_DAY_MS),
                                         .count = TAG_DAYS,
                                         .tags = r->out.tags,
                                         .tags_count = r->out.count};
    if (r->out.count) {
        r->reply = script_trend_days_add(v->reads.batch, &in);
        visit_then(v, take_tag_days, r);
    }
}

static enum err take_names(struct visit *v, void *self)
{
    struct history_read *r = self;
    r->out.count = r->names(v->arena, r->from, r->out.tags);
    ask_history(v, r);
    return ERR_OK;
}

const struct tag_history *tag_history_ask(struct visit *v, const char *tag)
{
    struct history_read *r = arena_zero(v->arena, sizeof(*r));
    r->out.tags[r->out.count++] = tag;
    ask_history(v, r);
    return &r->out;
}

const struct tag_history *tag_history_behind_ask(struct visit *v, tag_history_names *names, const void *from)
{
    struct history_read *r = arena_zero(v->arena, sizeof(*r));
    r->names = names;
    r->from = from;
    visit_then(v, take_names, r);
    return &r->out;
}

size_t trends_names(struct arena *a, const void *from, const char **out)
{
    const struct trends *t = from;
    (void)a;
    for (size_t i = 0; i < t->count; i++) {
        out[i] = t->items[i].tag;
    }
    return t->count;
}

const struct tag_days *tag_history_of(const struct tag_history *h, const char *tag)
{
    static const struct tag_days unused;
    for (size_t i = 0; i < h->count; i++) {
        if (strcmp(h->tags[i], tag) == 0) {
            return &h->days[i];
        }
    }
    return &unused;
}
