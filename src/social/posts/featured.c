/* featured.c - see featured.h. Any thread. */
#include "social/posts/featured.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "social/posts/post.h"
#include "social/posts/tags.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

/* --- what is read -------------------------------------------------------------------------------------------------- */

/* A reply of the script, with the tags of its posts. */
struct featured_look {
    const struct store_reply *tags;
    const char **used; /* of each post, comma separated */
    uint64_t *ids;
    size_t posts;
};

static size_t look_add(struct store_batch *b, uint64_t uid, bool always)
{
    const struct script_featured in = {
        .uid = uid, .always = always, .open = post_visibility_word(VISIBILITY_UNLISTED), .most = FEATURED_LOOK};
    return script_featured_add(b, &in);
}

static enum err look_take(struct arena *a, const struct store_reply *reply, struct featured_look *out)
{
    struct script_featured_reply r;
    if (!script_featured_take(reply, &r)) {
        return reply->type == STORE_ERROR ? reply->err : ERR_PROTOCOL;
    }
    out->tags = r.tags;
    out->posts = r.posts->count / 2;
    out->used = arena_alloc(a, (out->posts + 1) * sizeof(*out->used));
    out->ids = arena_alloc(a, (out->posts + 1) * sizeof(*out->ids));
    for (size_t i = 0; i < out->posts; i++) {
        const char *text = store_text(&r.posts->items[2 * i + 1]);
        out->ids[i] = id_parse(store_text(&r.posts->items[2 * i]));
        out->used[i] = tags_of(a, text, strlen(text));
    }
    return ERR_OK;
}

/* The i-th tag there; its posts come newest first. */
static struct featured_tag tag_at(const struct featured_look *look, size_t i)
{
    struct featured_tag t = {.tag = store_text(&look->tags->items[2 * i]),
                             .id = (uint64_t)strtod(store_text(&look->tags->items[2 * i + 1]), NULL)};
    for (size_t k = 0; k < look->posts; k++) {
        if (tags_have(look->used[k], t.tag)) {
            t.last_ms = t.posts++ ? t.last_ms : id_ms(look->ids[k]);
        }
    }
    return t;
}

static int most_used_first(const void *x, const void *y)
{
    const struct featured_tag *one = x, *other = y;
    if (one->posts != other->posts) {
        return one->posts < other->posts ? 1 : -1;
    }
    return one->id < other->id ? 1 : -1;
}

/* --- suggestions --------------------------------------------------------------------------------------------------- */

static int tags_by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Every tag of every post, sorted: one that he used often stands there often. */
static const char **all_used(struct arena *a, const struct featured_look *look, size_t *count)
{
    size_t room = 0;
    for (size_t i = 0; i < look->posts; i++) {
        room += strlen(look->used[i]);
    }
    const char **all = arena_alloc(a, (room + 1) * sizeof(*all));
    *count = 0;
    for (size_t i = 0; i < look->posts; i++) {
        const char *rest = look->used[i];
        for (const char *tag; (tag = tags_next(a, &rest));) {
            all[(*count)++] = tag;
        }
    }
    qsort(all, *count, sizeof(*all), tags_by_name);
    return all;
}

static bool is_featured(const struct featured *f, const char *tag)
{
    bool is = false;
    for (size_t i = 0; i < f->count && !is; i++) {
        is = strcmp(f->tags[i].tag, tag) == 0;
    }
    return is;
}

/* Puts a tag that was used so often among the best, if it belongs there. */
static void suggest(struct featured *f, size_t *uses, const char *tag, size_t used)
{
    size_t at = f->suggested_count;
    while (at > 0 && uses[at - 1] < used) {
        at--;
    }
    if (at == FEATURED_MOST) {
        return;
    }
    size_t last = f->suggested_count < FEATURED_MOST ? f->suggested_count++ : FEATURED_MOST - 1;
    memmove(f->suggested + at + 1, f->suggested + at, (last - at) * sizeof(*f->suggested));
    memmove(uses + at + 1, uses + at, (last - at) * sizeof(*uses));
    f->suggested[at] = tag;
    uses[at] = used;
}

static void suggest_all(struct arena *a, const struct featured_look *look, struct featured *f)
{
    size_t count, uses[FEATURED_MOST];
    const char **all = all_used(a, look, &count);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(all[end], all[i]) == 0; end++) {
        }
        if (!is_featured(f, all[i])) {
            suggest(f, uses, all[i], end - i);
        }
    }
}

/* --- the visit ----------------------------------------------------------------------------------------------------- */

struct featured_read {
    struct featured out;
    size_t reply;
    bool suggests;
};

