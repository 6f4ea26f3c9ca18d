/* listening_show.c - see listening.h: what somebody who listens is told of what happened. Each look is a request of his own.
 *
 * Threads: the connection's.
 */
#include "api/api.h"
#include "api/listening.h"
#include "base/arena.h"
#include "view/entity_notice.h"
#include "view/template.h"

static const char *const names[] = {
    [CHANNEL_UPDATE] = "update",       [CHANNEL_EDITED] = "status.update", [CHANNEL_GONE] = "delete",
    [CHANNEL_NOTICE] = "notification", [CHANNEL_TALK] = "conversation",    [CHANNEL_FILTERS] = "filters_changed"};

/* Mastodon.py cannot read a filters_changed without one. */
static struct buffer payload(struct api *c, const struct channel_item *item)
{
    struct buffer out = buffer_make(c->arena);
    yyjson_mut_val *value = NULL;
    if (item->event == CHANNEL_GONE) {
        buffer_printf(&out, "%llu", (unsigned long long)item->id);
        return out;
    }
    if (item->post) {
        value = api_post_json(c, item->post);
    } else if (item->notice) {
        value = entity_notification(&c->entity, templates_kept(c->site->templates), item->notice);
    } else if (item->talk) {
        value = api_conversation_json(c, item->talk);
    } else {
        value = yyjson_mut_obj(c->entity.doc);
    }
    yyjson_mut_doc_set_root(c->entity.doc, value);
    view_json(&out, c->entity.doc);
    return out;
}

/* Whether he was told of that already: a job that had to be repeated says so twice. */
static bool was_told_before(struct listening *l, const struct channel_item *item)
{
    if (item->event != CHANNEL_UPDATE && item->event != CHANNEL_GONE) {
        return false;
    }
    uint64_t what = item->id << 1 | (item->event == CHANNEL_GONE),
             *kept = &l->told[item->id * 0x9E3779B97F4A7C15u >> 58];
    bool is_old = *kept == what;
    *kept = what;
    return is_old;
}

/* The id of each is the place just behind it: what comes behind it may get lost with the connection. */
static bool tell_news(struct listening *l, struct api *c, const struct hub_entry *entries, size_t count,
                      const struct channel_news *news)
{
    struct listening_event *out = arena_alloc(c->arena, (news->count + 1) * sizeof(*out));
    struct hub_place at = l->at;
    size_t behind = 0, told = 0;
    for (size_t i = 0; i < news->count; i++) {
        const struct channel_item *item = &news->items[i];
        for (; behind < count && behind <= item->entry; behind++) {
            listening_pass(&at, &entries[behind]);
        }
        if (!was_told_before(l, item)) {
            uint64_t told_us = item->notice ? item->id : l->told_us;
            out[told++] =
                (struct listening_event){names[item->event], listening_place(c->arena, &at, told_us), payload(c, item)};
        }
    }
    l->told_us = news->told_us;
    return !told || l->carrier.tell(l->carrier.context, out, told);
}

/* --- one look ------------------------------------------------------------------------------------------------------ */

enum look { LOOK_DONE, LOOK_MORE, LOOK_LATER, LOOK_END };

/* Asks for these entries in a request of its own, and tells what is his. */
static enum look look_at(struct listening *l, struct arena *a, const struct hub_entry *entries, size_t count)
{
    struct http_request again = *l->req;
    struct http_response resp = {.arena = a, .status = 200, .body = buffer_make(a)};
    struct api c;
    again.arena = a;
    again.is_settled = false;
    api_begin(&c, &again, &resp);
    struct channel_news *news = channel_ask(c.visit, &l->channel, entries, count, l->told_us);
    if (!api_read(&c)) {
        return resp.status >= 500 ? LOOK_LATER : LOOK_END;
    }
    channel_take(c.visit, news);
    enum look next = news->more ? LOOK_MORE : LOOK_DONE;
    return tell_news(l, &c, entries, count, news) ? next : LOOK_END;
}

/* The same until it succeeds, or he is gone. */
static bool look(struct listening *l, const struct hub_entry *entries, size_t count)
{
    struct hub_entry mine[CHANNEL_ENTRIES];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (channel_concerns(&l->channel, &entries[i])) {
            mine[n++] = entries[i];
        }
    }
    enum look how = n ? LOOK_MORE : LOOK_DONE;
    while (how == LOOK_MORE || how == LOOK_LATER) {
        if (how == LOOK_LATER && !l->carrier.wait(l->carrier.context, LISTENING_RETRY_MS)) {
            return false;
        }
        struct arena *a = arena_new();
        how = look_at(l, a, mine, n);
        if (how == LOOK_MORE) { /* of notices only */
            static const struct hub_entry told = {.kind = EVENT_NOTICE};
            mine[0] = told;
            n = 1;
        }
        arena_free(a);
    }
    return how == LOOK_DONE;
}

bool listening_show(struct listening *l, const struct hub_entry *entries, size_t count)
{
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < count; i += CHANNEL_ENTRIES) {
        size_t n = count - i < CHANNEL_ENTRIES ? count - i : CHANNEL_ENTRIES;
        goes_on = look(l, entries + i, n);
        for (size_t k = i; k < i + n; k++) {
            listening_pass(&l->at, &entries[k]);
        }
    }
    return goes_on;
}
