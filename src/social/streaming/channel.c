/* channel.c - see channel.h. Threads: those of the visit. */
#include "social/streaming/channel.h"

#include <stdlib.h>

#include "base/arena.h"
#include "social/notices/notice.h"
#include "social/notices/talk.h"
#include "social/people/visit.h"
#include "social/people/visit_interests.h"
#include "social/people/visit_read.h"
#include "social/posts/post_event.h"
#include "social/posts/post_read.h"
#include "social/posts/tags.h"
#include "social/streaming/hub.h"
#include "social/timelines/list.h"

#define NOTICES_EACH 40

struct news_read {
    struct channel_news out; /* first */
    const struct channel *channel;
    const struct hub_entry *entries;
    size_t count;
    struct post_event events[CHANNEL_ENTRIES];
    struct post_load loads[CHANNEL_ENTRIES];  /* as they stand in his home, or where strangers find posts */
    struct post_load tagged[CHANNEL_ENTRIES]; /* in his home for their tags */
    const struct talk_page *talks[CHANNEL_ENTRIES];
    const struct list_rule *rule;      /* of a list */
    const struct notice_page *notices; /* NULL: nothing new */
};

static struct post_event event_of_entry(const struct hub_entry *e)
{
    if (e->kind != EVENT_NEW && e->kind != EVENT_POST) {
        return (struct post_event){.kind = POST_EVENT_NONE, .tags = ""};
    }
    return post_event_read(e->kind == EVENT_NEW, e->text);
}

/* Whether strangers find it where this channel looks. */
static bool is_in_channel(const struct channel *c, const struct post_event *e)
{
    return e->is_public && (c->kind == CHANNEL_PUBLIC || (c->kind == CHANNEL_TAG && tags_have(e->tags, c->tag)));
}

