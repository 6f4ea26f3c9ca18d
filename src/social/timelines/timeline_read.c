/* timeline_read.c - public, tag, reply and profile timelines: reads of a list or a sorted set; see timeline.h. Any
 * thread.
 *
 * Each goes the same way: ids, then as many posts as the page has and one more; and while hidden posts leave the page
 * short, the next candidates in hand, and behind them more ids. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/people.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/post_read.h"
#include "social/posts/tags.h"
#include "social/timelines/tag_ids.h"
#include "social/timelines/timeline.h"
#include "store/keys.h"
#include "store/store.h"

enum source { SOURCE_LIST, SOURCE_TAGS, SOURCE_USER, SOURCE_ID };

struct timeline_read {
    struct timeline_profile out; /* user: SOURCE_USER and SOURCE_ID alone; counts: SOURCE_USER */
    enum source source;
    enum see_place place;
    const char *key;               /* of the list */
    struct timeline_tags tags;     /* SOURCE_TAGS */
    const char *name;              /* SOURCE_USER: whose posts, */
    enum timeline_own which;       /* and which of them, */
    uint64_t uid;                  /* SOURCE_ID: whose posts, */
    struct timeline_leaves leaves; /* and which of them not; */
    struct people *who;            /* himself */
    uint64_t rest;                 /* and behind which id it goes on, where too many had been looked at; 0: nowhere */
    unsigned bucket;
    struct timeline_query query;
    size_t reply;
    size_t asked;            /* ids asked for */
    bool asked_whole;        /* with the second round: see is_part_uncertain */
    bool more_behind;        /* there may be ids behind those in hand */
    struct timeline_ids ids; /* candidates within the cursors */
    size_t loaded;           /* of ids */
    struct post_load *loads;
    size_t load_count;
};

static enum err take_timeline_ids(struct visit *v, void *self);
static enum err take_timeline_posts(struct visit *v, void *self);

/* --- asking --------------------------------------------------------------------------------------------------------
 * */

static struct timeline_read *timeline_read_new(struct visit *v, enum source source, enum see_place place,
                                               const struct timeline_query *q)
{
    struct timeline_read *r = arena_zero(v->arena, sizeof(*r));
    r->source = source;
    r->place = place;
    r->query = *q;
    r->asked = q->limit + 1 + TIMELINE_SLACK;
    marks_want(v);
    visit_then(v, take_timeline_ids, r);
    return r;
}

const struct timeline_page *timeline_public_ask(struct visit *v, const struct timeline_query *q)
{
    struct timeline_read *r = timeline_read_new(v, SOURCE_LIST, SEE_PUBLIC, q);
    r->key = key_plain(v->arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET);
    r->bucket = KEY_GLOBAL_BUCKET;
    if (q->max_id || q->min_id) {
        r->asked = TIMELINE_PUBLIC_SIZE;
    }
    r->reply = store_command(v->reads.batch, r->bucket, "LRANGE", r->key, "0",
                             arena_printf(v->arena, "%zu", r->asked - 1), NULL);
    return &r->out.page;
}

/* BYLEX bounds of a query in reading direction. */
static void query_bounds(struct arena *a, const struct timeline_query *q, bool forward, const char **from,
                         const char **to)
{
    char digits[ID_SIZE];
    const char *high = q->max_id ? arena_printf(a, "(%s", id_write(q->max_id, digits)) : "+";
    const char *low = q->min_id ? arena_printf(a, "(%s", id_write(q->min_id, digits)) : "-";
    *from = forward ? low : high;
    *to = forward ? high : low;
}

static size_t range_add(struct visit *v, const char *key, unsigned bucket, const struct timeline_query *q, size_t most)
{
    bool forward = q->min_id != 0;
    const char *from, *to, *count = arena_printf(v->arena, "%zu", most);
    query_bounds(v->arena, q, forward, &from, &to);
    const char *rev[] = {"ZRANGE", key, from, to, "BYLEX", "REV", "LIMIT", "0", count};
    const char *fwd[] = {"ZRANGE", key, from, to, "BYLEX", "LIMIT", "0", count};
    return store_command_v(v->reads.batch, bucket, forward ? 8 : 9, forward ? fwd : rev);
}

size_t timeline_tag_add(struct visit *v, const char *tag, const struct timeline_query *q, size_t most)
{
    return range_add(v, key_text(v->arena, KEY_TAG, tag), key_text_bucket(tag), q, most);
}

static void add_tags(struct visit *v, struct timeline_read *r, const struct timeline_query *q)
{
    const struct timeline_tags *t = &r->tags;
    r->asked = t->all_count || t->none_count ? TIMELINE_TAG_SIZE : r->asked; /* few posts may be left */
    r->reply = tag_ids_add(v, t->any, t->any_count, q, r->asked);
    tag_ids_add(v, t->all, t->all_count, q, r->asked);
    tag_ids_add(v, t->none, t->none_count, q, r->asked);
}