/* By now it is known who stands apart. */
static enum err hide_featured(struct visit *v, void *self)
{
    struct featured *f = self;
    if (visit_apart(v, f->who.users[0].id) & APART_BLOCKED_BY) {
        f->count = 0;
    }
    return ERR_OK;
}

static enum err take_featured(struct visit *v, void *self)
{
    struct featured_read *r = self;
    struct featured *f = &r->out;
    struct featured_look look;
    if (!f->who.users[0].id) {
        return ERR_NOT_FOUND;
    }
    enum err e = look_take(v->arena, visit_reply(v, r->reply), &look);
    if (e != ERR_OK) {
        return e;
    }
    for (size_t i = 0; i < look.tags->count / 2 && f->count < FEATURED_MOST; i++) {
        f->tags[f->count++] = tag_at(&look, i);
    }
    qsort(f->tags, f->count, sizeof(*f->tags), most_used_first);
    if (r->suggests) {
        suggest_all(v->arena, &look, f);
    }
    visit_then(v, hide_featured, f);
    return ERR_OK;
}

static const struct featured *ask_featured(struct visit *v, uint64_t uid, bool suggests)
{
    struct featured_read *r = arena_zero(v->arena, sizeof(*r));
    r->suggests = suggests;
    visit_want_apart(v);
    people_ask(v, &uid, 1, &r->out.who); /* before the step, which looks at him */
    r->reply = look_add(v->reads.batch, uid, suggests);
    visit_then(v, take_featured, r);
    return &r->out;
}

const struct featured *featured_ask(struct visit *v, uint64_t uid)
{
    return ask_featured(v, uid ? uid : v->claimed, false);
}

const struct featured *featured_suggested_ask(struct visit *v)
{
    return ask_featured(v, v->claimed, true);
}

/* --- changes ------------------------------------------------------------------------------------------------------- */

static enum err answered(enum answer answer, int64_t wait, struct problems *p)
{
    switch (answer) {
    case ANSWER_OK:
        return ERR_OK;
    case ANSWER_LIMITED:
        limit_note(wait, p);
        return ERR_TOO_MANY;
    case ANSWER_FULL:
        return ERR_CONFLICT;
    default:
        return ERR_NOT_FOUND;
    }
}

/* The tag as the look behind the change shows it. */
static enum err find_featured(struct arena *a, const struct store_reply *reply, const char *tag,
                              struct featured_tag *out)
{
    struct featured_look look;
    enum err e = look_take(a, reply, &look);
    if (e != ERR_OK) {
        return e;
    }
    for (size_t i = 0; i < look.tags->count / 2; i++) {
        if (strcmp(store_text(&look.tags->items[2 * i]), tag) == 0) {
            *out = tag_at(&look, i);
            return ERR_OK;
        }
    }
    return ERR_NOT_FOUND;
}

enum err featured_add(struct social *s, struct arena *a, const struct actor *by, const char *tag,
                      struct featured_tag *out, struct problems *p)
{
    enum err e = action_check(ACTION_FEATURE, by);
    size_t length = strlen(tag);
    if (e == ERR_OK && !entity_scan_is_tag(tag, length)) {
        e = ERR_INVALID;
    }
    if (e != ERR_OK) {
        return e;
    }
    const struct script_feature in = {.limit = action_limit(s, ACTION_FEATURE, by, 1),
                                      .uid = by->uid,
                                      .tag = entity_scan_fold(tag, length, arena_alloc(a, length + 1)),
                                      .now = (int64_t)clock_site_ms() * 1000,
                                      .most = FEATURED_MOST};
    struct store_batch *b = social_batch(s, a);
    script_feature_add(b, &in);
    size_t look = look_add(b, by->uid, false);
    e = store_run(b);
    struct script_feature_reply r;
    script_feature_take(store_reply(b, 0), &r);
    e = e == ERR_OK ? answered(r.answer, r.wait, p) : e;
    return e == ERR_OK ? find_featured(a, store_reply(b, look), in.tag, out) : e;
}

enum err featured_remove(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p)
{
    enum err e = action_check(ACTION_UNFEATURE, by);
    if (e != ERR_OK) {
        return e;
    }
    const struct script_unfeature in = {
        .limit = action_limit(s, ACTION_UNFEATURE, by, 1), .uid = by->uid, .time = (int64_t)id};
    struct store_batch *b = social_batch(s, a);
    script_unfeature_add(b, &in);
    e = store_run(b);
    struct script_unfeature_reply r;
    script_unfeature_take(store_reply(b, 0), &r);
    return e == ERR_OK ? answered(r.answer, r.wait, p) : e;
}

static void end_featured(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_FEATURED, uid), NULL);
}

const struct remains featured_remains = {.name = "featured", .end_add = end_featured};
