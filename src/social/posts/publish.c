/* publish.c - see publish.h. Any thread. */
#include "social/posts/publish.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/metric.h"
#include "base/secret.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/cache.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/shown.h"
#include "social/posts/delivery.h"
#include "social/posts/draft.h"
#include "social/posts/post.h"
#include "social/posts/publish_parts.h"
#include "social/posts/see.h"
#include "social/posts/thread.h"
#include "store/keys.h"
#include "store/store.h"

#define REQUEST_SECONDS CLOCK_DAY_SECONDS
#define REQUEST_KEY_MAX 64
#define CLOCK_TRIES 5
#define NONCE_SECONDS 300 /* far longer than the time in which a call is repeated after a lost reply */

/* What must be known of other people before a post can be written. */
struct context {
    struct post_mention mentions[POST_MENTIONS_MAX];
    size_t mention_count;
    struct user reply_author; /* id 0: no reply, or what is answered is gone, or hidden from the author */
    struct script_see see;
    uint64_t thread;
};

static bool is_new_name(const char folded[][USER_NAME_MAX + 1], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(folded[i], name) == 0) {
            return false;
        }
    }
    return true;
}

/* The distinct user names that are mentioned, folded. */
static size_t mentioned_names(const char *text, size_t length, char folded[][USER_NAME_MAX + 1])
{
    struct entity_scan scan = entity_scan_start(text, length);
    struct entity e;
    size_t count = 0;
    while (count < POST_MENTIONS_MAX && entity_scan_next(&scan, &e)) {
        if (e.kind == ENTITY_MENTION && e.name_length >= USER_NAME_MIN && e.name_length <= USER_NAME_MAX) {
            entity_scan_fold(e.name, e.name_length, folded[count]);
            count += is_new_name((const char(*)[USER_NAME_MAX + 1]) folded, count, folded[count]);
        }
    }
    return count;
}

/* Looks up who is mentioned and which post is answered, in one round trip (none when the process remembers all). */
static enum err look_up(struct social *s, struct arena *a, uint64_t uid, const struct draft_words *words,
                        uint64_t reply_to, struct context *c)
{
    char folded[POST_MENTIONS_MAX + 1][USER_NAME_MAX + 1];
    size_t count = mentioned_names(words->text, words->length, folded);
    *c = (struct context){.mention_count = 0};
    struct store_batch *b = social_batch(s, a);
    struct user_page none = {.what = USER_FIND_WHAT_NONE};
    struct user people[POST_MENTIONS_MAX];
    size_t replies[POST_MENTIONS_MAX];
    for (size_t i = 0; i < count; i++) {
        bool is_known = user_recall_named(s, a, folded[i], &people[i]);
        replies[i] = is_known ? SIZE_MAX : user_find_add(b, folded[i], &none);
    }
    struct post_load parent = {.id = reply_to};
    bool is_asked = reply_to && !post_recall_whole(s, a, reply_to, &parent.post); /* its counts are of no interest */
    if (is_asked) {
        post_load_add(s, b, a, &parent, 1);
    }
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    for (size_t i = 0; i < count; i++) {
        if (replies[i] == SIZE_MAX || user_find_take(s, b, replies[i], &people[i], NULL, NULL) == ERR_OK) {
            c->mentions[c->mention_count++] = (struct post_mention){people[i].name, people[i].id};
        }
    }
    if (is_asked) {
        post_load_take(s, b, a, &parent, 1);
    }
    bool is_seen = parent.post.id && !parent.post.author.is_deleted && see_call(&parent.post, uid, &c->see);
    c->reply_author = is_seen ? parent.post.author : (struct user){0};
    c->thread = is_seen ? thread_root(&parent.post) : 0;
    return ERR_OK;
}

enum err publish_mentions(struct social *s, struct arena *a, uint64_t uid, const struct draft_words *words,
                          const char **out)
{
    struct context c;
    enum err e = look_up(s, a, uid, words, 0, &c);
    *out = e == ERR_OK ? post_mentions_text(a, c.mentions, c.mention_count) : "";
    return e;
}

/* Names the request by all that it asks for: a visitor who goes back in the browser, changes the words and sends the
 * form again has the same key but means another post. NULL: the request has no key. */
