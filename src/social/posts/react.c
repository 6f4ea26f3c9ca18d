/* react.c - see react.h.
 *
 * Order of a favourite: (1) the set of whoever makes it, and the job, in one script; (2) the set of the post; then it is
 * acknowledged, and (3) is the workers': in his bucket again, if (1) is not any more what (2) wrote, start over, else
 * end the job. As in follow.c the job writes
 * states and (3) compares, so two that overlap end with both sides alike. Of a post that is gone (2) writes nothing and
 * (3) takes it out of his set: the clean-up after the post may have passed there already.
 *
 * Any thread.
 */
#include "social/posts/react.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/shown.h"
#include "social/people/visit.h"
#include "social/posts/popular.h"
#include "social/posts/post_read.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define FORGET_LAST "999" /* so many favourites of a post are taken away at once */

struct favourite_work {
    struct job job;
    uint64_t post;
    /* not stored: read when it is not known */
    enum { SIDE_UNKNOWN, SIDE_ON, SIDE_OFF } side; /* the maker's */
    uint64_t author;                               /* of the post; 0: unknown, or it is gone */
    bool is_written;                               /* the post's side, as `wrote` says */
    enum script_favourite_done_other wrote;
    int64_t people;      /* who have reacted to the post by then: popular.h */
    struct shown *shown; /* to whoever made it, by this process: NULL from then on */
};

/* The time of a mark: never before that of its post, whatever the clocks say (marks.h builds on that). */
static int64_t mark_time_us(uint64_t post)
{
    uint64_t now = clock_site_ms();
    return (int64_t)(now > id_ms(post) ? now : id_ms(post)) * 1000;
}

/* The post that is meant, if he may, as far as the script does not judge that (*see): what is taken back need not be
 * there. */
static enum err react_check(struct social *s, struct arena *a, enum action what, const struct actor *by, uint64_t id,
                            bool on, struct post *post, struct script_see *see)
{
    *post = (struct post){.id = id};
    *see = (struct script_see){.author = 0};
    enum err e = action_check(what, by);
    if (e == ERR_OK && on) {
        return post_find_to_act(s, a, by->uid, id, post, see);
    }
    post_recall_whole(s, a, id, post); /* its author, who is read else */
    return e;
}

/* --- favourites ----------------------------------------------------------------------------------------------------
 * */

/* One try to change the maker's side. */
static enum err change_side(struct social *s, struct arena *a, const struct favourite_work *w,
                            const struct script_limit *limit, const struct script_see *see, bool on,
                            struct script_favourite_reply *out)
{
    const struct script_favourite in = {.job = job_call(&w->job),
                                        .limit = *limit,
                                        .see = *see,
                                        .uid = w->job.uid,
                                        .post = w->post,
                                        .on = on,
                                        .now = mark_time_us(w->post)};
    struct store_batch *b = store_batch_new(s->store, a);
    if (on) {
        script_favourite_add(b, &in);
    } else {
        script_unfavourite_add(b, &in);
    }
    enum err e = store_run(b);
    script_favourite_take(store_reply(b, 0), out);
    return e;
}

enum err post_favourite(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool on,
                        struct problems *p)
{
    enum action what = on ? ACTION_FAVOURITE : ACTION_UNFAVOURITE;
    struct post post;
    struct script_see see;
    enum err e = react_check(s, a, what, by, id, on, &post, &see);
    if (e != ERR_OK) {
        return e;
    }
    const struct script_limit limit = action_limit(s, what, by, 1);
    struct favourite_work *w = job_new(a, &favourite_job, by->uid);
    w->post = post.id;
    w->author = post.author.id;
    w->side = on ? SIDE_ON : SIDE_OFF;
    w->shown = by->shown;
    struct script_favourite_reply r;
    do {
        e = change_side(s, a, w, &limit, &see, on, &r);
    } while (e == ERR_OK && job_is_stale(&w->job, r.answer));
    if (e != ERR_OK) {
        return e;
    }
    switch (r.answer) {
    case ANSWER_OK:
        if (r.changed) {
            job_begin(s, a, &w->job); /* what fails is brought after by the job */
        }
        return ERR_OK;
    case ANSWER_LIMITED:
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    default:
        return r.answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
    }
}

