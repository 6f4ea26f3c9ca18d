/* request.c - see request.h.
 *
 * The order: (1) the requests end, and those who are let in are followers, in the bucket of who was asked, with the job;
 * (2) the job looks who is a follower by now, and tells each in his own bucket (request_reply.lua), which writes the job
 * of follow.c there; that makes both sides agree, so whoever took his request back meanwhile, asked again or was blocked
 * ends as he should; (3) the next hundred, if all are answered, else the job ends. A job that answers all answers those
 * who asked before it: who asks a locked account later is not let in by it.
 *
 * Any thread.
 */
#include "social/people/request.h"

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
#include "social/people/people.h"
#include "social/people/shown.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

#define ANSWERED_AT_ONCE 100

static int64_t request_now_us(void)
{
    return (int64_t)clock_site_ms() * 1000;
}

/* --- the job -------------------------------------------------------------------------------------------------------
 * */

/* One who was answered. */
struct answered {
    uint64_t uid;
    bool is_follower, asks_again;
    struct job *job; /* of his own bucket */
};

struct request_work {
    struct job job;
    /* not stored: those whom this process has just answered by name, for the first step; it tells them */
    struct answered *named;
    size_t named_count;
    struct shown *shown; /* to whoever answered them: NULL from then on */
    bool is_told, grants;
};

static size_t parse_answered(struct arena *a, const char *targets, struct answered **out)
{
    *out = arena_zero(a, (strlen(targets) / ID_DIGITS + 1) * sizeof(**out));
    size_t n = 0, length;
    for (const char *at; (at = text_entry(&targets, &length));) {
        uint64_t id = id_parse_n(at, length);
        if (id) {
            (*out)[n++].uid = id;
        }
    }
    return n;
}

/* Reads what became of them where they were answered. */
static enum err read_answered(struct social *s, struct arena *a, uint64_t uid, struct answered *all, size_t count)
{
    const char **arguments = arena_alloc(a, (count + 2) * sizeof(*arguments));
    struct store_batch *b = store_batch_new(s->store, a);
    arguments[0] = "ZMSCORE";
    for (size_t i = 0; i < count; i++) {
        arguments[2 + i] = id_text(a, all[i].uid);
    }
    arguments[1] = key_id(a, KEY_FOLLOWERS, uid);
    store_command_v(b, id_bucket(uid), count + 2, arguments);
    arguments[1] = key_id(a, KEY_REQUESTS, uid);
    store_command_v(b, id_bucket(uid), count + 2, arguments);
    enum err e = store_run(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        all[i].is_follower = store_item(store_reply(b, 0), i)->type != STORE_NIL;
        all[i].asks_again = store_item(store_reply(b, 1), i)->type != STORE_NIL;
    }
    return e;
}

/* Tells each in his own bucket. *again: somebody's job had an id that was taken. */
static enum err tell_answered(struct social *s, struct arena *a, uint64_t uid, struct shown *shown,
                              struct answered *all, size_t count, bool *again)
{
    struct store_batch *b = shown_batch(s, a, shown);
    for (size_t i = 0; i < count; i++) {
        all[i].job = job_new(a, &follow_job, all[i].uid);
        script_request_reply_add(b, &(struct script_request_reply){.job = job_call(all[i].job),
                                                                   .uid = all[i].uid,
                                                                   .by = uid,
                                                                   .grants = all[i].is_follower,
                                                                   .now = request_now_us()});
    }
    shown_ask(shown, count ? all[0].uid : 0);
    enum err e = shown_run(shown, b);
    *again = false;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        enum answer answer = script_answer(store_reply(b, i));
        *again = *again || answer == ANSWER_STALE;
        if (answer == ANSWER_OK) {
            follow_settle(s, a, all[i].job, uid);
        }
    }
    return e;
}

/* Those who ask anew are not to lose that by the answer to what they asked before. */
static size_t leave_out_new(struct answered *all, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].asks_again) {
            all[n++] = all[i];
        }
    }
    return n;
}

/* Takes the next part into hand, or ends the job. */
static enum err take_next(struct social *s, struct arena *a, const struct job *j, const struct record_job *now,
                          bool *done)
{
    struct store_batch *b = store_batch_new(s->store, a);
    script_requests_next_add(b, &(struct script_requests_next){.job = job_call(j),
                                                               .uid = j->uid,
                                                               .grants = now->grants,
                                                               .upto = now->upto,
                                                               .now = request_now_us(),
                                                               .most = ANSWERED_AT_ONCE});
    enum err e = store_run(b);
    *done = e == ERR_OK && script_answer(store_reply(b, 0)) == ANSWER_OK;
    return e;
}

