/* notice.c - see notice.h: the kinds of notices, and what is left of them. Any thread. */
#include "social/notices/notice.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "store/keys.h"
#include "store/store.h"

#define DAY_DIGITS 6

static const struct notice_info kinds[NOTICE_KINDS] = {
#define X(id, letter, word) [NOTICE_##id] = {letter, word},
    NOTICE_TABLE(X)
#undef X
};

const struct notice_info *notice_info(enum notice_kind k)
{
    return &kinds[k];
}

const char *notice_group(struct arena *a, enum notice_kind k, uint64_t number)
{
    char digits[ID_SIZE];
    return arena_printf(a, "%c:%s", kinds[k].letter, id_write(number, digits));
}

/* The number of a group: an id, or the day of FOLLOW. 0: it is none. */
static uint64_t group_number(enum notice_kind k, const char *text)
{
    if (k != NOTICE_FOLLOW) {
        return id_parse(text);
    }
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= DAY_DIGITS && !text[digits] && text[0] != '0' ? strtoul(text, NULL, 10) : 0;
}

bool notice_group_parse(const char *group, enum notice_kind *k, uint64_t *number)
{
    for (int i = 0; group[0] && i < NOTICE_KINDS; i++) {
        if (kinds[i].letter == group[0] && group[1] == ':') {
            *k = (enum notice_kind)i;
            *number = group_number(*k, group + 2);
            return *number != 0;
        }
    }
    return false;
}

/* --- what a user does with his -------------------------------------------------------------------------------------
 * */

enum err notice_read(struct social *s, struct arena *a, const struct actor *by, uint64_t until_us)
{
    enum err e = action_check(ACTION_NOTICE_READ, by);
    if (e != ERR_OK) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    script_notice_read_add(b, &(struct script_notice_read){.uid = by->uid, .upto = (int64_t)until_us});
    e = store_run(b);
    return e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

static enum err dismiss(struct social *s, struct arena *a, const struct script_notice_dismiss *in)
{
    struct store_batch *b = store_batch_new(s->store, a);
    script_notice_dismiss_add(b, in);
    enum err e = store_run(b);
    return e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

enum err notice_dismiss(struct social *s, struct arena *a, const struct actor *by, const char *group, uint64_t until_us)
{
    enum notice_kind k;
    uint64_t number;
    enum err e = action_check(ACTION_NOTICE_DISMISS, by);
    if (e == ERR_OK && !notice_group_parse(group, &k, &number)) {
        e = ERR_NOT_FOUND;
    }
    const struct script_notice_dismiss in = {.uid = by->uid, .group = group, .upto = (int64_t)until_us};
    return e == ERR_OK ? dismiss(s, a, &in) : e;
}

enum err notice_clear(struct social *s, struct arena *a, const struct actor *by, uint64_t until_us)
{
    enum err e = action_check(ACTION_NOTICE_CLEAR, by);
    const struct script_notice_dismiss in = {.uid = by->uid, .group = "", .upto = (int64_t)until_us};
    return e == ERR_OK ? dismiss(s, a, &in) : e;
}

enum err notice_dismiss_one(struct social *s, struct arena *a, const struct actor *by, const struct notice *n)
{
    enum err e = action_check(ACTION_NOTICE_DISMISS, by);
    const struct script_notice_dismiss in = {.uid = by->uid,
                                             .group = n->group,
                                             .upto = (int64_t)n->at_us,
                                             .who = NOTICE_GROUPED & 1u << n->kind ? n->people[0].id : 0};
    return e == ERR_OK ? dismiss(s, a, &in) : e;
}

/* --- what is left --------------------------------------------------------------------------------------------------
 * */

static void remains_end(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_NOTICES, uid), key_id(a, KEY_NOTICEREAD, uid),
                  key_id(a, KEY_NOTICEGONE, uid), NULL);
}

const struct remains notice_remains = {.name = "notices", .end_add = remains_end};