const struct timeline_page *timeline_tags_ask(struct visit *v, const struct timeline_tags *tags,
                                              const struct timeline_query *q)
{
    struct timeline_read *r = timeline_read_new(v, SOURCE_TAGS, SEE_PUBLIC, q);
    r->tags = *tags;
    add_tags(v, r, &r->query);
    return &r->out.page;
}

const struct timeline_page *timeline_tag_ask(struct visit *v, const char *tag, const struct timeline_query *q)
{
    return timeline_tags_ask(v, &(struct timeline_tags){.any = {tag}, .any_count = 1}, q);
}

static void add_own(struct visit *v, struct timeline_read *r, const struct timeline_query *q)
{
    bool forward = q->min_id != 0;
    struct user_page page = {
        .what = r->which == TIMELINE_OWN_ALL ? USER_FIND_WHAT_POSTS : USER_FIND_WHAT_ORIGINALS,
        .reverse = !forward,
        .limit = (unsigned)r->asked,
        .most = TIMELINE_LOOK,
    };
    query_bounds(v->arena, q, forward, &page.from, &page.to);
    r->reply = user_find_add(v->reads.batch, r->name, &page);
}

const struct timeline_profile *timeline_profile_ask(struct visit *v, const char *name, enum timeline_own which,
                                                    const struct timeline_query *q)
{
    struct timeline_read *r = timeline_read_new(v, SOURCE_USER, SEE_PROFILE, q);
    r->name = name;
    r->which = which;
    add_own(v, r, &r->query);
    return &r->out;
}

static void add_own_of(struct visit *v, struct timeline_read *r, const struct timeline_query *q)
{
    struct script_own_posts in = {.uid = r->uid,
                                  .no_answers = r->leaves.answers,
                                  .no_boosts = r->leaves.boosts,
                                  .backwards = q->min_id == 0,
                                  .limit = (int64_t)r->asked,
                                  .tag = r->leaves.but_tagged ? r->leaves.but_tagged : "",
                                  .most = r->leaves.but_tagged ? TIMELINE_LOOK_TAGGED : TIMELINE_LOOK};
    query_bounds(v->arena, q, q->min_id != 0, &in.from, &in.to);
    r->reply = script_own_posts_add(v->reads.batch, &in);
}

const struct timeline_profile *timeline_of_ask(struct visit *v, uint64_t uid, const struct timeline_leaves *leaves,
                                               const struct timeline_query *q)
{
    struct people *who = arena_zero(v->arena, sizeof(*who));
    people_ask(v, &uid, 1, who); /* before its own step, which looks at him */
    struct timeline_read *r = timeline_read_new(v, SOURCE_ID, SEE_PROFILE, q);
    r->who = who;
    r->uid = uid;
    r->leaves = *leaves;
    add_own_of(v, r, &r->query);
    return &r->out;
}

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

/* Asks for the next `want` candidates: from the top, or from the bottom when reading upwards. */
static void ask_timeline_posts(struct visit *v, struct timeline_read *r, size_t want)
{
    size_t left = r->ids.count - r->loaded;
    size_t n = want < left ? want : left;
    struct post_load *loads = arena_zero(v->arena, (r->load_count + n + 1) * sizeof(*loads));
    size_t old_at = r->query.min_id ? n : 0, new_at = r->query.min_id ? 0 : r->load_count;
    if (r->load_count) {
        memcpy(loads + old_at, r->loads, r->load_count * sizeof(*loads));
    }
    size_t first = r->query.min_id ? r->ids.count - r->loaded - n : r->loaded;
    for (size_t i = 0; i < n; i++) {
        loads[new_at + i].id = r->ids.ids[first + i];
    }
    r->loads = loads;
    r->load_count += n;
    r->loaded += n;
    post_ask(v, loads + new_at, n, r->place);
    visit_then(v, take_timeline_posts, r);
}

static enum err finish_timeline(struct visit *v, struct timeline_read *r)
{
    struct timeline_page *out = &r->out.page;
    timeline_fill(v->arena, &r->query, r->loads, r->load_count, out);
    if (r->rest && r->query.min_id && !out->has_newer) {
        out->has_newer = true;
        out->newer_id = r->rest;
    } else if (r->rest && !r->query.min_id && !out->has_older) {
        out->has_older = true;
        out->older_id = r->rest;
    }
    timeline_since(&r->query, out);
    return ERR_OK;
}

/* --- ids -----------------------------------------------------------------------------------------------------------
 * */

/* True if something behind the first part of a list could be newer than the page's last. Then the second round brings
 * the whole list, beside the posts that the page will nearly always show anyway. */
