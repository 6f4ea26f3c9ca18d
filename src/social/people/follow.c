/* follow.c - changing relations, and the job that makes the other side follow.
 *
 * Order: (1) the follower's set, his emptied home and the job, in one script; (2) each followed user's set; (3) in the
 * follower's bucket again: if the relation is not any more what (2) wrote, start over, else empty the home once more
 * and end the job. The job writes states, not operations, and (3) compares, so two jobs of contrary intent that overlap
 * end with both sides alike. The home is emptied at (3) again because a post made between (1) and (2) was not delivered
 * to this follower: the next visit rebuilds from the truth, which has it. Of somebody who was deleted or blocked
 * meanwhile (2) writes nothing, and (3) takes him out of the follower's set: the clean-up after him may have passed
 * there already.
 *
 * Whether somebody follows or asks is chosen in (1) by what was just read of the other, and decided in (2), where his
 * lock is. If they differ, (3) makes the follower's side like the other and the job runs again, so that it ends only
 * when a whole pass has changed nothing: whoever locks his account has no followers but those whom he had or let in.
 *
 * Any thread.
 */
#include "social/people/follow.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/tie.h"
#include "store/keys.h"
#include "store/store.h"

struct follow_work {
    struct job job;
    const char *targets; /* uids, comma separated */
};

static int64_t now_us(void)
{
    return (int64_t)clock_site_ms() * 1000;
}

const size_t *follow_find_add(struct store_batch *b, struct arena *a, const struct follow_item *items, size_t count)
{
    struct user_page none = {.what = USER_FIND_WHAT_NONE};
    size_t *replies = arena_alloc(a, (count + 1) * sizeof(*replies));
    for (size_t i = 0; i < count; i++) {
        replies[i] = user_name_is_valid(items[i].name) ? user_find_add(b, items[i].name, &none) : SIZE_MAX;
    }
    return replies;
}

void follow_find_take(struct social *s, const struct store_batch *b, const size_t *replies, uint64_t self,
                      struct follow_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct user u = {0};
        items[i].result = FOLLOW_UNKNOWN;
        items[i].uid = 0;
        if (replies[i] != SIZE_MAX && user_find_take(s, b, replies[i], &u, NULL, NULL) == ERR_OK) {
            items[i].name = u.name;
            items[i].uid = u.id;
            items[i].result = u.id == self ? FOLLOW_SELF : FOLLOW_UNCHANGED;
            items[i].is_locked = u.is_locked;
        }
    }
}

void follow_mark(struct follow_item *items, size_t count, const struct store_reply *uids, enum follow_result result)
{
    for (size_t c = 0; c < uids->count; c++) {
        uint64_t uid = id_parse(store_text(&uids->items[c]));
        for (size_t i = 0; i < count; i++) {
            if (items[i].uid == uid && items[i].result == FOLLOW_UNCHANGED) {
                items[i].result = result;
                break;
            }
        }
    }
}

static void join(struct buffer *out, const struct store_reply *uids)
{
    for (size_t i = 0; i < uids->count; i++) {
        buffer_printf(out, "%s%s", out->length ? "," : "", store_text(&uids->items[i]));
    }
}

/* What is wanted of the one who is followed, behind the script that makes it so. */
static void tie_add(struct store_batch *b, const struct script_follow *in, const struct follow_options *how)
{
    static const enum script_tie_set_boosts boosts[] = {
        [FOLLOW_AS_IS] = TIE_SET_BOOSTS_KEEP, [FOLLOW_YES] = TIE_SET_BOOSTS_SHOW, [FOLLOW_NO] = TIE_SET_BOOSTS_HIDE};
    static const enum script_tie_set_tells tells[] = {
        [FOLLOW_AS_IS] = TIE_SET_TELLS_KEEP, [FOLLOW_YES] = TIE_SET_TELLS_ON, [FOLLOW_NO] = TIE_SET_TELLS_OFF};
    script_tie_set_add(b, &(struct script_tie_set){.job = in->job,
                                                   .uid = in->uid,
                                                   .other = in->targets[0],
                                                   .boosts = boosts[how->boosts],
                                                   .tells = tells[how->tells],
                                                   .speaks = how->languages != NULL,
                                                   .languages = how->languages ? how->languages : ""});
}