static const char *request_name(struct arena *a, const struct new_post *n, char out[SECRET_HASH_SIZE])
{
    const char *key = n->request_key;
    char digits[ID_SIZE];
    if (!key || !*key || strlen(key) > REQUEST_KEY_MAX) {
        return NULL;
    }
    const struct draft_words *w = &n->words;
    secret_hash(arena_printf(a, "%zu %s %s %u%s %s %s %zu %s %s", strlen(key), key, id_write(n->reply_to, digits),
                             (unsigned)w->visibility, w->is_sensitive ? "s" : "", w->language, w->place,
                             strlen(w->spoiler), w->spoiler, w->text),
                out);
    return out;
}

/* The fields of the post's record. */
static struct record_post record_of(struct arena *a, const struct new_post *n)
{
    const struct draft_words *w = &n->words;
    struct record_post post = {.author = n->author,
                               .text = w->text,
                               .visibility = w->visibility ? post_visibility_word(w->visibility) : NULL,
                               .spoiler = *w->spoiler ? w->spoiler : NULL,
                               .language = *w->language ? w->language : NULL,
                               .place = *w->place ? w->place : NULL,
                               .app = n->app,
                               .sensitive = w->is_sensitive};
    if (n->reply_to) {
        post.reply_to = n->reply_to;
        post.thread = n->thread;
        post.reply_author = post_author_text(a, n->reply_author.id, n->reply_author.name);
    }
    if (n->boost) {
        post.boost = n->boost;
        post.boost_author = post_author_text(a, n->boost_author.id, n->boost_author.name);
    }
    post.mentions = *n->mentions ? n->mentions : NULL;
    return post;
}

/* One try to store the post under the id that the job has for it; *asked is the reply to delivery->ask. */
static enum err store_post(struct social *s, struct arena *a, const struct new_post *n,
                           const struct delivery_work *work, struct script_post_create_reply *out,
                           const struct store_reply **asked)
{
    char hash[SECRET_HASH_SIZE];
    const char *request = request_name(a, n, hash);
    const struct record_post post = record_of(a, n);
    struct script_post_create in = {.job = job_call(&work->job),
                                    .limit = n->limit,
                                    .see = n->see,
                                    .uid = n->author,
                                    .id = work->post,
                                    .boost = n->boost,
                                    .direct = n->words.visibility == VISIBILITY_DIRECT,
                                    .request = request ? request : job_nonce_text(a, &work->job),
                                    .remember = request ? REQUEST_SECONDS : NONCE_SECONDS,
                                    .mode = social_mode(s),
                                    .late = SOCIAL_LATE_MS,
                                    .ahead = SOCIAL_AHEAD_MS,
                                    .post = &post};
    s->parts->delivery->tell(s, &in);
    struct store_batch *b = store_batch_new(s->store, a);
    script_post_create_add(b, &in);
    s->parts->delivery->ask(s, b, a, n->author);
    enum err e = store_run(b);
    script_post_create_take(store_reply(b, 0), out);
    *asked = store_batch_count(b) > 1 ? store_reply(b, 1) : NULL;
    return e;
}

/* True when the script found the id too far from its clock: the clock is set by its answer, and a new id must be
 * drawn. */
static bool is_off(struct social *s, const struct script_post_create_reply *r, uint64_t asked_us, unsigned *tries)
{
    if (r->answer != ANSWER_CLOCK || ++*tries == CLOCK_TRIES) {
        return false;
    }
    uint64_t now = (uint64_t)r->now;
    clock_site_set(now, asked_us, clock_monotonic_us());
    social_saw_time(s, now);
    return true;
}

/* Stores the post, trying new ids if need be. The reply is that to the last try. */
static enum err store_anyhow(struct social *s, struct arena *a, const struct new_post *n, struct delivery_work *work,
                             struct script_post_create_reply *r, const struct store_reply **asked)
{
    uint64_t newer_than = 0, asked_us;
    unsigned clock_tries = 0;
    do {
        asked_us = clock_monotonic_us();
        work->post = id_new(id_bucket(work->job.uid), newer_than);
        enum err e = store_post(s, a, n, work, r, asked);
        if (e != ERR_OK) {
            return e;
        }
        newer_than = r->newest;
    } while (is_off(s, r, asked_us, &clock_tries) || job_is_stale(&work->job, r->answer));
    return ERR_OK;
}

