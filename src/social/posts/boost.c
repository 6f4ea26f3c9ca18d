/* boost.c - see boost.h.
 *
 * Whoever changes `boosted` has a job that runs boost_mend after it. That writes the other side as this one was, and
 * asks, behind that in the same batch, what this one is now: if it is another, it writes again. So the last one to
 * write finds what it wrote.
 *
 * Any thread.
 */
#include "social/posts/boost.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/shown.h"
#include "social/posts/delivery.h"
#include "social/posts/marks.h"
#include "social/posts/popular.h"
#include "social/posts/post_event.h"
#include "social/posts/post_read.h"
#include "social/posts/publish_parts.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define MEND_TRIES 8
#define FORGET_LAST "99" /* so many boosts of a post are taken back at once */

/* What the side of who boosts says. */
struct boost_side {
    uint64_t uid, post, author; /* 0: the post is gone, or unknown */
    uint64_t boost;             /* 0: none */
    uint64_t named;             /* what `post` itself boosts; 0: it is no boost, or that is unknown */
};

/* --- the other side ------------------------------------------------------------------------------------------------
 * */

static enum err read_boost_side(struct social *s, struct arena *a, struct boost_side *side)
{
    struct record_post post;
    struct store_batch *b = store_batch_new(s->store, a);
    marks_boost_add(b, a, side->uid, side->post);
    record_ask(b, RECORD_POST, side->post, POST_AUTHOR);
    enum err e = store_run(b);
    record_post_take(store_reply(b, 1), POST_AUTHOR, &post);
    side->boost = marks_boost_take(store_reply(b, 0));
    side->author = post.author;
    return e;
}

/* Adds the write, and behind it the question whether it is still so. Returns the index of the first reply; that of the
 * second follows it. */
static size_t write_boost_add(struct social *s, struct store_batch *b, struct arena *a, const struct boost_side *side)
{
    uint64_t now = clock_site_ms();
    /* of a post that is gone nobody knows the author: its own id, which is nobody's in that bucket, stands for him */
    const struct script_reacted in = {.uid = side->author ? side->author : side->post,
                                      .post = side->post,
                                      .from = side->uid,
                                      .on = side->boost != 0,
                                      .now = (int64_t)now * 1000};
    size_t reply = script_boosted_add(b, &in);
    marks_boost_add(b, a, side->uid, side->post);
    event_add(s, b, a, EVENT_COUNTS, side->post);
    if (side->author && in.on) {
        event_tell(b, a, EVENT_NOTICE, side->author, "");
    }
    return reply;
}

size_t boost_other_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *boost)
{
    const struct boost_side side = {
        .uid = boost->author.id, .post = boost->boost, .author = boost->boost_author, .boost = boost->id};
    return write_boost_add(s, b, a, &side);
}

bool boost_other_take(const struct store_batch *b, size_t reply, const struct post *boost, int64_t *people)
{
    struct script_reacted_reply r;
    script_boosted_take(store_reply(b, reply), &r);
    bool is_written = r.answer == ANSWER_OK;
    *people = is_written ? r.people : 0;
    return is_written && marks_boost_take(store_reply(b, reply + 1)) == boost->id;
}

/* The boost as a post. */
static struct post boost_post(const struct boost_side *side)
{
    return (struct post){.author = {.id = side->uid}, .text = "", .boost = side->post};
}