static bool is_part_uncertain(const struct timeline_read *r, const struct timeline_ids *ids)
{
    if (r->source != SOURCE_LIST || !ids->count || !r->more_behind || r->asked >= TIMELINE_PUBLIC_SIZE) {
        return false;
    }
    size_t last = r->query.limit < ids->count ? r->query.limit : ids->count - 1;
    return id_ms(ids->ids[last]) < id_ms(ids->ids[ids->count - 1]) + SOCIAL_DISORDER_MS;
}

static void ask_whole_list(struct visit *v, struct timeline_read *r)
{
    r->asked_whole = true;
    r->reply = store_command(v->reads.batch, r->bucket, "LRANGE", r->key, "0",
                             store_last(v->arena, TIMELINE_PUBLIC_SIZE), NULL);
}

/* Those that the user pinned. */
struct pins_read {
    struct timeline_page *out;
    struct post_load *loads;
    size_t count;
};

static enum err take_pins(struct visit *v, void *self)
{
    struct pins_read *r = self;
    r->out->posts = arena_alloc(v->arena, (r->count + 1) * sizeof(*r->out->posts));
    for (size_t i = 0; i < r->count; i++) {
        if (r->loads[i].post.id) {
            r->out->posts[r->out->count++] = r->loads[i].post;
        }
    }
    return ERR_OK;
}

static void ask_pins(struct visit *v, struct timeline_read *r, const struct store_reply *ids)
{
    if (r->query.max_id || r->query.min_id || !ids->count) {
        return;
    }
    struct pins_read *pins = arena_zero(v->arena, sizeof(*pins));
    pins->out = &r->out.pins;
    pins->count = ids->count;
    pins->loads = arena_zero(v->arena, (ids->count + 1) * sizeof(*pins->loads));
    for (size_t i = 0; i < ids->count; i++) {
        pins->loads[i].id = id_parse(store_text(&ids->items[i]));
    }
    post_ask(v, pins->loads, pins->count, SEE_PROFILE);
    visit_then(v, take_pins, pins);
}

static enum err take_profile_user(struct visit *v, struct timeline_read *r, const struct store_reply **rows)
{
    struct timeline_profile *out = &r->out;
    enum err e = user_find_take(v->social, v->reads.answers, r->reply, &out->user, &out->counts, rows);
    e = e == ERR_OK && user_is_hidden(&out->user, v->viewer.id) ? ERR_NOT_FOUND : e;
    if (e == ERR_OK) {
        r->key = key_id(v->arena, KEY_POSTS, out->user.id);
        r->bucket = id_bucket(out->user.id);
        ask_pins(v, r, user_find_pins(v->reads.answers, r->reply, &r->rest));
    }
    return e;
}

/* The ids of a page of SOURCE_ID, and of the pins. */
static enum err take_own_of(struct visit *v, struct timeline_read *r, const struct store_reply **rows,
                            const struct store_reply **pins)
{
    struct script_own_posts_reply found;
    const struct store_reply *reply = visit_reply(v, r->reply);
    if (!script_own_posts_take(reply, &found)) {
        return reply->type == STORE_ERROR ? reply->err : ERR_PROTOCOL;
    }
    *rows = found.page;
    *pins = found.pins;
    r->rest = found.rest;
    return ERR_OK;
}

static enum err take_profile_of(struct visit *v, struct timeline_read *r, const struct store_reply **rows)
{
    const struct store_reply *pins;
    r->out.user = r->who->users[0];
    enum err e = r->out.user.id ? take_own_of(v, r, rows, &pins) : ERR_NOT_FOUND;
    if (e == ERR_OK) {
        ask_pins(v, r, pins);
    }
    return e;
}

static struct timeline_ids take_rows(struct visit *v, struct timeline_read *r, const struct store_reply *rows)
{
    r->more_behind = rows->count >= r->asked;
    return timeline_ids_of(v->arena, rows);
}

/* Of the ids those that are, or are not, in the answer of a tag. */
static void keep_tagged(struct visit *v, struct timeline_ids *ids, size_t reply, bool wanted)
{
    const struct timeline_ids tagged = timeline_ids_of(v->arena, visit_reply(v, reply));
    size_t n = 0;
    for (size_t i = 0; i < ids->count; i++) {
        ids->ids[n] = ids->ids[i];
        n += timeline_has(&tagged, ids->ids[i]) == wanted;
    }
    ids->count = n;
}

static struct timeline_ids take_tag_ids(struct visit *v, struct timeline_read *r)
{
    uint64_t edge;
    const struct timeline_tags *t = &r->tags;
    size_t reply = r->reply + t->any_count;
    struct timeline_ids ids = tag_ids_take(v, &r->query, r->reply, t->any_count, r->asked, &edge);
    r->more_behind = edge && r->asked < TIMELINE_TAG_SIZE;
    tag_ids_cut(&ids, &r->query, edge);
    for (size_t i = 0; i < t->all_count + t->none_count; i++) {
        keep_tagged(v, &ids, reply + i, i < t->all_count);
    }
    return ids;
}

