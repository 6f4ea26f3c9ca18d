/* filter_change.c - see filter.h: the changes. Any thread. */
#include "social/people/filter.h"

#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/panic.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/filter_text.h"
#include "social/people/purge.h"
#include "store/keys.h"
#include "store/store.h"

/* Tidied, one line. */
static const char *tidy_line(struct arena *a, const char *typed)
{
    char *out = arena_dup(a, typed);
    text_tidy(out);
    for (char *c = out; *c; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    return out;
}

static void check_phrase(const char *phrase, struct problems *p)
{
    static const struct problem_text_rule rule = {"phrase", "filter_invalid", "filter_too_long", FILTER_PHRASE_MAX,
                                                  true};
    if (!*phrase || text_is_blank(phrase, strlen(phrase))) {
        problem_add(p, "phrase", "filter_empty");
    }
    problem_check_text(p, phrase, &rule);
}

/* Microseconds, and larger than all that this process gave before: filters are shown in the order in which they were
 * made. */
static uint64_t new_filter_id(void)
{
    static _Atomic uint64_t last;
    uint64_t before = atomic_load(&last), id;
    do {
        uint64_t now = clock_site_ms() * 1000;
        id = now > before ? now : before + 1;
    } while (!atomic_compare_exchange_weak(&last, &before, id));
    return id;
}

/* Tidies it, and says what is wrong with it: of several texts the first one that cannot be. */
static enum err filter_read(struct arena *a, enum action what, const struct actor *by, struct filter *f,
                            struct problems *p)
{
    enum err e = action_check(what, by);
    require(f->keyword_count <= FILTER_KEYWORDS_MOST && f->post_count <= FILTER_POSTS_MOST);
    f->title = tidy_line(a, f->title);
    check_phrase(f->title, p);
    for (size_t i = 0; i < f->keyword_count; i++) {
        f->keywords[i].phrase = tidy_line(a, f->keywords[i].phrase);
        if (!p->count) {
            check_phrase(f->keywords[i].phrase, p);
        }
    }
    if (!f->places) {
        problem_add(p, "home", "filter_nowhere");
    }
    return e == ERR_OK && p->count ? ERR_INVALID : e;
}

/* Numbers for what is new, which nothing had before. The first word of a new filter has that of the filter: it may be
 * all that there is (filter_text.h). */
static void give_ids(struct filter *f)
{
    for (size_t i = 0; i < f->keyword_count; i++) {
        if (!f->keywords[i].id) {
            f->keywords[i].id = f->value || i ? new_filter_id() : f->id;
        }
    }
    for (size_t i = 0; i < f->post_count; i++) {
        f->posts[i].id = f->posts[i].id ? f->posts[i].id : new_filter_id();
    }
}

/* Another process had given that number: the script knows a free one. */
static void take_id(struct filter *f, uint64_t id)
{
    for (size_t i = 0; i < f->keyword_count; i++) {
        f->keywords[i].id = f->keywords[i].id == f->id ? id : f->keywords[i].id;
    }
    f->id = id;
}

/* Once it is done, and only then: says that this user's filters have changed to those who listen. Nobody waits for it. */
static enum err filters_told(struct social *s, struct arena *a, uint64_t uid, enum err e)
{
    if (e == ERR_OK) {
        struct store_batch *b = store_batch_new(s->store, a);
        event_tell(b, a, EVENT_FILTERS, uid, "");
        store_send(b);
    }
    return e;
}

enum err filter_add(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p)
{
    enum err e = filter_read(a, ACTION_FILTER_ADD, by, f, p);
    if (e != ERR_OK) {
        return e;
    }
    e = action_count(s, a, ACTION_FILTER_ADD, by, p);
    f->id = new_filter_id();
    give_ids(f);
    struct store_batch *b = store_batch_new(s->store, a);
    script_filter_add_add(b, &(struct script_filter_add){.uid = by->uid,
                                                         .id = (int64_t)f->id,
                                                         .value = filter_text(a, f),
                                                         .now = (int64_t)clock_site_ms(),
                                                         .most = FILTER_MOST});
    e = e == ERR_OK ? store_run(b) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct script_filter_add_reply r;
    script_filter_add_take(store_reply(b, 0), &r);
    take_id(f, (uint64_t)r.id);
    e = r.answer == ANSWER_OK ? ERR_OK : r.answer == ANSWER_FULL ? ERR_CONFLICT : ERR_NOT_FOUND;
    return filters_told(s, a, by->uid, e);
}

static enum err set_outcome(const struct store_reply *reply)
{
    switch (script_answer(reply)) {
    case ANSWER_OK:
        return ERR_OK;
    case ANSWER_CHANGED:
        return ERR_BUSY;
    default:
        return ERR_NOT_FOUND;
    }
}

enum err filter_set(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p)
{
    enum err e = filter_read(a, ACTION_FILTER_SET, by, f, p);
    e = e == ERR_OK ? action_count(s, a, ACTION_FILTER_SET, by, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    give_ids(f);
    struct store_batch *b = store_batch_new(s->store, a);
    script_filter_set_add(
        b, &(struct script_filter_set){
               .uid = by->uid, .id = (int64_t)f->id, .before = f->value ? f->value : "", .value = filter_text(a, f)});
    e = store_run(b);
    return e == ERR_OK ? filters_told(s, a, by->uid, set_outcome(store_reply(b, 0))) : e;
}

enum err filter_remove(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p)
{
    enum err e = action_check(ACTION_FILTER_REMOVE, by);
    e = e == ERR_OK ? action_count(s, a, ACTION_FILTER_REMOVE, by, p) : e;
    struct store_batch *b = store_batch_new(s->store, a);
    script_filter_remove_add(b, &(struct script_filter_remove){.uid = by->uid, .id = (int64_t)id});
    e = e == ERR_OK ? store_run(b) : e;
    e = e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
    return filters_told(s, a, by->uid, e);
}

static void filters_end(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_FILTERS, uid), NULL);
}

const struct remains filter_remains = {.name = "filters", .end_add = filters_end};