/* Takes a boost back for what it boosts is gone. */
static enum err take_boost_back(struct social *s, struct arena *a, const struct boost_side *side)
{
    struct problems none = {.count = 0};
    struct delivery_end_work *work;
    struct post boost = boost_post(side);
    const struct script_limit unlimited = limit_ask_user(s, LIMIT_NONE, side->uid, 0);
    enum err e = publish_take_back(s, a, side->boost, &boost, &unlimited, &work, &none);
    if (e == ERR_OK) {
        job_hand_over(s, a, &work->job);
    }
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

/* The post's place among those that many react to. */
static void tell_popular(struct social *s, struct arena *a, uint64_t post, int64_t people)
{
    struct store_batch *b = store_batch_new(s->store, a);
    popular_add(b, a, post, people);
    if (store_batch_count(b)) {
        store_send(b); /* if it gets lost the next one who reacts brings it after */
    }
}

/* Writes until it is as it was written. */
static enum err settle_boost(struct social *s, struct arena *a, struct boost_side *side)
{
    for (unsigned i = 0; i < MEND_TRIES; i++) {
        struct store_batch *b = store_batch_new(s->store, a);
        size_t reply = write_boost_add(s, b, a, side);
        enum err e = store_run(b);
        if (e != ERR_OK) {
            return e;
        }
        struct script_reacted_reply r;
        script_boosted_take(store_reply(b, reply), &r);
        if (r.answer == ANSWER_GONE) {
            return take_boost_back(s, a, side);
        }
        uint64_t now = marks_boost_take(store_reply(b, reply + 1));
        if ((now != 0) == (side->boost != 0)) {
            tell_popular(s, a, side->post, r.answer == ANSWER_OK ? r.people : 0);
            return ERR_OK;
        }
        side->boost = now;
    }
    return ERR_BUSY;
}

enum err boost_mend(struct social *s, struct arena *a, uint64_t uid, uint64_t post)
{
    struct boost_side side = {.uid = uid, .post = post};
    enum err e = read_boost_side(s, a, &side);
    return e == ERR_OK ? settle_boost(s, a, &side) : e;
}

/* --- the action ----------------------------------------------------------------------------------------------------
 * */

static enum err boost_on(struct social *s, struct arena *a, const struct actor *by, uint64_t id,
                         enum visibility visibility, uint64_t *boost, struct fanout_wave **wave, struct problems *p)
{
    struct post post;
    struct new_post n = {.author = by->uid,
                         .limit = action_limit(s, ACTION_BOOST, by, 1),
                         .shown = by->shown,
                         .words = {.text = "", .spoiler = "", .language = "", .place = ""},
                         .mentions = ""};
    enum err e = post_find_to_act(s, a, by->uid, id, &post, &n.see);
    if (e != ERR_OK) {
        return e;
    }
    bool is_own = post.author.id == by->uid && post.visibility == VISIBILITY_PRIVATE;
    if (!post_is_for_all(&post) && !is_own) {
        return post_refuse(s, a, by->uid, id);
    }
    n.words.visibility = visibility > post.visibility ? visibility : post.visibility; /* the narrower of both */
    n.boost = post.id;
    n.boost_author = post.author;
    return publish_store(s, a, &n, boost, wave, p);
}

/* One try to take his boost of side->post back. Who wrote that is read beside it, if it is not known, and what it boosts. */
static enum err try_own_back(struct social *s, struct arena *a, const struct delivery_end_work *work,
                             const struct script_limit *limit, struct boost_side *side,
                             struct script_unboost_reply *out)
{
    struct record_post post;
    struct store_batch *b = store_batch_new(s->store, a);
    script_unboost_add(b, &(struct script_unboost){
                              .job = job_call(&work->job), .limit = *limit, .uid = side->uid, .post = side->post});
    if (!side->author) {
        record_ask(b, RECORD_POST, side->post, POST_AUTHOR | POST_BOOST);
    }
    enum err e = store_run(b);
    script_unboost_take(store_reply(b, 0), out);
    if (!side->author) {
        record_post_take(store_reply(b, 1), POST_AUTHOR | POST_BOOST, &post);
        side->author = post.author;
        side->named = post.boost;
    }
    return e;
}

static enum err take_own_back(struct social *s, struct arena *a, struct delivery_end_work *work,
                              const struct script_limit *limit, struct boost_side *side,
                              struct script_unboost_reply *out)
{
    enum err e;
    do {
        e = try_own_back(s, a, work, limit, side, out);
    } while (e == ERR_OK && job_is_stale(&work->job, out->answer));
    return e;
}

/* The boost is gone: all processes learn of it, and the other side comes after it. */
static enum err tell_unboosted(struct social *s, struct arena *a, struct shown *shown, struct boost_side *side)
{
    struct store_batch *b = shown_batch(s, a, shown);
    uint64_t boost = side->boost;
    side->boost = 0;
    size_t reply = write_boost_add(s, b, a, side);
    post_event_gone_of(s, b, a, boost, side->uid, "");
    shown_ask(shown, side->post);
    enum err e = shown_run(shown, b);
    if (e == ERR_OK && (side->boost = marks_boost_take(store_reply(b, reply + 1)))) {
        settle_boost(s, a, side); /* he boosts it again; what fails is brought after by the job */
    }
    return e;
}

/* What is meant by this post: what it boosts, if it is a boost, as far as the process remembers. */
static struct boost_side meant_side(struct social *s, struct arena *a, uint64_t uid, uint64_t id)
{
    struct post post = {.id = id};
    bool is_known = post_recall_whole(s, a, id, &post);
    if (is_known && post.boost) {
        return (struct boost_side){.uid = uid, .post = post.boost, .author = post.boost_author};
    }
    return (struct boost_side){.uid = uid, .post = id, .author = is_known ? post.author.id : 0};
}

static enum err boost_off(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p)
{
    struct boost_side side = meant_side(s, a, by->uid, id);
    const struct script_limit limit = action_limit(s, ACTION_UNBOOST, by, 1);
    struct delivery_end_work *work = job_new(a, s->parts->delivery->end_work, by->uid);
    work->tags = work->people = "";
    struct script_unboost_reply r;
    enum err e = take_own_back(s, a, work, &limit, &side, &r);
    if (e == ERR_OK && r.answer == ANSWER_GONE && side.named) { /* a boost that was not remembered */
        side = (struct boost_side){.uid = by->uid, .post = side.named};
        e = take_own_back(s, a, work, &limit, &side, &r);
    }
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    if (e != ERR_OK || r.answer != ANSWER_OK) {
        return e == ERR_OK && r.answer == ANSWER_STALE ? ERR_BUSY : e; /* there is none: another request was first */
    }
    work->post = side.boost = r.boost;
    work->boost = side.post;
    e = tell_unboosted(s, a, by->shown, &side);
    job_hand_over(s, a, &work->job);
    return e;
}

/* Whether he may at all. */
static enum err boost_check(struct social *s, const struct actor *by, bool on)
{
    enum err e = action_check(on ? ACTION_BOOST : ACTION_UNBOOST, by);
    return e == ERR_OK && on && atomic_load(&s->is_foreign) ? ERR_MODE : e;
}

enum err post_boost_for(struct social *s, struct arena *a, const struct actor *by, uint64_t post,
                        enum visibility visibility, uint64_t *boost, struct fanout_wave **wave, struct problems *p)
{
    *wave = NULL;
    *boost = 0;
    enum err e = boost_check(s, by, true);
    if (e == ERR_OK && visibility >= VISIBILITY_DIRECT) {
        problem_add(p, "visibility", "visibility_unknown");
        e = ERR_INVALID;
    }
    return e == ERR_OK ? boost_on(s, a, by, post, visibility, boost, wave, p) : e;
}

enum err post_boost(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                    struct fanout_wave **wave, struct problems *p)
{
    uint64_t boost;
    if (on) {
        return post_boost_for(s, a, by, post, VISIBILITY_PUBLIC, &boost, wave, p);
    }
    *wave = NULL;
    enum err e = boost_check(s, by, false);
    return e == ERR_OK ? boost_off(s, a, by, post, p) : e;
}

/* --- what goes with others -----------------------------------------------------------------------------------------
 * */

/* Takes these boosts back, in one round trip. Those that another process keeps from that at the moment stay among those
 * of the post: the next try finds them. */
static enum err take_boosts_back(struct social *s, struct arena *a, const struct boost_side *sides, size_t count)
{
    struct store_batch *b = store_batch_new(s->store, a), *end = store_batch_new(s->store, a);
    struct delivery_end_work **works = arena_zero(a, (count + 1) * sizeof(*works));
    for (size_t i = 0; i < count; i++) {
        const struct script_limit unlimited = limit_ask_user(s, LIMIT_NONE, sides[i].uid, 0);
        const struct post boost = boost_post(&sides[i]);
        works[i] = publish_end_work(s, a, sides[i].boost, &boost);
        publish_take_back_add(b, works[i], 0, &unlimited); /* answered GONE where there is none */
    }
    enum err e = store_run(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        enum answer answer = script_answer(store_reply(b, i));
        if (answer != ANSWER_STALE) {
            store_command(end, id_bucket(sides[i].post), "ZREM", key_id(a, KEY_BOOSTS, sides[i].post),
                          id_text(a, sides[i].uid), NULL);
        }
        if (answer == ANSWER_OK) {
            job_hand_over(s, a, &works[i]->job);
        }
    }
    return e == ERR_OK ? store_run(end) : e;
}

enum err boost_forget(struct social *s, struct arena *a, uint64_t post, bool *more)
{
    struct store_batch *read = store_batch_new(s->store, a), *theirs = store_batch_new(s->store, a);
    store_command(read, id_bucket(post), "ZRANGE", key_id(a, KEY_BOOSTS, post), "0", FORGET_LAST, NULL);
    enum err e = store_run(read);
    const struct store_reply *uids = store_reply(read, 0);
    *more = e == ERR_OK && uids->count > 0;
    if (!*more) {
        return e;
    }
    struct boost_side *sides = arena_alloc(a, uids->count * sizeof(*sides));
    for (size_t i = 0; i < uids->count; i++) {
        sides[i] = (struct boost_side){.uid = id_parse(store_text(&uids->items[i])), .post = post};
        marks_boost_add(theirs, a, sides[i].uid, post);
    }
    e = store_run(theirs);
    for (size_t i = 0; e == ERR_OK && i < uids->count; i++) {
        sides[i].boost = marks_boost_take(store_reply(theirs, i));
    }
    return e == ERR_OK ? take_boosts_back(s, a, sides, uids->count) : e;
}

static void end_boosted(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_BOOSTED, uid), NULL);
}

const struct remains boost_remains = {.name = "boosts", .end_add = end_boosted};
