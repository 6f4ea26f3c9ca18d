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
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

struct apart_work {
    struct job job;
    uint64_t other;
};

/* Whether the action may be made, and upon whom. FOLLOW_UNCHANGED in the item: it is to be done. */
static enum err apart_find(struct social *s, struct arena *a, const struct actor *by, enum action what,
                           struct follow_item *item, struct problems *p)
{
    enum err e = action_check(what, by);
    return e == ERR_OK ? follow_find_counted(s, a, by, what, item, 1, p) : e;
}

/* --- blocks --------------------------------------------------------------------------------------------------------
 * */

struct apart_change {
    enum answer answer;
    int64_t changed;
};

/* One try to change the blocking side. */
static enum err write_block(struct social *s, struct arena *a, const struct job *job, uint64_t other, bool on,
                            struct apart_change *out)
{
    struct script_block_reply blocked;
    struct script_unblock_reply unblocked;
    struct store_batch *b = store_batch_new(s->store, a);
    if (on) {
        script_block_add(b,
                         &(struct script_block){job_call(job), job->uid, other, (int64_t)clock_site_ms(), APART_MOST});
    } else {
        script_unblock_add(b, &(struct script_unblock){job_call(job), job->uid, other});
    }
    enum err e = store_run(b);
    if (on) {
        script_block_take(store_reply(b, 0), &blocked);
        *out = (struct apart_change){blocked.answer, blocked.changed};
    } else {
        script_unblock_take(store_reply(b, 0), &unblocked);
        *out = (struct apart_change){unblocked.answer, unblocked.changed};
    }
    return e;
}

/* What an answer other than OK means to the actor. */
static enum err apart_refused(enum answer answer)
{
    return answer == ANSWER_FULL ? ERR_CONFLICT : answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
}

/* Whether the entry of the user about the other has this letter (keys.h) at this moment. */
static enum err read_letter(struct social *s, struct arena *a, uint64_t uid, uint64_t other, char letter, bool *on)
{
    char digits[ID_SIZE];
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "HGET", key_id(a, KEY_APART, uid), id_write(other, digits), NULL);
    enum err e = store_run(b);
    *on = e == ERR_OK && strchr(store_text(store_reply(b, 0)), letter);
    return e;
}

/* A block hides at once, so whoever is told that it is there is not to wait until the lease of its job ends: what fails
 * is tried once more (a connection was lost), and what was so already may be a block whose process died. The job stays
 * for what fails again. */
static void bring_other_side(struct social *s, struct arena *a, struct apart_work *work, bool on, bool changed)
{
    bool is = !on;
    enum err e = changed ? ERR_OK : read_letter(s, a, work->other, work->job.uid, 'B', &is);
    if (e == ERR_OK && is != on && job_run(s, a, &work->job) != ERR_OK) {
        job_run(s, a, &work->job);
    }
}

static enum err change_block(struct social *s, struct arena *a, uint64_t uid, bool on, struct follow_item *item)
{
    struct apart_work *work = job_new(a, &apart_job, uid);
    struct apart_change done;
    enum err e;
    work->other = item->uid;
    do {
        e = write_block(s, a, &work->job, item->uid, on, &done);
    } while (e == ERR_OK && job_is_stale(&work->job, done.answer));
    if (e != ERR_OK || done.answer != ANSWER_OK) {
        return e != ERR_OK ? e : apart_refused(done.answer);
    }
    item->result = done.changed ? FOLLOW_CHANGED : FOLLOW_UNCHANGED;
    bring_other_side(s, a, work, on, done.changed);
    return ERR_OK;
}

static enum err act_on_block(struct social *s, struct arena *a, const struct actor *by, bool on,
                             struct follow_item *item, struct problems *p)
{
    enum err e = apart_find(s, a, by, on ? ACTION_BLOCK : ACTION_UNBLOCK, item, p);
    return e == ERR_OK && item->result == FOLLOW_UNCHANGED ? change_block(s, a, by->uid, on, item) : e;
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

static enum err apart_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    uint64_t other = ((struct apart_work *)j)->other;
    bool on;
    enum err e = read_letter(s, a, j->uid, other, 'b', &on);
    struct store_batch *there = store_batch_new(s->store, a), *here = store_batch_new(s->store, a);
    script_blocked_add(
        there, &(struct script_blocked){
                   .uid = other, .by = j->uid, .on = on, .stamp = arena_printf(a, "%sb", job_nonce_text(a, j))});
    e = e == ERR_OK ? store_run(there) : e;
    if (e != ERR_OK) {
        return e;
    }
    bool gone = script_answer(store_reply(there, 0)) == ANSWER_GONE;
    e = on && !gone ? s->parts->part(s, a, j->uid, other) : ERR_OK;
    if (e != ERR_OK) {
        return e;
    }
    const struct script_block_done end = {.job = job_call(j),
                                          .uid = j->uid,
                                          .other = other,
                                          .side = gone ? BLOCK_DONE_SIDE_GONE
                                                  : on ? BLOCK_DONE_SIDE_ON
                                                       : BLOCK_DONE_SIDE_OFF};
    script_block_done_add(here, &end);
    e = store_run(here);
    *done = e == ERR_OK && script_answer(store_reply(here, 0)) == ANSWER_OK;
    return e;
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
    enum err e = apart_find(s, a, by, ACTION_MUTE, item, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    uint64_t now = clock_site_ms();
    const struct script_mute in = {.uid = by->uid,
                                   .other = item->uid,
                                   .notifications = how->notifications,
                                   .ends = how->seconds ? (int64_t)(now + how->seconds * 1000) : 0,
                                   .now = (int64_t)now,
                                   .most = APART_MOST};
    struct store_batch *b = store_batch_new(s->store, a);
    script_mute_add(b, &in);
    script_talk_hush_add(b, &(struct script_talk_hush){.uid = by->uid});
    e = store_run(b);
    if (e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK) {
        return apart_refused(script_answer(store_reply(b, 0)));
    }
    item->result = FOLLOW_CHANGED;
    return e;
}

enum err apart_unmute(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                      struct problems *p)
{
    enum err e = apart_find(s, a, by, ACTION_UNMUTE, item, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    struct script_unmute_reply r;
    struct store_batch *b = store_batch_new(s->store, a);
    script_unmute_add(b, &(struct script_unmute){by->uid, item->uid});
    e = store_run(b);
    script_unmute_take(store_reply(b, 0), &r);
    item->result = e == ERR_OK && r.changed ? FOLLOW_CHANGED : FOLLOW_UNCHANGED;
    return e;
}

/* --- followers -----------------------------------------------------------------------------------------------------
 * */

enum err apart_remove(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                      struct problems *p)
{
    enum err e = apart_find(s, a, by, ACTION_REMOVE, item, p);
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
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
