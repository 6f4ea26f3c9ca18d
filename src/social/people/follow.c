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
 * Whoever asked for the change waits for (1) and (2); (3) is the workers', unless an other side decided otherwise.
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
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/shown.h"
#include "social/people/tie.h"
#include "store/keys.h"
#include "store/store.h"

struct follow_work {
    struct job job;
    const char *targets; /* uids, comma separated */
    /* not stored, for the first step: NULL from then on */
    struct script_follow_done_row *relations; /* of the targets, as the follower's side has just been written */
    struct shown *shown;                      /* to the follower, by this process */
    /* not stored: the other sides are written, all in this state */
    bool is_written, wrote_tells;
    enum script_follow_done_state wrote;
};

static int64_t now_us(void)
{
    return (int64_t)clock_site_ms() * 1000;
}

/* What is wanted of the one who is followed, in the call that makes it so. */
static void put_options(struct script_follow *in, const struct follow_options *how)
{
    static const enum script_follow_boosts boosts[] = {
        [FOLLOW_AS_IS] = FOLLOW_BOOSTS_KEEP, [FOLLOW_YES] = FOLLOW_BOOSTS_SHOW, [FOLLOW_NO] = FOLLOW_BOOSTS_HIDE};
    static const enum script_follow_tells tells[] = {
        [FOLLOW_AS_IS] = FOLLOW_TELLS_KEEP, [FOLLOW_YES] = FOLLOW_TELLS_ON, [FOLLOW_NO] = FOLLOW_TELLS_OFF};
    in->boosts = boosts[how->boosts];
    in->tells = tells[how->tells];
    in->speaks = how->languages != NULL;
    in->languages = how->languages ? how->languages : "";
}

/* One try to change the follower's side. */
static enum err change(struct social *s, struct arena *a, const struct script_follow *in,
                       struct script_follow_reply *out)
{
    struct store_batch *b = store_batch_new(s->store, a);
    if (in->on) {
        script_follow_add(b, in);
    } else {
        script_unfollow_add(b, in);
    }
    enum err e = store_run(b);
    script_follow_take(store_reply(b, 0), out);
    return e;
}

static bool is_among_told(const struct store_reply *told, uint64_t uid)
{
    for (size_t i = 0; i < told->count; i++) {
        if (id_parse(store_text(&told->items[i])) == uid) {
            return true;
        }
    }
    return false;
}

/* Puts these behind the `count` targets; returns how many there are. */
static size_t put_targets(struct follow_work *w, size_t count, struct buffer *text, const struct store_reply *uids,
                          enum script_follow_done_state state, const struct store_reply *told)
{
    for (size_t i = 0; i < uids->count; i++) {
        const char *target = store_text(&uids->items[i]);
        uint64_t uid = id_parse(target);
        bool tells = state == FOLLOW_DONE_STATE_ON && is_among_told(told, uid);
        w->relations[count++] = (struct script_follow_done_row){.target = uid, .state = state, .tells = tells};
        buffer_printf(text, "%s%s", text->length ? "," : "", target);
    }
    return count;
}

/* Gives the job what it is to bring after, as the follower's side is now. Whom he asked before is asked once more: it
 * does no harm. False: nothing. */
static bool take_change(struct arena *a, const struct script_follow *in, const struct script_follow_reply *r,
                        struct follow_work *w)
{
    const enum script_follow_done_state state = in->on ? FOLLOW_DONE_STATE_ON : FOLLOW_DONE_STATE_OFF;
    struct buffer text = buffer_make(a);
    w->relations = arena_zero(a, (in->targets_count + 1) * sizeof(*w->relations));
    size_t count = put_targets(w, 0, &text, r->changed, state, r->told);
    count = put_targets(w, count, &text, r->anew, state, r->told);
    count = put_targets(w, count, &text, r->asks, FOLLOW_DONE_STATE_ASKS, r->told);
    w->targets = buffer_string(&text);
    return count > 0;
}

/* Changes the follower's side (all of `in` but the job is given) and begins the job for the other side (waits: does
 * all of it). *out says for whom that changes anything, whom he may not follow, and whom he asks. */