static enum err read_side(struct social *s, struct arena *a, struct favourite_work *w)
{
    struct record_post post;
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(w->job.uid), "ZSCORE", key_id(a, KEY_FAVOURITED, w->job.uid), id_text(a, w->post), NULL);
    record_ask(b, RECORD_POST, w->post, POST_AUTHOR);
    enum err e = store_run(b);
    w->side = store_reply(b, 0)->type == STORE_STRING ? SIDE_ON : SIDE_OFF;
    record_post_take(store_reply(b, 1), POST_AUTHOR, &post);
    w->author = post.author;
    return e;
}

/* Writes the post's side, as the maker's is. */
static enum err write_other_side(struct social *s, struct arena *a, struct favourite_work *w)
{
    bool on = w->side == SIDE_ON;
    struct store_batch *b = shown_batch(s, a, w->shown);
    /* of a post that is gone nobody knows the author: its own id, which is nobody's in that bucket, stands for him */
    const struct script_reacted in = {.uid = w->author ? w->author : w->post,
                                      .post = w->post,
                                      .from = w->job.uid,
                                      .on = on,
                                      .now = mark_time_us(w->post)};
    script_favourited_add(b, &in);
    event_add(s, b, a, EVENT_COUNTS, w->post);
    if (w->author && on) {
        event_tell(b, a, EVENT_NOTICE, w->author, "");
    }
    shown_ask(w->shown, w->post);
    enum err e = shown_run(w->shown, b);
    w->shown = NULL;
    struct script_reacted_reply r;
    script_favourited_take(store_reply(b, 0), &r);
    w->people = r.answer == ANSWER_OK ? r.people : 0;
    w->wrote = r.answer == ANSWER_GONE ? FAVOURITE_DONE_OTHER_GONE
               : on                    ? FAVOURITE_DONE_OTHER_ON
                                       : FAVOURITE_DONE_OTHER_OFF;
    w->is_written = e == ERR_OK;
    return e;
}

/* Ends the job, unless the maker's side has changed since it was read. */
static enum err end_favourite(struct social *s, struct arena *a, struct favourite_work *w, bool *done)
{
    struct store_batch *b = store_batch_new(s->store, a);
    script_favourite_done_add(b, &(struct script_favourite_done){job_call(&w->job), w->job.uid, w->post, w->wrote});
    popular_add(b, a, w->post, w->people);
    enum err e = store_run(b);
    *done = e == ERR_OK && script_answer(store_reply(b, 0)) == ANSWER_OK;
    w->side = SIDE_UNKNOWN;
    w->is_written = false;
    return e;
}

/* One step writes the post's side, and the next one ends the job: whoever waits for an answer waits for the first. */
static enum err favourite_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    struct favourite_work *w = (struct favourite_work *)j;
    if (w->is_written) {
        return end_favourite(s, a, w, done);
    }
    enum err e = w->side == SIDE_UNKNOWN || !w->author ? read_side(s, a, w) : ERR_OK;
    return e == ERR_OK ? write_other_side(s, a, w) : e;
}

static const struct job_field favourite_fields[] = {{JOB_POST, JOB_ID, offsetof(struct favourite_work, post)},
                                                    {.field = 0}};
const struct job_class favourite_job = {.name = "favourite",
                                        .step = favourite_step,
                                        .size = sizeof(struct favourite_work),
                                        .fields = favourite_fields,
                                        .about = JOB_ABOUT_OWNER};

enum err favourite_mend(struct social *s, struct arena *a, uint64_t uid, uint64_t post)
{
    struct favourite_work *w = job_new(a, &favourite_job, uid);
    w->post = post;
    return job_run(s, a, &w->job);
}

/* --- bookmarks -----------------------------------------------------------------------------------------------------
 * */

enum err post_bookmark(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool on,
                       struct problems *p)
{
    enum action what = on ? ACTION_BOOKMARK : ACTION_UNBOOKMARK;
    struct post post;
    struct script_see see;
    enum err e = react_check(s, a, what, by, id, on, &post, &see);
    if (e != ERR_OK) {
        return e;
    }
    const struct script_bookmark in = {.limit = action_limit(s, what, by, 1),
                                       .see = see,
                                       .uid = by->uid,
                                       .post = post.id,
                                       .on = on,
                                       .now = mark_time_us(post.id)};
    struct store_batch *b = shown_batch(s, a, by->shown);
    if (on) {
        script_bookmark_add(b, &in);
    } else {
        script_unbookmark_add(b, &in);
    }
    shown_ask(by->shown, post.id);
    e = shown_run(by->shown, b);
    struct script_bookmark_reply r;
    script_bookmark_take(store_reply(b, 0), &r);
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    return e == ERR_OK && r.answer != ANSWER_OK ? ERR_NOT_FOUND : e;
}

