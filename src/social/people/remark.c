/* remark.c - see remark.h. Any thread. */
#include "social/people/remark.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/problem.h"
#include "social/core/social.h"
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
    e = follow_find_counted(s, a, by, ACTION_REMARK, item, 1, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    const bool is_blank = text_is_blank(tidy, strlen(tidy));
    script_remark_set_add(b, &(struct script_remark_set){by->uid, item->uid, is_blank ? "" : tidy, REMARK_MOST});
    e = store_run(b);
    enum answer answer = script_answer(store_reply(b, 0));
    if (e != ERR_OK || answer != ANSWER_OK) {
        return e != ERR_OK ? e : answer == ANSWER_FULL ? ERR_CONFLICT : ERR_NOT_FOUND;
    }
    item->result = FOLLOW_CHANGED;
    return ERR_OK;
}
