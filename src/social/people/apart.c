/* apart.c - see apart.h: the changes, and the job of a block.
 *
 * The order is that of follow.c: (1) the blocking side and the job, in one script; (2) the other side; (3) in the first
 * bucket again: if the block is not any more what (2) wrote, start over, else end the job. The job writes states, not
 * operations, so a block and its end that overlap leave both sides alike. Relations need no truth here: each script
 * takes away what lies in its bucket in the same step that makes new ones impossible there.
 *
 * Any thread.
 */
#include "social/people/apart.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/shown.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

struct apart_work {
    struct job job;
    uint64_t other;
    /* not stored: read when it is not known */
    enum { LETTER_UNKNOWN, LETTER_ON, LETTER_OFF } letter; /* of the blocking side */
    bool is_written;                                       /* the other side, as `wrote` says */
    enum script_block_done_side wrote;
    struct shown *shown; /* to whoever blocks, by this process: NULL from then on */
};

/* Whether the action may be made, and upon whom. FOLLOW_UNCHANGED in the item: it is to be done. */
static enum err apart_find(struct social *s, struct arena *a, const struct actor *by, enum action what,
                           struct follow_item *item, struct script_limit *limit, struct problems *p)
{
    enum err e = action_check(what, by);
    return e == ERR_OK ? follow_find(s, a, by, what, item, 1, limit, p) : e;
}

/* --- blocks --------------------------------------------------------------------------------------------------------
 * */

struct apart_change {
    enum answer answer;
    int64_t changed, wait;
};

/* One try to change the blocking side. */
static enum err write_block(struct social *s, struct arena *a, const struct apart_work *work, bool on,
                            const struct script_limit *limit, struct apart_change *out)
{
    struct script_block_reply blocked;
    struct script_unblock_reply unblocked;
    struct store_batch *b = store_batch_new(s->store, a);
    const struct script_job job = job_call(&work->job);
    if (on) {
        script_block_add(b, &(struct script_block){.job = job,
                                                   .limit = *limit,
                                                   .uid = work->job.uid,
                                                   .other = work->other,
                                                   .now = (int64_t)clock_site_ms(),
                                                   .most = APART_MOST});
    } else {
        script_unblock_add(
            b, &(struct script_unblock){.job = job, .limit = *limit, .uid = work->job.uid, .other = work->other});
    }
    enum err e = store_run(b);
    if (on) {
        script_block_take(store_reply(b, 0), &blocked);
        *out = (struct apart_change){blocked.answer, blocked.changed, blocked.wait};
    } else {
        script_unblock_take(store_reply(b, 0), &unblocked);
        *out = (struct apart_change){unblocked.answer, unblocked.changed, unblocked.wait};
    }
    return e;
}

/* What an answer other than OK means to the actor. */
static enum err apart_refused(enum answer answer, int64_t wait_ms, struct problems *p)
{
    if (answer == ANSWER_LIMITED) {
        return follow_limited(answer, wait_ms, p);
    }
    return answer == ANSWER_FULL ? ERR_CONFLICT : answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
}

static void letter_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t other)
{
    store_command(b, id_bucket(uid), "HGET", key_id(a, KEY_APART, uid), id_text(a, other), NULL);
}

/* What was so already may be a block whose process died before the other side was written: looks at that, with what the
 * actor is shown. */
static enum err look_at_other_side(struct social *s, struct arena *a, struct apart_work *work, bool on)
{
    struct store_batch *b = shown_batch(s, a, work->shown);
    letter_add(b, a, work->other, work->job.uid);
    shown_ask(work->shown, work->other);
    enum err e = shown_run(work->shown, b);
    bool is = e == ERR_OK && strchr(store_text(store_reply(b, 0)), 'B');
    return e == ERR_OK && is != on ? ERR_NOT_FOUND : e;
}

/* A block hides at once, so whoever is told that it is there is not to wait until the lease of its job ends: what fails
 * is tried once more (a connection was lost). The job stays for what fails again. */