#define REQUESTS_READ (JOB_TARGETS | JOB_GRANTS | JOB_UPTO | JOB_NONCE)

/* Those who were named, and have just been answered: their own sides, in the round trip that also reads what the actor
 * is shown. The next step ends the job. */
static enum err tell_named(struct social *s, struct arena *a, struct request_work *w)
{
    bool again;
    enum err e = tell_answered(s, a, w->job.uid, w->shown, w->named, w->named_count, &again);
    w->is_told = e == ERR_OK && !again;
    w->shown = NULL;
    w->named_count = 0;
    return e;
}

/* What is to be done stands in the record alone: each step changes it. */
static enum err request_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    struct request_work *w = (struct request_work *)j;
    if (w->named_count) {
        return tell_named(s, a, w);
    }
    if (w->is_told) {
        w->is_told = false;
        return take_next(s, a, j, &(struct record_job){.grants = w->grants, .upto = ""}, done);
    }
    struct store_batch *b = store_batch_new(s->store, a);
    struct record_job now;
    record_ask(b, RECORD_JOB, j->id, REQUESTS_READ);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    if (!record_job_take(store_reply(b, 0), REQUESTS_READ, &now) || now.nonce != j->nonce) {
        *done = true; /* somebody else has ended it */
        return ERR_OK;
    }
    struct answered *all;
    size_t count = parse_answered(a, now.targets, &all);
    bool again = false;
    if (count) {
        e = read_answered(s, a, j->uid, all, count);
        e = e == ERR_OK ? tell_answered(s, a, j->uid, NULL, all, leave_out_new(all, count), &again) : e;
    }
    return e == ERR_OK && !again ? take_next(s, a, j, &now, done) : e;
}

const struct job_class request_job = {
    .name = "requests", .step = request_step, .size = sizeof(struct request_work), .about = JOB_ABOUT_OWNER};

/* --- answering -----------------------------------------------------------------------------------------------------
 * */

