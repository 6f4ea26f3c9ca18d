/* remark.c - see remark.h. Any thread. */
#include "social/people/remark.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/problem.h"
#include "social/core/social.h"
#include "social/people/shown.h"
#include "store/calls.h"
#include "store/store.h"

enum err remark_set(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                    const char *text, struct problems *p)
{
    static const struct problem_text_rule rule = {"comment", "bio_invalid", "bio_too_long", REMARK_MAX, false};
    char *tidy = arena_dup(a, text);
    enum err e = action_check(ACTION_REMARK, by);
    text_tidy(tidy);
    problem_check_text(p, tidy, &rule);
    if (e != ERR_OK || p->count) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    struct script_limit limit;
    e = follow_find(s, a, by, ACTION_REMARK, item, 1, &limit, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    struct store_batch *b = shown_batch(s, a, by->shown);
    const bool is_blank = text_is_blank(tidy, strlen(tidy));
    script_remark_set_add(b, &(struct script_remark_set){limit, by->uid, item->uid, is_blank ? "" : tidy, REMARK_MOST});
    shown_ask(by->shown, item->uid);
    e = shown_run(by->shown, b);
    struct script_remark_set_reply r;
    script_remark_set_take(store_reply(b, 0), &r);
    e = e == ERR_OK ? follow_limited(r.answer, r.wait, p) : e;
    if (e != ERR_OK || r.answer != ANSWER_OK) {
        return e != ERR_OK ? e : r.answer == ANSWER_FULL ? ERR_CONFLICT : ERR_NOT_FOUND;
    }
    item->result = FOLLOW_CHANGED;
    return ERR_OK;
}