/* One try to change the follower's side. *queued: the job is there, though following may not have changed. */
static enum err change(struct social *s, struct arena *a, const struct script_follow *in,
                       const struct follow_options *how, struct script_follow_reply *out, bool *queued)
{
    struct store_batch *b = store_batch_new(s->store, a);
    if (in->on) {
        script_follow_add(b, in);
    } else {
        script_unfollow_add(b, in);
    }
    if (how) {
        tie_add(b, in, how);
    }
    enum err e = store_run(b);
    script_follow_take(store_reply(b, 0), out);
    struct script_tie_set_reply tie = {.queued = 0};
    if (how && e == ERR_OK) {
        script_tie_set_take(store_reply(b, 1), &tie);
        out->answer = tie.answer == ANSWER_STALE && out->answer == ANSWER_OK ? ANSWER_STALE : out->answer;
    }
    *queued = tie.answer == ANSWER_OK && tie.queued;
    return e;
}

/* Changes the follower's side (all of `in` but the job is given) and runs the job for the other side. *out says for
 * whom that changes anything, whom he may not follow, and whom he asks. `how` (NULL: as it is) is for the first of
 * them. */
static enum err apply(struct social *s, struct arena *a, struct script_follow *in, const struct follow_options *how,
                      struct script_follow_reply *out)
{
    struct follow_work *work = job_new(a, &follow_job, in->uid);
    enum err e;
    bool queued;
    do {
        in->job = job_call(&work->job);
        e = change(s, a, in, how, out, &queued);
    } while (e == ERR_OK && job_is_stale(&work->job, out->answer));
    if (e != ERR_OK) {
        return e;
    }
    if (out->answer != ANSWER_OK) {
        return out->answer == ANSWER_FULL ? ERR_CONFLICT : out->answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
    }
    struct buffer targets = buffer_make(a);
    join(&targets, out->changed);
    join(&targets, out->asks);
    work->targets = queued && !targets.length ? id_text(a, in->targets[0]) : buffer_string(&targets);
    if (*work->targets) { /* whom he asked before is asked once more: it does no harm */
        job_run(s, a, &work->job);
    }
    return ERR_OK;
}

enum err follow_find_counted(struct social *s, struct arena *a, const struct actor *by, enum action what,
                             struct follow_item *items, size_t count, struct problems *p)
{
    const struct script_limit limit = action_limit(s, what, by, (unsigned)count);
    struct store_batch *b = social_batch(s, a);
    size_t counted = limit_add(b, &limit);
    const size_t *replies = follow_find_add(b, a, items, count);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    follow_find_take(s, b, replies, by->uid, items, count);
    return limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : ERR_OK;
}

/* The call for those of the items who were found. */
static void follow_call(struct arena *a, uint64_t uid, bool on, const struct follow_item *items, size_t count,
                        struct script_follow *out)
{
    uint64_t *targets = arena_alloc(a, (count + 1) * sizeof(*targets));
    struct buffer locked = buffer_make(a);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].result == FOLLOW_UNCHANGED) {
            targets[n++] = items[i].uid;
        }
        if (items[i].result == FOLLOW_UNCHANGED && items[i].is_locked) {
            buffer_printf(&locked, "%s%s", locked.length ? "," : "", id_text(a, items[i].uid));
        }
    }
    *out = (struct script_follow){.uid = uid,
                                  .on = on,
                                  .now = now_us(),
                                  .most = FOLLOW_MOST,
                                  .locked = buffer_string(&locked),
                                  .targets = targets,
                                  .targets_count = n};
}

