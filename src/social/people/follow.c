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

static const char *join(struct arena *a, const struct store_reply *changed)
{
    struct buffer out = buffer_make(a);
    for (size_t i = 0; i < changed->count; i++) {
        buffer_printf(&out, "%s%s", i ? "," : "", store_text(&changed->items[i]));
    }
    return buffer_string(&out);
}

/* One try to change the follower's side. */
static enum err change(struct social *s, struct arena *a, const struct job *job, bool on, const uint64_t *targets,
                       size_t count, struct script_follow_reply *out)
{
    const struct script_follow in = {job_call(job), job->uid, on, now_us(), FOLLOW_MOST, targets, count};
    struct store_batch *b = store_batch_new(s->store, a);
    if (on) {
        script_follow_add(b, &in);
    } else {
        script_unfollow_add(b, &in);
    }
    enum err e = store_run(b);
    script_follow_take(store_reply(b, 0), out);
    return e;
}

/* Changes the follower's side for these targets and runs the job for the other side. *out says for whom that changes
 * anything, and whom he may not follow. */
static enum err apply(struct social *s, struct arena *a, uint64_t uid, bool on, const uint64_t *targets, size_t count,
                      struct script_follow_reply *out)
{
    struct follow_work *work = job_new(a, &follow_job, uid);
    enum err e;
    do {
        e = change(s, a, &work->job, on, targets, count, out);
    } while (e == ERR_OK && job_is_stale(&work->job, out->answer));
    if (e != ERR_OK) {
        return e;
    }
    if (out->answer != ANSWER_OK) {
        return out->answer == ANSWER_FULL ? ERR_CONFLICT : out->answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
    }
    if (out->changed->count > 0) {
        work->targets = join(a, out->changed);
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

enum err follow_many(struct social *s, struct arena *a, const struct actor *by, bool on, struct follow_item *items,
                     size_t count, struct problems *p)
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
    uint64_t *targets = arena_alloc(a, (count + 1) * sizeof(*targets));
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].result == FOLLOW_UNCHANGED) {
            targets[n++] = items[i].uid;
        }
    }
    if (n == 0) {
        return ERR_OK;
    }
    struct script_follow_reply r;
    e = apply(s, a, by->uid, on, targets, n, &r);
    if (e == ERR_OK) {
        follow_mark(items, count, r.changed, FOLLOW_CHANGED);
        follow_mark(items, count, r.refused, FOLLOW_REFUSED);
    }
    return e;
}

enum err follow_end(struct social *s, struct arena *a, uint64_t uid, const uint64_t *targets, size_t count)
{
    struct script_follow_reply r;
    return apply(s, a, uid, false, targets, count, &r);
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

/* Reads which of the targets the user follows at this moment. */
static enum err read_states(struct social *s, struct arena *a, uint64_t uid, struct script_follow_done_row *relations,
                            size_t count)
{
    const char **arguments = arena_alloc(a, (count + 2) * sizeof(*arguments));
    arguments[0] = "ZMSCORE";
    arguments[1] = key_id(a, KEY_FOLLOWING, uid);
    for (size_t i = 0; i < count; i++) {
        arguments[2 + i] = id_text(a, relations[i].target);
    }
    struct store_batch *b = store_batch_new(s->store, a);
    store_command_v(b, id_bucket(uid), count + 2, arguments);
    enum err e = store_run(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool on = store_item(store_reply(b, 0), i)->type != STORE_NIL;
        relations[i].state = on ? FOLLOW_DONE_STATE_ON : FOLLOW_DONE_STATE_OFF;
    }
    return e;
}

/* Writes the other sides. The state of those who are not there any more, or whom a block is between, becomes GONE. */
static enum err write_others(struct social *s, struct arena *a, uint64_t uid, struct script_follow_done_row *relations,
                             size_t count)
{
    struct store_batch *b = store_batch_new(s->store, a);
    for (size_t i = 0; i < count; i++) {
        const struct script_follower in = {.uid = relations[i].target,
                                           .follower = uid,
                                           .on = relations[i].state == FOLLOW_DONE_STATE_ON,
                                           .now = now_us()};
        script_follower_add(b, &in);
    }
    enum err e = store_run(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (script_answer(store_reply(b, i)) == ANSWER_GONE) {
            relations[i].state = FOLLOW_DONE_STATE_GONE;
        }
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
    script_follow_done_add(b, &(struct script_follow_done){job_call(j), j->uid, relations, count});
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

/* --- what a deleted user leaves ------------------------------------------------------------------------------------
 * */

static enum err remove_followers(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = follow_end(s, a, ids[i], &uid, 1);
        if (e == ERR_OK || e == ERR_NOT_FOUND) { /* he did not follow, or does not exist: the entry still goes */
            e = purge_drop_entry(s, a, KEY_FOLLOWERS, uid, ids[i]);
        }
    }
    return e;
}

const struct remains following_remains = {.name = "following", .key = KEY_FOLLOWING, .remove = follow_end};
const struct remains follower_remains = {.name = "followers", .key = KEY_FOLLOWERS, .remove = remove_followers};
