/* take_back.c - taking posts back: see publish.h. Any thread.
 *
 * What a post has left elsewhere follows from its words: tags, those whom it told, the index of search. The caller's
 * words may be old, because another process edited the post a moment ago; the script says so and gives those of now.
 */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/posts/delivery.h"
#include "social/posts/index.h"
#include "social/posts/notify.h"
#include "social/posts/post.h"
#include "social/posts/post_event.h"
#include "social/posts/publish.h"
#include "social/posts/publish_parts.h"
#include "social/posts/tags.h"
#include "store/keys.h"
#include "store/store.h"

#define CHANGED_TRIES 8

size_t publish_take_back_add(struct store_batch *b, const struct delivery_end_work *work, uint64_t edited_ms,
                             const struct script_limit *limit)
{
    const struct script_post_delete in = {.job = job_call(&work->job),
                                          .limit = *limit,
                                          .uid = work->job.uid,
                                          .id = work->post,
                                          .edited = (int64_t)edited_ms,
                                          .tags = work->tags,
                                          .reply_to = work->reply_to,
                                          .thread = work->thread,
                                          .people = work->people};
    return script_post_delete_add(b, &in);
}

/* One try to take away the post that the job is to clean up after. */
static enum err take_back(struct social *s, struct arena *a, const struct delivery_end_work *work, uint64_t edited_ms,
                          const struct script_limit *limit, struct script_post_delete_reply *out)
{
    struct store_batch *b = store_batch_new(s->store, a);
    publish_take_back_add(b, work, edited_ms, limit);
    enum err e = store_run(b);
    script_post_delete_take(store_reply(b, 0), out);
    return e;
}

struct delivery_end_work *publish_end_work(struct social *s, struct arena *a, uint64_t id, const struct post *post)
{
    struct delivery_end_work *work = job_new(a, s->parts->delivery->end_work, post->author.id);
    work->post = id;
    work->reply_to = post->reply_to;
    work->thread = post->thread;
    work->boost = post->boost;
    work->tags = tags_of(a, post->text, strlen(post->text));
    work->people = s->parts->notify->people(a, post);
    return work;
}

/* The post as it is now; its author is the same. */
static void take_changed(struct arena *a, uint64_t id, const struct record_post *now, struct post *post)
{
    const struct user author = post->author;
    post_from_record(a, id, now, post);
    post->author = author;
}

enum err publish_take_back(struct social *s, struct arena *a, uint64_t id, struct post *post,
                           const struct script_limit *limit, struct delivery_end_work **work, struct problems *p)
{
    enum err e;
    struct script_post_delete_reply r;
    for (unsigned tries = 0;; tries++) {
        *work = publish_end_work(s, a, id, post);
        do {
            e = take_back(s, a, *work, post->edited_ms, limit, &r);
        } while (e == ERR_OK && job_is_stale(&(*work)->job, r.answer));
        if (e != ERR_OK || r.answer != ANSWER_CHANGED || tries == CHANGED_TRIES) {
            break;
        }
        take_changed(a, id, &r.post, post);
    }
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        e = ERR_TOO_MANY;
    }
    if (e != ERR_OK) {
        return e;
    }
    bool is_busy = r.answer == ANSWER_STALE || r.answer == ANSWER_CHANGED;
    return r.answer == ANSWER_OK ? ERR_OK : is_busy ? ERR_BUSY : ERR_NOT_FOUND;
}

/* --- the action ---------------------------------------------------------------------------------------------------- */

/* The post, if the actor may take it back. *limit is the limit that the deleting script must count. That script runs in
 * the bucket of the post; an administrator of another bucket is counted here, beside the read. */
static enum err find_own(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct post *out,
                         struct script_limit *limit, struct problems *p)
{
    struct post_load l = {.id = id};
    struct script_limit ask = action_limit(s, ACTION_POST_DELETE, by, 1);
    bool is_near = id_bucket(id) == id_bucket(by->uid), is_counted = !is_near && by->is_admin && actor_is_limited(by);
    struct store_batch *b = social_batch(s, a);
    size_t counted = is_counted ? limit_add(b, &ask) : 0;
    post_load_add(s, b, a, &l, 1);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    post_load_take(s, b, a, &l, 1);
    *out = l.post;
    *limit = is_near ? ask : limit_ask_user(s, LIMIT_NONE, id, 0);
    if (!l.post.author.id) { /* not l.post.id: posts that a deleted user left are taken back in his name */
        return ERR_NOT_FOUND;
    }
    if (l.post.author.id != by->uid && !by->is_admin) {
        return ERR_FORBIDDEN;
    }
    return is_counted && limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : ERR_OK;
}

/* Before the answer: afterwards no page of this process shows the post, and a few milliseconds later no page of
 * another. */
static enum err announce_deleted(struct social *s, struct arena *a, const struct post *post)
{
    struct store_batch *announce = store_batch_new(s->store, a);
    post_event_gone(s, announce, a, post);
    s->parts->index->post_end_add(s, announce, a, post);
    return store_run(announce);
}

enum err post_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p)
{
    struct post post;
    struct script_limit limit;
    enum err e = action_check(ACTION_POST_DELETE, by);
    e = e == ERR_OK ? find_own(s, a, by, id, &post, &limit, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct delivery_end_work *work;
    e = publish_take_back(s, a, id, &post, &limit, &work, p);
    if (e == ERR_OK) {
        post.id = id; /* it is 0 when its author is gone */
        e = announce_deleted(s, a, &post);
        job_hand_over(s, a, &work->job);
    }
    return e;
}

/* --- what a deleted user leaves ------------------------------------------------------------------------------------ */

static enum err remove_from(struct social *s, struct arena *a, enum key own, uint64_t uid, const uint64_t *ids,
                            size_t count)
{
    const struct actor himself = actor_system(uid);
    struct problems none = {.count = 0};
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = post_delete(s, a, &himself, ids[i], &none);
        if (e == ERR_NOT_FOUND || e == ERR_FORBIDDEN) { /* no such post, or somebody else's */
            e = purge_drop_entry(s, a, own, uid, ids[i]);
        }
    }
    return e;
}

static enum err remove_posts(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    return remove_from(s, a, KEY_POSTS, uid, ids, count);
}

static enum err remove_directs(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    return remove_from(s, a, KEY_DIRECTS, uid, ids, count);
}

static void end_newest(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_NEWEST, uid), NULL);
}

const struct remains post_remains = {.name = "posts", .key = KEY_POSTS, .remove = remove_posts, .end_add = end_newest};
const struct remains direct_remains = {.name = "directs", .key = KEY_DIRECTS, .remove = remove_directs};