static void bring_other_side(struct social *s, struct arena *a, struct apart_work *work, bool on, bool changed)
{
    if (!changed && look_at_other_side(s, a, work, on) != ERR_NOT_FOUND) {
        return;
    }
    work->letter = changed ? (on ? LETTER_ON : LETTER_OFF) : LETTER_UNKNOWN;
    if (job_begin(s, a, &work->job) != ERR_OK) {
        job_begin(s, a, &work->job);
    }
}

static enum err change_block(struct social *s, struct arena *a, const struct actor *by, bool on,
                             struct follow_item *item, const struct script_limit *limit, struct problems *p)
{
    struct apart_work *work = job_new(a, &apart_job, by->uid);
    struct apart_change done;
    enum err e;
    work->other = item->uid;
    work->shown = by->shown;
    do {
        e = write_block(s, a, work, on, limit, &done);
    } while (e == ERR_OK && job_is_stale(&work->job, done.answer));
    if (e != ERR_OK || done.answer != ANSWER_OK) {
        return e != ERR_OK ? e : apart_refused(done.answer, done.wait, p);
    }
    item->result = done.changed ? FOLLOW_CHANGED : FOLLOW_UNCHANGED;
    bring_other_side(s, a, work, on, done.changed);
    return ERR_OK;
}

static enum err act_on_block(struct social *s, struct arena *a, const struct actor *by, bool on,
                             struct follow_item *item, struct problems *p)
{
    struct script_limit limit;
    enum err e = apart_find(s, a, by, on ? ACTION_BLOCK : ACTION_UNBLOCK, item, &limit, p);
    return e == ERR_OK && item->result == FOLLOW_UNCHANGED ? change_block(s, a, by, on, item, &limit, p) : e;
}

enum err apart_block(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                     struct problems *p)
{
    return act_on_block(s, a, by, true, item, p);
}

enum err apart_unblock(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                       struct problems *p)
{
    return act_on_block(s, a, by, false, item, p);
}

/* --- the other side ------------------------------------------------------------------------------------------------
 * */

/* Whether the block is there, where it is the truth. */
static enum err read_letter(struct social *s, struct arena *a, struct apart_work *w)
{
    struct store_batch *b = store_batch_new(s->store, a);
    letter_add(b, a, w->job.uid, w->other);
    enum err e = store_run(b);
    w->letter = strchr(store_text(store_reply(b, 0)), 'b') ? LETTER_ON : LETTER_OFF;
    return e;
}

/* Writes the other side, as the blocking one is. */
static enum err write_blocked(struct social *s, struct arena *a, struct apart_work *w)
{
    bool on = w->letter == LETTER_ON;
    struct store_batch *b = shown_batch(s, a, w->shown);
    script_blocked_add(b, &(struct script_blocked){.uid = w->other,
                                                   .by = w->job.uid,
                                                   .on = on,
                                                   .stamp = arena_printf(a, "%sb", job_nonce_text(a, &w->job))});
    shown_ask(w->shown, w->other);
    enum err e = shown_run(w->shown, b);
    bool gone = script_answer(store_reply(b, 0)) == ANSWER_GONE;
    w->wrote = gone ? BLOCK_DONE_SIDE_GONE : on ? BLOCK_DONE_SIDE_ON : BLOCK_DONE_SIDE_OFF;
    w->is_written = e == ERR_OK;
    w->shown = e == ERR_OK ? NULL : w->shown;
    return e;
}

/* Takes away what the two were told of each other, and ends the job, unless the blocking side has changed since it was
 * read. */
static enum err end_apart(struct social *s, struct arena *a, struct apart_work *w, bool *done)
{
    enum err e = w->wrote == BLOCK_DONE_SIDE_ON ? s->parts->part(s, a, w->job.uid, w->other) : ERR_OK;
    if (e != ERR_OK) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    script_block_done_add(b, &(struct script_block_done){job_call(&w->job), w->job.uid, w->other, w->wrote});
    e = store_run(b);
    *done = e == ERR_OK && script_answer(store_reply(b, 0)) == ANSWER_OK;
    w->letter = LETTER_UNKNOWN;
    w->is_written = false;
    return e;
}

/* One step writes the other side, and the next one ends the job: whoever waits for an answer waits for the first. */
static enum err apart_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    struct apart_work *w = (struct apart_work *)j;
    if (w->is_written) {
        return end_apart(s, a, w, done);
    }
    enum err e = w->letter == LETTER_UNKNOWN ? read_letter(s, a, w) : ERR_OK;
    return e == ERR_OK ? write_blocked(s, a, w) : e;
}