bool channel_concerns(const struct channel *c, const struct hub_entry *e)
{
    struct post_event post = event_of_entry(e);
    switch (e->kind) {
    case EVENT_NEW:
    case EVENT_POST:
        return post.kind != POST_EVENT_NONE &&
               (c->kind == CHANNEL_USER || c->kind == CHANNEL_LIST || is_in_channel(c, &post));
    case EVENT_SESSIONS:
        return e->id == c->account || e->id == c->app;
    case EVENT_USER:
        return e->id == c->account;
    case EVENT_NOTICE:
        return e->id == c->account && c->has_notices && (c->kind == CHANNEL_USER || c->kind == CHANNEL_NOTICES);
    case EVENT_TALK:
        return e->id == c->account && c->kind == CHANNEL_DIRECT;
    case EVENT_FILTERS:
        return e->id == c->account && c->kind == CHANNEL_USER;
    default:
        return false;
    }
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static void post_ask_one(struct visit *v, struct news_read *n, size_t i)
{
    bool is_home = n->channel->kind == CHANNEL_USER;
    if (n->events[i].kind == POST_EVENT_GONE) {
        return;
    }
    n->loads[i].id = n->entries[i].id;
    post_ask(v, &n->loads[i], 1, is_home ? SEE_HOME : n->rule ? SEE_LIST : SEE_PUBLIC);
    if (is_home && n->events[i].is_public && n->events[i].tags[0]) {
        n->tagged[i].id = n->entries[i].id;
        n->tagged[i].by_tag = true;
        post_ask(v, &n->tagged[i], 1, SEE_HOME);
    }
}

static void told_ask(struct visit *v, struct news_read *n, uint64_t told_us)
{
    struct notice_query q = {.at = {.min_us = told_us, .limit = NOTICES_EACH}, .single = NOTICE_GROUPED};
    if (!told_us) {
        q.at.limit = 1;
    }
    n->notices = notice_page_ask(v, &q);
}

struct channel_news *channel_ask(struct visit *v, const struct channel *c, const struct hub_entry *entries,
                                 size_t count, uint64_t told_us)
{
    struct news_read *n = arena_zero(v->arena, sizeof(*n));
    n->channel = c;
    n->entries = entries;
    n->count = count;
    n->out.told_us = told_us;
    bool has_notice = !told_us;
    n->rule = c->kind == CHANNEL_LIST ? list_rule_ask(v, c->list) : NULL;
    if (c->kind == CHANNEL_USER) {
        visit_want_following(v);
        visit_want_interests(v);
    }
    for (size_t i = 0; i < count; i++) {
        n->events[i] = event_of_entry(&entries[i]);
        has_notice |= entries[i].kind == EVENT_NOTICE;
        if (n->events[i].kind != POST_EVENT_NONE) {
            post_ask_one(v, n, i);
        } else if (entries[i].kind == EVENT_TALK) {
            n->talks[i] = talk_ask(v, strtoull(entries[i].text, NULL, 10));
        }
    }
    if (has_notice && c->has_notices) {
        told_ask(v, n, told_us);
    }
    return &n->out;
}

/* --- taking -------------------------------------------------------------------------------------------------------- */

static bool is_of_his_people(const struct visit *v, uint64_t author)
{
    return author == v->viewer.id || visit_follows(v, author);
}

static bool has_tag_of_his(const struct visit *v, const char *tags)
{
    for (const char *tag; (tag = tags_next(v->arena, &tags));) {
        if (visit_is_interested(v, tag)) {
            return true;
        }
    }
    return false;
}

/* The post, if it is for him; NULL else. */
static const struct post *post_for_him(const struct visit *v, const struct news_read *n, size_t i)
{
    const struct post_event *e = &n->events[i];
    const struct post *post = &n->loads[i].post;
    bool is_seen = post->id != 0;
    if (n->rule) {
        bool is_shown = list_rule_has(n->rule, e->author) && list_shows(v, &n->rule->list, &n->rule->members, post);
        return is_seen && is_shown ? post : NULL;
    }
    if (n->channel->kind != CHANNEL_USER) {
        return is_seen ? post : NULL;
    }
    if (is_of_his_people(v, e->author)) {
        return is_seen ? post : NULL;
    }
    bool is_tagged = n->tagged[i].post.id && n->tagged[i].by_tag && has_tag_of_his(v, e->tags);
    return is_tagged ? &n->tagged[i].post : NULL;
}

/* Nobody can judge a post that is gone: who could have it before him learns its number. */
static bool was_for_him(const struct visit *v, const struct news_read *n, const struct post_event *e)
{
    if (n->rule) {
        return list_rule_has(n->rule, e->author);
    }
    return n->channel->kind != CHANNEL_USER || is_of_his_people(v, e->author) ||
           (e->is_public && has_tag_of_his(v, e->tags));
}

static struct channel_item *item_add(struct news_read *n, enum channel_event event, size_t entry, uint64_t id)
{
    struct channel_item *item = &n->out.items[n->out.count++];
    *item = (struct channel_item){.event = event, .entry = entry, .id = id};
    return item;
}

static void take_post(const struct visit *v, struct news_read *n, size_t i)
{
    const struct post *post = n->events[i].kind == POST_EVENT_GONE ? NULL : post_for_him(v, n, i);
    if (n->events[i].kind == POST_EVENT_GONE) {
        if (was_for_him(v, n, &n->events[i])) {
            item_add(n, CHANNEL_GONE, i, n->entries[i].id);
        }
    } else if (post) {
        bool is_new = n->events[i].kind == POST_EVENT_NEW;
        item_add(n, is_new ? CHANNEL_UPDATE : CHANNEL_EDITED, i, n->entries[i].id)->post = post;
    }
}

/* The oldest first. */
static void take_notices(struct news_read *n)
{
    const struct notice_page *page = n->notices;
    bool is_start = !n->out.told_us;
    if (is_start) {
        n->out.told_us = page->newest_us ? page->newest_us : 1;
        return;
    }
    for (size_t i = page->count; i-- > 0;) {
        item_add(n, CHANNEL_NOTICE, n->count, page->items[i].at_us)->notice = &page->items[i];
        n->out.told_us = page->items[i].at_us > n->out.told_us ? page->items[i].at_us : n->out.told_us;
    }
    n->out.more = page->count == NOTICES_EACH;
}

void channel_take(const struct visit *v, struct channel_news *news)
{
    struct news_read *n = (struct news_read *)news;
    n->out.items = arena_alloc(v->arena, (n->count + NOTICES_EACH + 1) * sizeof(*n->out.items));
    for (size_t i = 0; i < n->count; i++) {
        if (n->events[i].kind != POST_EVENT_NONE) {
            take_post(v, n, i);
        } else if (n->talks[i] && n->talks[i]->count) {
            item_add(n, CHANNEL_TALK, i, n->entries[i].id)->talk = &n->talks[i]->items[0];
        } else if (n->entries[i].kind == EVENT_FILTERS) {
            item_add(n, CHANNEL_FILTERS, i, 0);
        }
    }
    if (n->notices) {
        take_notices(n);
    }
}