static enum err apply(struct social *s, struct arena *a, struct script_follow *in, struct shown *shown, bool waits,
                      struct script_follow_reply *out)
{
    struct follow_work *work = job_new(a, &follow_job, in->uid);
    enum err e;
    do {
        in->job = job_call(&work->job);
        e = change(s, a, in, out);
    } while (e == ERR_OK && job_is_stale(&work->job, out->answer));
    if (e != ERR_OK || out->answer == ANSWER_LIMITED) {
        return e;
    }
    if (out->answer != ANSWER_OK) {
        return out->answer == ANSWER_FULL ? ERR_CONFLICT : out->answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
    }
    if (take_change(a, in, out, work)) {
        work->shown = shown;
        (waits ? job_run : job_begin)(s, a, &work->job); /* what fails is brought after by the job */
    }
    return ERR_OK;
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
                                  .languages = "",
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
    struct script_limit limit;
    e = e == ERR_OK ? follow_find(s, a, by, what, items, count, &limit, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct script_follow in;
    follow_call(a, by->uid, on, items, count, &in);
    if (in.targets_count == 0) {
        return ERR_OK;
    }
    in.limit = limit;
    if (how) {
        put_options(&in, how);
    }
    struct script_follow_reply r;
    e = apply(s, a, &in, by->shown, false, &r);
    e = e == ERR_OK ? follow_limited(r.answer, r.wait, p) : e;
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
    struct script_follow in = {.limit = limit_ask_user(s, LIMIT_NONE, uid, 0),
                               .uid = uid,
                               .locked = "",
                               .languages = "",
                               .targets = targets,
                               .targets_count = count};
    struct script_follow_reply r;
    return apply(s, a, &in, NULL, true, &r);
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

/* Writes the other sides, and asks behind that for what the follower is shown. The state of those who are not there any
 * more, or whom a block is between, becomes GONE. */
static enum err write_others(struct social *s, struct arena *a, struct follow_work *w,
                             struct script_follow_done_row *relations, size_t count)
{
    static const enum script_follower_state states[] = {[FOLLOW_DONE_STATE_ON] = FOLLOWER_STATE_ON,
                                                        [FOLLOW_DONE_STATE_OFF] = FOLLOWER_STATE_OFF,
                                                        [FOLLOW_DONE_STATE_ASKS] = FOLLOWER_STATE_ASKS};
    struct store_batch *b = shown_batch(s, a, w->shown);
    for (size_t i = 0; i < count; i++) {
        const struct script_follower in = {.uid = relations[i].target,
                                           .follower = w->job.uid,
                                           .state = states[relations[i].state],
                                           .tells = relations[i].tells,
                                           .now = now_us()};
        script_follower_add(b, &in);
    }
    for (size_t i = 0; i < count; i++) { /* behind the scripts, whose replies are found by their numbers */
        if (relations[i].state != FOLLOW_DONE_STATE_OFF) {
            event_tell(b, a, EVENT_NOTICE, relations[i].target, "");
        }
    }
    shown_ask(w->shown, relations[0].target);
    enum err e = shown_run(w->shown, b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        take_other(store_reply(b, i), &relations[i]);
    }
    return e;
}

/* Whether the other sides are all as this one was. If they are in one state, the job can be ended by whoever has only
 * that. */
static bool note_written(struct follow_work *w, const struct script_follow_done_row *relations, size_t count)
{
    w->wrote = relations[0].state;
    w->wrote_tells = relations[0].tells;
    w->is_written = true;
    for (size_t i = 0; i < count; i++) {
        if (relations[i].state == FOLLOW_DONE_STATE_GONE || relations[i].becomes != FOLLOW_DONE_BECOMES_SAME) {
            w->is_written = false;
            return false;
        }
        w->is_written = w->is_written && relations[i].state == w->wrote && relations[i].tells == w->wrote_tells;
    }
    return true;
}

/* Ends the job, unless the follower's side has changed since it was read, or is to become like the others. */
static enum err end_follow(struct social *s, struct arena *a, struct follow_work *w,
                           const struct script_follow_done_row *relations, size_t count, bool *done)
{
    struct store_batch *b = store_batch_new(s->store, a);
    script_follow_done_add(b, &(struct script_follow_done){job_call(&w->job), w->job.uid, now_us(), relations, count});
    enum err e = store_run(b);
    *done = e == ERR_OK && script_answer(store_reply(b, 0)) == ANSWER_OK;
    w->is_written = false;
    return e;
}

/* The relations as the one who has them written down, or this process, knows them. */
static struct script_follow_done_row *known_relations(struct arena *a, const struct follow_work *w, size_t *count)
{
    uint64_t *targets;
    *count = split(a, w->targets, &targets);
    struct script_follow_done_row *relations = w->relations;
    if (!relations) {
        relations = arena_zero(a, (*count + 1) * sizeof(*relations));
        for (size_t i = 0; i < *count; i++) {
            relations[i] = (struct script_follow_done_row){
                .target = targets[i], .state = w->wrote, .tells = w->wrote_tells, .becomes = FOLLOW_DONE_BECOMES_SAME};
        }
    }
    return relations;
}

/* One step writes the other sides, and the next one ends the job: whoever waits for an answer waits for the first. If an
 * other side decided otherwise, the first does both, so that the answer is what holds then. And if they are of several
 * sorts, which the next does not know, it writes them once more and ends the job, too. */
static enum err follow_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    struct follow_work *w = (struct follow_work *)j;
    size_t count;
    struct script_follow_done_row *relations = known_relations(a, w, &count);
    bool is_first = w->relations != NULL;
    w->relations = NULL;
    if (w->is_written) {
        return end_follow(s, a, w, relations, count, done);
    }
    enum err e = is_first ? ERR_OK : read_states(s, a, j->uid, relations, count);
    e = e == ERR_OK ? write_others(s, a, w, relations, count) : e;
    bool agrees = e == ERR_OK && note_written(w, relations, count);
    if (e == ERR_OK && !(agrees && (w->is_written || is_first))) {
        e = end_follow(s, a, w, relations, count, done);
    }
    if (w->shown && !agrees) {
        w->shown->is_read = false;
    }
    w->shown = NULL;
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