/* Whether the same request wrote its post before, and only the answer was lost: 0 if not. */
static enum err find_written(struct social *s, struct arena *a, const struct new_post *n, uint64_t *id)
{
    char hash[SECRET_HASH_SIZE];
    uint64_t uid = n->author;
    if (!request_name(a, n, hash)) {
        return ERR_OK;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "GET", key_id_text(a, KEY_REQUEST, uid, hash), NULL);
    enum err e = store_run(b);
    *id = e == ERR_OK ? id_parse(store_text(store_reply(b, 0))) : 0;
    return e;
}

static enum err reply_is_gone(struct problems *p)
{
    problem_add(p, "form", "post_reply_gone");
    return ERR_INVALID;
}

/* The post that is answered is gone. The same request may have written its answer before that. */
static enum err answer_nobody(struct social *s, struct arena *a, const struct new_post *n, uint64_t *id,
                              struct problems *p)
{
    enum err e = find_written(s, a, n, id);
    if (e == ERR_OK && !*id) {
        return reply_is_gone(p);
    }
    return e;
}

/* What post_create.lua's answer means. */
static enum err outcome(const struct new_post *n, const struct script_post_create_reply *r, struct problems *p)
{
    switch (r->answer) {
    case ANSWER_OK:
    case ANSWER_AGAIN: /* the post that this request made before */
        return ERR_OK;
    case ANSWER_LIMITED:
        limit_note(r->wait, p);
        return ERR_TOO_MANY;
    case ANSWER_HIDDEN: /* as if it were gone */
        return n->boost ? ERR_NOT_FOUND : reply_is_gone(p);
    case ANSWER_GONE:
        return ERR_NOT_FOUND;
    case ANSWER_CLOCK:
        return ERR_BUSY;
    default:
        return ERR_CONFLICT;
    }
}

enum err post_create(struct social *s, struct arena *a, const struct actor *by, const struct post_draft *draft,
                     uint64_t *id, struct fanout_wave **wave, struct problems *p)
{
    *wave = NULL;
    enum err e = action_check(ACTION_POST_CREATE, by);
    if (e == ERR_OK && atomic_load(&s->is_foreign)) {
        e = ERR_MODE;
    }
    if (e != ERR_OK) {
        return e;
    }
    struct draft_words words;
    e = draft_read(s, a, draft, &words, p);
    if (e != ERR_OK) {
        return e;
    }
    struct context c;
    e = look_up(s, a, by->uid, &words, draft->reply_to, &c);
    if (e != ERR_OK) {
        return e;
    }
    struct new_post n = {.author = by->uid,
                         .request_key = draft->request_key,
                         .app = draft->app,
                         .limit = action_limit(s, ACTION_POST_CREATE, by, 1),
                         .shown = by->shown,
                         .see = c.see,
                         .words = words,
                         .mentions = post_mentions_text(a, c.mentions, c.mention_count),
                         .reply_to = draft->reply_to,
                         .thread = c.thread,
                         .reply_author = c.reply_author};
    *id = 0;
    if (draft->reply_to && !c.reply_author.id) {
        return answer_nobody(s, a, &n, id, p);
    }
    return publish_store(s, a, &n, id, wave, p);
}

enum err publish_store(struct social *s, struct arena *a, const struct new_post *n, uint64_t *id,
                       struct fanout_wave **wave, struct problems *p)
{
    const struct delivery *delivery = s->parts->delivery;
    struct delivery_work *work = job_new(a, delivery->work, n->author);
    work->mode = social_mode(s);
    work->boost = n->boost;
    work->shown = n->shown;
    struct script_post_create_reply r;
    const struct store_reply *asked;
    uint64_t token = cache_token(s->cache);
    enum err e = store_anyhow(s, a, n, work, &r, &asked);
    e = e == ERR_OK ? outcome(n, &r, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    *id = r.id;
    if (r.answer == ANSWER_AGAIN) {
        return ERR_OK;
    }
    metric_add(METRIC_POSTS, 1);
    const struct record_post record = record_of(a, n);
    struct post post;
    post_from_record(a, *id, &record, &post);
    post_remember(s, a, *id, &record, &(struct post_counts){0}, token); /* its author sees it next */
    if (n->shown) {
        n->shown->is_new = true;
    }
    *wave = delivery->first(s, a, work, &post, &r, asked);
    return ERR_OK;
}