static const struct job_field apart_fields[] = {{JOB_TARGETS, JOB_ID, offsetof(struct apart_work, other)},
                                                {.field = 0}};
const struct job_class apart_job = {.name = "apart",
                                    .step = apart_step,
                                    .size = sizeof(struct apart_work),
                                    .fields = apart_fields,
                                    .about = JOB_ABOUT_OWNER};

enum err apart_mend(struct social *s, struct arena *a, uint64_t uid, uint64_t other)
{
    struct apart_work *work = job_new(a, &apart_job, uid);
    work->other = other;
    return job_run(s, a, &work->job);
}

/* --- mutes ---------------------------------------------------------------------------------------------------------
 * */

enum err apart_mute(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                    const struct apart_mute *how, struct problems *p)
{
    struct script_limit limit;
    enum err e = apart_find(s, a, by, ACTION_MUTE, item, &limit, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    uint64_t now = clock_site_ms();
    const struct script_mute in = {.limit = limit,
                                   .uid = by->uid,
                                   .other = item->uid,
                                   .notifications = how->notifications,
                                   .ends = how->seconds ? (int64_t)(now + how->seconds * 1000) : 0,
                                   .now = (int64_t)now,
                                   .most = APART_MOST};
    struct script_mute_reply r;
    struct store_batch *b = shown_batch(s, a, by->shown);
    script_mute_add(b, &in);
    script_talk_hush_add(b, &(struct script_talk_hush){.uid = by->uid});
    shown_ask(by->shown, item->uid);
    e = shown_run(by->shown, b);
    script_mute_take(store_reply(b, 0), &r);
    if (e == ERR_OK && r.answer != ANSWER_OK) {
        return apart_refused(r.answer, r.wait, p);
    }
    item->result = FOLLOW_CHANGED;
    return e;
}

enum err apart_unmute(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                      struct problems *p)
{
    struct script_limit limit;
    enum err e = apart_find(s, a, by, ACTION_UNMUTE, item, &limit, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    struct script_unmute_reply r;
    struct store_batch *b = shown_batch(s, a, by->shown);
    script_unmute_add(b, &(struct script_unmute){.limit = limit, .uid = by->uid, .other = item->uid});
    shown_ask(by->shown, item->uid);
    e = shown_run(by->shown, b);
    script_unmute_take(store_reply(b, 0), &r);
    item->result = e == ERR_OK && r.changed ? FOLLOW_CHANGED : FOLLOW_UNCHANGED;
    return e == ERR_OK ? follow_limited(r.answer, r.wait, p) : e;
}

/* --- followers -----------------------------------------------------------------------------------------------------
 * */

enum err apart_remove(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                      struct problems *p)
{
    struct script_limit limit;
    enum err e = apart_find(s, a, by, ACTION_REMOVE, item, &limit, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a); /* the change lies in another bucket than the limit */
    size_t counted = limit_add(b, &limit);
    e = limit.cost ? store_run(b) : ERR_OK;
    if (e != ERR_OK || (limit.cost && limit_refuses(store_reply(b, counted), p))) {
        return e != ERR_OK ? e : ERR_TOO_MANY;
    }
    e = follow_end(s, a, item->uid, &by->uid, 1);
    item->result = FOLLOW_CHANGED;
    return e;
}

/* --- what a deleted user leaves ------------------------------------------------------------------------------------
 * */

static enum err forget_apart(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    char digits[ID_SIZE];
    struct store_batch *others = store_batch_new(s->store, a), *own = store_batch_new(s->store, a);
    for (size_t i = 0; i < count; i++) {
        script_apart_forget_add(others, &(struct script_apart_forget){ids[i], uid});
        store_command(own, id_bucket(uid), "HDEL", key_id(a, KEY_APART, uid), id_write(ids[i], digits), NULL);
    }
    enum err e = store_run(others);
    return e == ERR_OK ? store_run(own) : e;
}

const struct remains apart_remains = {.name = "apart", .key = KEY_APART, .remove = forget_apart};