/* Writes the answer to those named, or to all (count 0), with the job. */
static enum err write_request_answer(struct social *s, struct arena *a, struct job *job, bool grants,
                                     const struct script_limit *limit, const uint64_t *targets, size_t count,
                                     struct problems *p, struct script_requests_answer_reply *out)
{
    enum err e;
    do {
        struct store_batch *b = store_batch_new(s->store, a);
        script_requests_answer_add(b, &(struct script_requests_answer){.job = job_call(job),
                                                                       .limit = *limit,
                                                                       .uid = job->uid,
                                                                       .grants = grants,
                                                                       .now = request_now_us(),
                                                                       .targets = targets,
                                                                       .targets_count = count});
        e = store_run(b);
        script_requests_answer_take(store_reply(b, 0), out);
    } while (e == ERR_OK && job_is_stale(job, out->answer));
    e = e == ERR_OK ? follow_limited(out->answer, out->wait, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    return out->answer == ANSWER_OK ? ERR_OK : out->answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
}

enum err request_answer(struct social *s, struct arena *a, const struct actor *by, bool grants,
                        struct follow_item *items, size_t count, struct problems *p)
{
    enum action what = grants ? ACTION_ACCEPT : ACTION_REJECT;
    enum err e = action_check(what, by);
    if (e == ERR_OK && count > FOLLOW_BATCH_MAX) {
        e = ERR_INVALID;
    }
    struct script_limit limit;
    e = e == ERR_OK ? follow_find(s, a, by, what, items, count, &limit, p) : e;
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
    struct request_work *work = job_new(a, &request_job, by->uid);
    struct script_requests_answer_reply r;
    e = write_request_answer(s, a, &work->job, grants, &limit, targets, n, p, &r);
    if (e == ERR_OK && r.count) {
        follow_mark(items, count, r.changed, FOLLOW_CHANGED);
        work->named = arena_zero(a, r.changed->count * sizeof(*work->named));
        for (; work->named_count < r.changed->count; work->named_count++) {
            work->named[work->named_count].uid = id_parse(store_text(&r.changed->items[work->named_count]));
            work->named[work->named_count].is_follower = grants;
        }
        work->grants = grants;
        work->shown = by->shown;
        job_begin(s, a, &work->job);
    }
    return e;
}

enum err request_answer_all(struct social *s, struct arena *a, const struct actor *by, bool grants, int64_t *count,
                            struct problems *p)
{
    enum action what = grants ? ACTION_ACCEPT : ACTION_REJECT;
    enum err e = action_check(what, by);
    if (e != ERR_OK) {
        return e;
    }
    const struct script_limit limit = action_limit(s, what, by, 1);
    struct job *job = job_new(a, &request_job, by->uid);
    struct script_requests_answer_reply r;
    e = write_request_answer(s, a, job, grants, &limit, NULL, 0, p, &r);
    *count = e == ERR_OK ? r.count : 0;
    if (*count) {
        job_hand_over(s, a, job);
    }
    return e;
}

/* --- the lock ------------------------------------------------------------------------------------------------------
 * */

enum err request_lock(struct social *s, struct arena *a, const struct actor *by, bool on, struct problems *p)
{
    enum err e = action_check(ACTION_LOCK, by);
    e = e == ERR_OK ? action_count(s, a, ACTION_LOCK, by, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct job *job = job_new(a, &request_job, by->uid);
    struct script_user_lock_reply r;
    do {
        struct store_batch *b = store_batch_new(s->store, a);
        script_user_lock_add(b, &(struct script_user_lock){.job = job_call(job), .uid = by->uid, .on = on});
        event_add(s, b, a, EVENT_USER, by->uid);
        e = store_run(b);
        script_user_lock_take(store_reply(b, 0), &r);
    } while (e == ERR_OK && job_is_stale(job, r.answer));
    if (e != ERR_OK || r.answer != ANSWER_OK) {
        return e != ERR_OK ? e : r.answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
    }
    if (r.queued) {
        job_hand_over(s, a, job);
    }
    return ERR_OK;
}

/* --- the list ------------------------------------------------------------------------------------------------------
 * */

struct request_read {
    struct follow_page page;
    struct follow_query query;
    size_t reply;
    struct people people;
};

static enum err take_request_people(struct visit *v, void *self)
{
    struct request_read *r = self;
    size_t n = 0;
    (void)v;
    for (size_t i = 0; i < r->page.count; i++) {
        if (r->people.users[i].id) {
            r->page.rows[n] = r->page.rows[i];
            r->page.rows[n++].user = r->people.users[i];
        }
    }
    r->page.count = n;
    return ERR_OK;
}

static enum err take_requests(struct visit *v, void *self)
{
    struct request_read *r = self;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    follow_page_rows(v->arena, &r->query, visit_reply(v, r->reply), &r->page);
    people_ask(v, follow_page_ids(v->arena, &r->page), r->page.count, &r->people);
    visit_then(v, take_request_people, r);
    return ERR_OK;
}

const struct follow_page *request_list_ask(struct visit *v, const struct follow_query *q)
{
    struct request_read *r = arena_zero(v->arena, sizeof(*r));
    const char *from, *to;
    r->query = *q;
    if (v->claimed) {
        bool upwards = follow_page_bounds(v->arena, q, &from, &to);
        r->reply =
            store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE", key_id(v->arena, KEY_REQUESTS, v->claimed),
                          from, to, "BYSCORE", "LIMIT", "0", arena_printf(v->arena, "%u", q->limit + 1), "WITHSCORES",
                          upwards ? NULL : "REV", NULL);
        visit_then(v, take_requests, r);
    }
    return &r->page;
}

struct request_count {
    int64_t count;
    size_t reply;
};

static enum err take_request_count(struct visit *v, void *self)
{
    struct request_count *r = self;
    r->count = v->viewer.id ? store_integer(visit_reply(v, r->reply)) : 0;
    return ERR_OK;
}

const int64_t *request_count_ask(struct visit *v)
{
    struct request_count *r = arena_zero(v->arena, sizeof(*r));
    if (v->claimed) {
        r->reply = store_command(v->reads.batch, id_bucket(v->claimed), "ZCARD",
                                 key_id(v->arena, KEY_REQUESTS, v->claimed), NULL);
        visit_then(v, take_request_count, r);
    }
    return &r->count;
}