/* --- pins ----------------------------------------------------------------------------------------------------------
 * */

/* As the script sees to the rest: a post does not change. */
static bool can_be_pinned(const struct actor *by, const struct post *post)
{
    return post->author.id == by->uid && post_is_for_all(post);
}

enum err post_pin(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool on, struct problems *p)
{
    enum action what = on ? ACTION_PIN : ACTION_UNPIN;
    struct post post;
    struct script_see see;
    enum err e = react_check(s, a, what, by, id, on, &post, &see);
    e = e == ERR_OK && on && !can_be_pinned(by, &post) ? post_refuse(s, a, by->uid, id) : e;
    if (e != ERR_OK) {
        return e;
    }
    const struct script_limit limit = action_limit(s, what, by, 1);
    struct store_batch *b = shown_batch(s, a, by->shown);
    if (on) {
        const struct script_pin in = {limit, by->uid, post.id, POST_PINS_MAX, mark_time_us(post.id)};
        script_pin_add(b, &in);
    } else {
        script_unpin_add(b, &(struct script_unpin){limit, by->uid, post.id});
    }
    shown_ask(by->shown, post.id);
    e = shown_run(by->shown, b);
    struct script_pin_reply r;
    script_pin_take(store_reply(b, 0), &r);
    if (e != ERR_OK || r.answer == ANSWER_OK) {
        return e;
    }
    if (r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    return r.answer == ANSWER_FULL ? ERR_CONFLICT : ERR_NOT_FOUND;
}

/* --- what goes with others -----------------------------------------------------------------------------------------
 * */

/* Takes these members out of one set, in one command. */
static enum err remove_members(struct social *s, struct arena *a, enum key key, uint64_t id, const uint64_t *members,
                               size_t count)
{
    const char **words = arena_alloc(a, (2 + count) * sizeof(*words));
    words[0] = "ZREM";
    words[1] = key_id(a, key, id);
    for (size_t i = 0; i < count; i++) {
        words[2 + i] = id_text(a, members[i]);
    }
    struct store_batch *b = store_batch_new(s->store, a);
    store_command_v(b, id_bucket(id), 2 + count, words);
    return store_run(b);
}

enum err favourite_forget(struct social *s, struct arena *a, uint64_t post, bool *more)
{
    struct store_batch *read = store_batch_new(s->store, a), *theirs = store_batch_new(s->store, a);
    store_command(read, id_bucket(post), "ZRANGE", key_id(a, KEY_FAVOURITES, post), "0", FORGET_LAST, NULL);
    enum err e = store_run(read);
    const struct store_reply *members = store_reply(read, 0);
    *more = e == ERR_OK && members->count > 0;
    if (!*more) {
        return e;
    }
    uint64_t *uids = arena_alloc(a, members->count * sizeof(*uids));
    for (size_t i = 0; i < members->count; i++) {
        uids[i] = id_parse(store_text(&members->items[i]));
    }
    store_command_ids(theirs, "ZREM", KEY_FAVOURITED, uids, members->count, 1, (const char *[]){id_text(a, post)});
    e = store_run(theirs);
    /* last: until then the next try finds them */
    return e == ERR_OK ? remove_members(s, a, KEY_FAVOURITES, post, uids, members->count) : e;
}

static enum err remove_favourites(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    struct store_batch *theirs = store_batch_new(s->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(theirs, id_bucket(ids[i]), "ZREM", key_id(a, KEY_FAVOURITES, ids[i]), id_text(a, uid), NULL);
        event_add(s, theirs, a, EVENT_COUNTS, ids[i]);
    }
    enum err e = store_run(theirs);
    return e == ERR_OK ? remove_members(s, a, KEY_FAVOURITED, uid, ids, count) : e;
}

static void end_bookmarks(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_BOOKMARKS, uid), NULL);
}

static void end_pins(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_PINS, uid), NULL);
}

const struct remains favourite_remains = {.name = "favourites", .key = KEY_FAVOURITED, .remove = remove_favourites};
const struct remains bookmark_remains = {.name = "bookmarks", .end_add = end_bookmarks};
const struct remains pin_remains = {.name = "pins", .end_add = end_pins};