/* The first round is back: ids, and whose they are. */
static enum err take_timeline_ids(struct visit *v, void *self)
{
    struct timeline_read *r = self;
    const struct store_reply *rows = visit_reply(v, r->reply);
    enum err e = r->source == SOURCE_USER ? take_profile_user(v, r, &rows)
                 : r->source == SOURCE_ID ? take_profile_of(v, r, &rows)
                                          : ERR_OK;
    if (e != ERR_OK) {
        return e;
    }
    if (rows->type != STORE_ARRAY) {
        return rows->type == STORE_ERROR ? rows->err : ERR_PROTOCOL;
    }
    struct timeline_ids ids = r->source == SOURCE_TAGS ? take_tag_ids(v, r) : take_rows(v, r, rows);
    if (is_part_uncertain(r, &ids)) {
        ask_whole_list(v, r);
    }
    r->ids = timeline_cut(&ids, &r->query, ids.count);
    ask_timeline_posts(v, r, r->query.limit + 1);
    return ERR_OK;
}

/* The whole list has come: begins anew with it if its newest are not those that were loaded. */
static void take_whole_list(struct visit *v, struct timeline_read *r)
{
    struct timeline_ids first = r->ids;
    struct timeline_ids ids = timeline_ids_of(v->arena, visit_reply(v, r->reply));
    r->ids = timeline_cut(&ids, &r->query, ids.count);
    r->asked_whole = false;
    r->more_behind = false;
    size_t same = 0;
    while (same < r->loaded && same < r->ids.count && first.ids[same] == r->ids.ids[same]) {
        same++;
    }
    if (same < r->loaded) {
        r->loaded = 0;
        r->load_count = 0;
    }
}

/* More ids of a sorted set have come. */
static enum err take_ids_behind(struct visit *v, void *self)
{
    struct timeline_read *r = self;
    const struct store_reply *rows = visit_reply(v, r->reply);
    if (r->source == SOURCE_USER) {
        struct user same;
        enum err e = user_find_take(v->social, v->reads.answers, r->reply, &same, NULL, &rows);
        if (e != ERR_OK) {
            return e;
        }
        user_find_pins(v->reads.answers, r->reply, &r->rest);
    } else if (r->source == SOURCE_ID) {
        const struct store_reply *pins;
        enum err e = take_own_of(v, r, &rows, &pins);
        if (e != ERR_OK) {
            return e;
        }
    }
    r->ids = r->source == SOURCE_TAGS ? take_tag_ids(v, r) : take_rows(v, r, rows);
    r->loaded = 0;
    ask_timeline_posts(v, r, r->query.limit + 1 - timeline_visible(r->loads, r->load_count));
    return ERR_OK;
}

/* Asks for the ids behind those in hand. */
static void ask_ids_behind(struct visit *v, struct timeline_read *r)
{
    struct timeline_query behind = r->query;
    if (behind.min_id) {
        behind.min_id = r->ids.ids[0];
    } else {
        behind.max_id = r->ids.ids[r->ids.count - 1];
    }
    r->source == SOURCE_USER ? add_own(v, r, &behind)
    : r->source == SOURCE_ID ? add_own_of(v, r, &behind)
                             : add_tags(v, r, &behind);
    visit_then(v, take_ids_behind, r);
}

/* The script's guess is checked by the words. */
static void drop_untagged(struct visit *v, struct timeline_read *r)
{
    for (size_t i = 0; i < r->load_count && r->leaves.but_tagged; i++) {
        struct post *p = &r->loads[i].post;
        p->id = p->id && tags_have(tags_of(v->arena, p->text, strlen(p->text)), r->leaves.but_tagged) ? p->id : 0;
    }
}

/* Posts have come: the page is full, or all that exists is on it, or there is more to ask for. */
static enum err take_timeline_posts(struct visit *v, void *self)
{
    struct timeline_read *r = self;
    if (r->asked_whole) {
        take_whole_list(v, r);
    }
    drop_untagged(v, r);
    size_t visible = timeline_visible(r->loads, r->load_count);
    if (visible > r->query.limit) {
        return finish_timeline(v, r);
    }
    if (r->loaded < r->ids.count) {
        ask_timeline_posts(v, r, r->query.limit + 1 - visible);
    } else if (r->more_behind && r->source != SOURCE_LIST && r->ids.count) {
        ask_ids_behind(v, r);
    } else {
        return finish_timeline(v, r);
    }
    return ERR_OK;
}