static enum err follow_all(struct social *s, struct arena *a, const struct actor *by, bool on,
                           struct follow_item *items, size_t count, const struct follow_options *how,
                           struct problems *p)
{
    enum action what = on ? ACTION_FOLLOW : ACTION_UNFOLLOW;
    enum err e = action_check(what, by);
    if (e == ERR_OK && count > FOLLOW_BATCH_MAX) {
        e = ERR_INVALID;
    }
    e = e == ERR_OK ? follow_find_counted(s, a, by, what, items, count, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct script_follow in;
    follow_call(a, by->uid, on, items, count, &in);
    if (in.targets_count == 0) {
        return ERR_OK;
    }
    struct script_follow_reply r;
    e = apply(s, a, &in, how, &r);
    if (e == ERR_OK) {
        follow_mark(items, count, r.changed, FOLLOW_CHANGED);
        follow_mark(items, count, r.refused, FOLLOW_REFUSED);
        follow_mark(items, count, r.asks, FOLLOW_ASKED);
    }
    return e;
}

enum err follow_many(struct social *s, struct arena *a, const struct actor *by, bool on, struct follow_item *items,
                     size_t count, struct problems *p)
{
    return follow_all(s, a, by, on, items, count, NULL, p);
}

enum err follow_one(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                    const struct follow_options *how, struct problems *p)
{
    return follow_all(s, a, by, true, item, 1, how, p);
}

enum err follow_end(struct social *s, struct arena *a, uint64_t uid, const uint64_t *targets, size_t count)
{
    struct script_follow in = {.uid = uid, .locked = "", .targets = targets, .targets_count = count};
    struct script_follow_reply r;
    return apply(s, a, &in, NULL, &r);
}

static size_t split(struct arena *a, const char *targets, uint64_t **out)
{
    *out = arena_alloc(a, (strlen(targets) / ID_DIGITS + 1) * sizeof(uint64_t));
    size_t n = 0;
    size_t length;
    for (const char *at; (at = text_entry(&targets, &length));) {
        uint64_t id = id_parse_n(at, length);
        if (id) {
            (*out)[n++] = id;
        }
    }
    return n;
}

/* Reads which of the targets the user follows, or asks, at this moment. */
static enum err read_states(struct social *s, struct arena *a, uint64_t uid, struct script_follow_done_row *relations,
                            size_t count)
{
    const char **arguments = arena_alloc(a, (count + 2) * sizeof(*arguments));
    arguments[0] = "ZMSCORE";
    for (size_t i = 0; i < count; i++) {
        arguments[2 + i] = id_text(a, relations[i].target);
    }
    struct store_batch *b = store_batch_new(s->store, a);
    arguments[1] = key_id(a, KEY_FOLLOWING, uid);
    store_command_v(b, id_bucket(uid), count + 2, arguments);
    arguments[1] = key_id(a, KEY_ASKED, uid);
    store_command_v(b, id_bucket(uid), count + 2, arguments);
    arguments[0] = "HMGET";
    arguments[1] = key_id(a, KEY_TIES, uid);
    store_command_v(b, id_bucket(uid), count + 2, arguments);
    enum err e = store_run(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool on = store_item(store_reply(b, 0), i)->type != STORE_NIL;
        bool asks = store_item(store_reply(b, 1), i)->type != STORE_NIL;
        relations[i].state = on ? FOLLOW_DONE_STATE_ON : asks ? FOLLOW_DONE_STATE_ASKS : FOLLOW_DONE_STATE_OFF;
        relations[i].becomes = FOLLOW_DONE_BECOMES_SAME;
        relations[i].tells = on && tie_parse(0, store_text(store_item(store_reply(b, 2), i))).is_told;
    }
    return e;
}

/* What the other side made of a relation: it is gone, or of another sort than here. */
static void take_other(const struct store_reply *reply, struct script_follow_done_row *relation)
{
    struct script_follower_reply r;
    script_follower_take(reply, &r);
    if (r.answer == ANSWER_GONE) {
        relation->state = FOLLOW_DONE_STATE_GONE;
    } else if (r.is == FOLLOWER_IS_ON && relation->state == FOLLOW_DONE_STATE_ASKS) {
        relation->becomes = FOLLOW_DONE_BECOMES_ON;
    } else if (r.is == FOLLOWER_IS_ASKS && relation->state == FOLLOW_DONE_STATE_ON) {
        relation->becomes = FOLLOW_DONE_BECOMES_ASKS;
    } else if (r.full) {
        relation->becomes = FOLLOW_DONE_BECOMES_UNTOLD;
    }
}

/* Writes the other sides. The state of those who are not there any more, or whom a block is between, becomes GONE. */
static enum err write_others(struct social *s, struct arena *a, uint64_t uid, struct script_follow_done_row *relations,
                             size_t count)
{
    static const enum script_follower_state states[] = {[FOLLOW_DONE_STATE_ON] = FOLLOWER_STATE_ON,
                                                        [FOLLOW_DONE_STATE_OFF] = FOLLOWER_STATE_OFF,
                                                        [FOLLOW_DONE_STATE_ASKS] = FOLLOWER_STATE_ASKS};
    struct store_batch *b = store_batch_new(s->store, a);
    for (size_t i = 0; i < count; i++) {
        const struct script_follower in = {.uid = relations[i].target,
                                           .follower = uid,
                                           .state = states[relations[i].state],
                                           .tells = relations[i].tells,
                                           .now = now_us()};
        script_follower_add(b, &in);
    }
    enum err e = store_run(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        take_other(store_reply(b, i), &relations[i]);
    }
    return e;
}

static enum err follow_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    uint64_t *targets;
    size_t count = split(a, ((struct follow_work *)j)->targets, &targets);
    struct script_follow_done_row *relations = arena_alloc(a, (count + 1) * sizeof(*relations));
    for (size_t i = 0; i < count; i++) {
        relations[i].target = targets[i];
    }
    enum err e = read_states(s, a, j->uid, relations, count);
    e = e == ERR_OK ? write_others(s, a, j->uid, relations, count) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    script_follow_done_add(b, &(struct script_follow_done){job_call(j), j->uid, now_us(), relations, count});
    e = store_run(b);
    *done = e == ERR_OK && script_answer(store_reply(b, 0)) == ANSWER_OK;
    return e;
}

