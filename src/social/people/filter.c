/* filter.c - see filter.h: the changes. Any thread. */
#include "social/people/filter.h"

#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "store/keys.h"
#include "store/store.h"

static const struct {
    char letter;
    const char *word;
} places[FILTER_PLACES] = {
#define X(id, letter, word) [FILTER_PLACE_##id] = {letter, word},
    FILTER_CONTEXT_TABLE(X)
#undef X
};

const char *filter_place_word(unsigned place)
{
    return place < FILTER_PLACES ? places[place].word : NULL;
}

/* The value of the hash: letters, when it ends, the phrase. */
static const char *filter_text(struct arena *a, const struct filter *f)
{
    struct buffer out = buffer_make(a);
    for (unsigned i = 0; i < FILTER_PLACES; i++) {
        if (f->places & 1u << i) {
            buffer_char(&out, places[i].letter);
        }
    }
    buffer_printf(&out, "%s%s%s:%llu:%s", f->whole_word ? "w" : "", f->hides ? "x" : "", f->is_empty ? "e" : "",
                  (unsigned long long)f->until_ms, f->phrase);
    return buffer_string(&out);
}

static void check_filter(const struct filter *f, struct problems *p)
{
    static const struct problem_text_rule rule = {"phrase", "filter_invalid", "filter_too_long", FILTER_PHRASE_MAX,
                                                  true};
    if (!*f->phrase || text_is_blank(f->phrase, strlen(f->phrase))) {
        problem_add(p, "phrase", "filter_empty");
    }
    problem_check_text(p, f->phrase, &rule);
    if (!f->places) {
        problem_add(p, "home", "filter_nowhere");
    }
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

/* Tidies it, and says what is wrong with it. */
static enum err filter_read(struct arena *a, enum action what, const struct actor *by, struct filter *f,
                            struct problems *p)
{
    char *tidy = arena_dup(a, f->phrase);
    enum err e = action_check(what, by);
    text_tidy(tidy);
    f->phrase = tidy;
    check_filter(f, p);
    return e == ERR_OK && p->count ? ERR_INVALID : e;
}

enum err filter_add(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p)
{
    enum err e = filter_read(a, ACTION_FILTER_ADD, by, f, p);
    if (e != ERR_OK) {
        return e;
    }
    e = action_count(s, a, ACTION_FILTER_ADD, by, p);
    f->id = new_filter_id();
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
    f->id = (uint64_t)r.id;
    return r.answer == ANSWER_OK ? ERR_OK : r.answer == ANSWER_FULL ? ERR_CONFLICT : ERR_NOT_FOUND;
}

enum err filter_set(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p)
{
    enum err e = filter_read(a, ACTION_FILTER_SET, by, f, p);
    e = e == ERR_OK ? action_count(s, a, ACTION_FILTER_SET, by, p) : e;
    struct store_batch *b = store_batch_new(s->store, a);
    script_filter_set_add(
        b, &(struct script_filter_set){.uid = by->uid, .id = (int64_t)f->id, .value = filter_text(a, f)});
    e = e == ERR_OK ? store_run(b) : e;
    return e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

enum err filter_remove(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p)
{
    enum err e = action_check(ACTION_FILTER_REMOVE, by);
    e = e == ERR_OK ? action_count(s, a, ACTION_FILTER_REMOVE, by, p) : e;
    struct store_batch *b = store_batch_new(s->store, a);
    script_filter_remove_add(b, &(struct script_filter_remove){.uid = by->uid, .id = (int64_t)id});
    e = e == ERR_OK ? store_run(b) : e;
    return e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

static void filters_end(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_FILTERS, uid), NULL);
}

const struct remains filter_remains = {.name = "filters", .end_add = filters_end};