static const struct job_field follow_fields[] = {{JOB_TARGETS, JOB_TEXT, offsetof(struct follow_work, targets)},
                                                 {.field = 0}};
const struct job_class follow_job = {.name = "follow",
                                     .step = follow_step,
                                     .size = sizeof(struct follow_work),
                                     .fields = follow_fields,
                                     .about = JOB_ABOUT_OWNER};

enum err follow_mend(struct social *s, struct arena *a, uint64_t follower, uint64_t followed)
{
    struct follow_work *work = job_new(a, &follow_job, follower);
    work->targets = id_text(a, followed);
    return job_run(s, a, &work->job);
}

void follow_settle(struct social *s, struct arena *a, struct job *job, uint64_t followed)
{
    ((struct follow_work *)job)->targets = id_text(a, followed);
    job_hand_over(s, a, job);
}

/* --- what a deleted user leaves ------------------------------------------------------------------------------------
 * */

static enum err end_others(struct social *s, struct arena *a, enum key key, uint64_t uid, const uint64_t *ids,
                           size_t count)
{
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = follow_end(s, a, ids[i], &uid, 1);
        if (e == ERR_OK || e == ERR_NOT_FOUND) { /* he did not follow, or does not exist: the entry still goes */
            e = purge_drop_entry(s, a, key, uid, ids[i]);
        }
    }
    return e;
}

static enum err remove_followers(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    return end_others(s, a, KEY_FOLLOWERS, uid, ids, count);
}

static enum err remove_requests(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    return end_others(s, a, KEY_REQUESTS, uid, ids, count);
}

const struct remains following_remains = {.name = "following", .key = KEY_FOLLOWING, .remove = follow_end};
const struct remains asked_remains = {.name = "asked", .key = KEY_ASKED, .remove = follow_end};
const struct remains request_remains = {.name = "requests", .key = KEY_REQUESTS, .remove = remove_requests};
const struct remains follower_remains = {.name = "followers", .key = KEY_FOLLOWERS, .remove = remove_followers};
