/* publish.c - see publish.h. Any thread. */
#include "social/posts/publish.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/metric.h"
#include "base/secret.h"
#include "base/text.h"
#include "config/settings.h"
#include "social/core/action.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/posts/delivery.h"
#include "social/posts/post.h"
#include "social/posts/tags.h"
#include "store/keys.h"
#include "store/store.h"

#define REQUEST_SECONDS "86400"
#define REQUEST_KEY_MAX 64
#define CLOCK_TRIES 5
#define NONCE_SECONDS "300" /* far longer than a call is sent again after a lost reply */

/* What must be known of other people before a post can be written. */
struct context {
    struct post_mention mentions[POST_MENTIONS_MAX];
    size_t mention_count;
    struct user reply_author; /* id 0: no reply, or it is gone */
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

/* Looks up who is mentioned and which post is answered, in one round trip (none when there is nothing to look up). */
static enum err look_up(struct social *s, struct arena *a, const char *text, size_t length, uint64_t reply_to,
                        struct context *c)
{
    char folded[POST_MENTIONS_MAX + 1][USER_NAME_MAX + 1];
    size_t count = mentioned_names(text, length, folded);
    struct store_batch *b = social_batch(s, a);
    struct user_page none = {.what = ""};
    for (size_t i = 0; i < count; i++) {
        user_find_add(b, a, folded[i], &none);
    }
    struct post_load parent = {.id = reply_to};
    if (reply_to) {
        post_load_add(s, b, a, &parent, 1);
    }
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    c->mention_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct user u;
        if (user_find_take(s, b, i, &u, NULL, NULL) == ERR_OK) {
            c->mentions[c->mention_count++] = (struct post_mention){u.name, u.id};
        }
    }
    if (reply_to) {
        post_load_take(s, b, a, &parent, 1);
    }
    c->reply_author = parent.post.id ? parent.post.author : (struct user){0};
    return ERR_OK;
}

static const char *mentions_text(struct arena *a, const struct context *c)
{
    struct buffer out = buffer_make(a);
    for (size_t i = 0; i < c->mention_count; i++) {
        char digits[ID_SIZE];
        buffer_printf(&out, "%s%s:%s", i ? " " : "", c->mentions[i].name, id_write(c->mentions[i].uid, digits));
    }
    return buffer_string(&out);
}

static enum err check_text(struct social *s, const char *text, size_t length, struct problems *p)
{
    const struct settings *settings = settings_get(s->settings);
    int64_t most = settings->post_length;
    settings_release(s->settings, settings);
    int64_t count = (int64_t)text_count(text, length);
    if (!text_is_clean(text, length)) {
        problem_add(p, "status", "post_invalid");
    } else if (text_is_blank(text, length)) {
        problem_add(p, "status", "post_blank");
    } else if (count > most) {
        problem_add_numbers(p, "status", "post_too_long", 0, most, count);
    }
    return p->count ? ERR_INVALID : ERR_OK;
}

struct new_post {
    uint64_t author;
    const struct post_draft *draft;
    struct limit_ask limit;
    const char *text;
    const char *mentions;
    uint64_t reply_to;
    struct user reply_author;
};

/* Names the request by all that it asks for: who goes back in the browser, changes the words and sends the form again has
 * the same key but means another post. NULL: the request has no key. */
static const char *request_name(struct arena *a, const struct new_post *n, char out[SECRET_HASH_SIZE])
{
    const char *key = n->draft->request_key;
    char digits[ID_SIZE];
    if (!key || !*key || strlen(key) > REQUEST_KEY_MAX) {
        return NULL;
    }
    secret_hash(arena_printf(a, "%zu %s %s %s", strlen(key), key, id_write(n->reply_to, digits), n->text), out);
    return out;
}

#define ARGUMENTS_MOST 25

/* What post_create.lua is told about the post, in its order; returns how many words. */
static size_t arguments_of(struct social *s, struct arena *a, const struct new_post *n,
                           const struct delivery_work *work, bool is_named, const char *out[ARGUMENTS_MOST])
{
    const char *author = id_text(a, n->author);
    const struct delivery *delivery = s->parts->delivery;
    size_t count = 0;
    out[count++] = author;
    out[count++] = id_text(a, work->post);
    job_words(a, &work->job, out + count);
    count += JOB_WORDS;
    out[count++] = is_named ? REQUEST_SECONDS : NONCE_SECONDS;
    out[count++] = delivery->how(s, a);
    out[count++] = social_mode(s);
    out[count++] = delivery->kept(s, a);
    out[count++] = arena_printf(a, "%d", SOCIAL_LATE_MS);
    out[count++] = arena_printf(a, "%d", SOCIAL_AHEAD_MS);
    for (size_t i = 0; i < LIMIT_WORDS; i++) {
        out[count++] = n->limit.words[i];
    }
    out[count++] = "author";
    out[count++] = author;
    out[count++] = "text";
    out[count++] = n->text;
    if (n->reply_to) {
        out[count++] = "reply_to";
        out[count++] = id_text(a, n->reply_to);
        out[count++] = "reply_author";
        out[count++] = arena_printf(a, "%llu:%s", (unsigned long long)n->reply_author.id, n->reply_author.name);
    }
    if (*n->mentions) {
        out[count++] = "mentions";
        out[count++] = n->mentions;
    }
    return count;
}

/* One try to store the post under the job's id of it. The reply is post_create.lua's; *asked is that to delivery->ask. */
static enum err store_post(struct social *s, struct arena *a, const struct new_post *n,
                           const struct delivery_work *work, const struct store_reply **reply,
                           const struct store_reply **asked)
{
    const struct job *job = &work->job;
    uint64_t uid = n->author, id = work->post;
    unsigned bucket = id_bucket(uid);
    char hash[SECRET_HASH_SIZE];
    const char *request = request_name(a, n, hash), *nonce = job_nonce_text(a, job);
    const char *keys[] = {key_id(a, KEY_USER, uid),      key_id(a, KEY_POST, id),
                          key_id(a, KEY_POSTS, uid),     key_id(a, KEY_HOME, uid),
                          key_id(a, KEY_FOLLOWERS, uid), key_plain(a, KEY_JOBS, bucket),
                          key_id(a, KEY_JOB, job->id),   key_id_text(a, KEY_REQUEST, uid, request ? request : nonce),
                          key_id(a, KEY_NEWEST, uid),    n->limit.key};
    const char *arguments[ARGUMENTS_MOST];
    size_t count = arguments_of(s, a, n, work, request != NULL, arguments);
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_POST_CREATE, 10, keys, count, arguments);
    s->parts->delivery->ask(s, b, a, uid);
    enum err e = store_run(b);
    *reply = store_reply(b, 0);
    *asked = store_batch_count(b) > 1 ? store_reply(b, 1) : NULL;
    return e;
}

/* True when the script took the id for one of another time: the clock is set by its answer, and a new id is to be drawn. */
static bool is_off(struct social *s, const struct store_reply *answer, uint64_t asked_us, unsigned *tries)
{
    if (strcmp(store_text(store_item(answer, 0)), "clock") != 0 || ++*tries == CLOCK_TRIES) {
        return false;
    }
    uint64_t now = (uint64_t)store_integer(store_item(answer, 1));
    clock_site_set(now, asked_us, clock_monotonic_us());
    social_saw_time(s, now);
    return true;
}

/* Stores the post, if need be under one id after the other. The reply is that to the last try. */
static enum err store_anyhow(struct social *s, struct arena *a, const struct new_post *n, struct delivery_work *work,
                             const struct store_reply **reply, const struct store_reply **asked)
{
    uint64_t newer_than = 0, asked_us;
    unsigned clock_tries = 0;
    do {
        asked_us = clock_monotonic_us();
        work->post = id_new(id_bucket(work->job.uid), newer_than);
        enum err e = store_post(s, a, n, work, reply, asked);
        if (e != ERR_OK) {
            return e;
        }
        newer_than = id_parse(store_text(store_item(*reply, 1)));
    } while (is_off(s, *reply, asked_us, &clock_tries) || job_is_stale(&work->job, *reply));
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

/* What is answered is gone. The post may have been written before that, by the same request. */
static enum err answer_nobody(struct social *s, struct arena *a, const struct new_post *n, uint64_t *id,
                              struct problems *p)
{
    enum err e = find_written(s, a, n, id);
    if (e == ERR_OK && !*id) {
        problem_add(p, "form", "post_reply_gone");
        return ERR_INVALID;
    }
    return e;
}

static bool is_again(const struct store_reply *r)
{
    return strcmp(store_text(store_item(r, 0)), "again") == 0;
}

/* What post_create.lua's answer means. */
static enum err outcome(const struct store_reply *r, struct problems *p)
{
    const char *word = store_text(store_item(r, 0));
    if (limit_refuses(r, p)) {
        return ERR_TOO_MANY;
    }
    if (strcmp(word, "ok") == 0) {
        return ERR_OK;
    }
    return strcmp(word, "gone") == 0 ? ERR_NOT_FOUND : strcmp(word, "clock") == 0 ? ERR_BUSY : ERR_CONFLICT;
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
    char *text = arena_dup(a, draft->text);
    size_t length = text_tidy(text);
    e = check_text(s, text, length, p);
    if (e != ERR_OK) {
        return e;
    }
    struct context c;
    e = look_up(s, a, text, length, draft->reply_to, &c);
    if (e != ERR_OK) {
        return e;
    }
    struct new_post n = {
        by->uid,         draft,         action_limit(s, a, ACTION_POST_CREATE, by, 1), text, mentions_text(a, &c),
        draft->reply_to, c.reply_author};
    *id = 0;
    if (draft->reply_to && !c.reply_author.id) {
        return answer_nobody(s, a, &n, id, p);
    }
    const struct delivery *delivery = s->parts->delivery;
    struct delivery_work *work = job_new(a, delivery->work, by->uid);
    work->mode = social_mode(s);
    const struct store_reply *r, *asked;
    e = store_anyhow(s, a, &n, work, &r, &asked);
    if (e != ERR_OK) {
        return e;
    }
    if (is_again(r)) {
        *id = id_parse(store_text(store_item(r, 1))); /* the post that this request made before */
        return ERR_OK;
    }
    e = outcome(r, p);
    if (e != ERR_OK) {
        return e;
    }
    *id = work->post;
    metric_add(METRIC_POSTS, 1);
    *wave = delivery->first(s, a, work, text, length, draft->reply_to, r, asked);
    return ERR_OK;
}

/* One try to take away the post that the job is to clean up after; the reply is post_delete.lua's. */
static enum err take_back(struct social *s, struct arena *a, const struct delivery_end_work *work,
                          const struct limit_ask *limit, const struct store_reply **reply)
{
    const struct job *job = &work->job;
    uint64_t author = job->uid;
    unsigned bucket = id_bucket(author);
    const char *keys[] = {key_id(a, KEY_POST, work->post), key_id(a, KEY_POSTS, author), key_id(a, KEY_HOME, author),
                          key_plain(a, KEY_JOBS, bucket),  key_id(a, KEY_JOB, job->id),  limit->key};
    const char *words[JOB_WORDS];
    job_words(a, job, words);
    const char *arguments[] = {id_text(a, author),
                               id_text(a, work->post),
                               words[0],
                               words[1],
                               words[2],
                               work->tags,
                               work->reply_to ? id_text(a, work->reply_to) : "",
                               limit->words[0],
                               limit->words[1],
                               limit->words[2]};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_POST_DELETE, 6, keys, sizeof(arguments) / sizeof(*arguments), arguments);
    enum err e = store_run(b);
    *reply = store_reply(b, 0);
    return e;
}

/* The post, if the actor may take it back. *limit is what the script that does so has to count. That script runs in the bucket of
 * the post; an administrator who lies in another one is counted here, beside the read. */
static enum err find_own(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct post *out,
                         struct limit_ask *limit, struct problems *p)
{
    struct post_load l = {.id = id};
    struct limit_ask ask = action_limit(s, a, ACTION_POST_DELETE, by, 1);
    bool is_near = id_bucket(id) == id_bucket(by->uid), is_counted = !is_near && by->is_admin && actor_is_limited(by);
    struct store_batch *b = social_batch(s, a);
    size_t counted = is_counted ? limit_add(b, by->uid, &ask) : 0;
    post_load_add(s, b, a, &l, 1);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    post_load_take(s, b, a, &l, 1);
    *out = l.post;
    *limit = is_near ? ask : limit_ask_user(s, a, LIMIT_NONE, id, 0);
    if (!l.post.author.id) { /* not l.post.id: what a deleted user left is taken back in his name */
        return ERR_NOT_FOUND;
    }
    if (l.post.author.id != by->uid && !by->is_admin) {
        return ERR_FORBIDDEN;
    }
    return is_counted && limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : ERR_OK;
}

/* Announced before the answer: no page of any process shows the post afterwards, whatever it had cached. */
static enum err announce_deleted(struct social *s, struct arena *a, uint64_t id)
{
    struct store_batch *announce = store_batch_new(s->store, a);
    social_announce(announce, a, 'p', id);
    return store_run(announce);
}

enum err post_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p)
{
    struct post post;
    struct limit_ask limit;
    enum err e = action_check(ACTION_POST_DELETE, by);
    e = e == ERR_OK ? find_own(s, a, by, id, &post, &limit, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct delivery_end_work *work = job_new(a, s->parts->delivery->end_work, post.author.id);
    work->post = id;
    work->reply_to = post.reply_to;
    work->tags = tags_of(a, post.text, strlen(post.text));
    const struct store_reply *reply;
    do {
        e = take_back(s, a, work, &limit, &reply);
    } while (e == ERR_OK && job_is_stale(&work->job, reply));
    if (e == ERR_OK && limit_refuses(reply, p)) {
        e = ERR_TOO_MANY;
    }
    if (e != ERR_OK) {
        return e;
    }
    const char *word = store_text(store_item(reply, 0));
    if (strcmp(word, "ok") != 0) {
        return strcmp(word, "stale") == 0 ? ERR_BUSY : ERR_NOT_FOUND;
    }
    e = announce_deleted(s, a, id);
    job_hand_over(s, a, &work->job);
    return e;
}

static enum err remove_posts(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    const struct actor himself = actor_system(uid);
    struct problems none = {.count = 0};
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = post_delete(s, a, &himself, ids[i], &none);
        if (e == ERR_NOT_FOUND || e == ERR_FORBIDDEN) { /* no such post, or somebody else's */
            e = purge_drop_entry(s, a, KEY_POSTS, uid, ids[i]);
        }
    }
    return e;
}

static void end_newest(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_NEWEST, uid), NULL);
}

const struct remains post_remains = {.name = "posts", .key = KEY_POSTS, .remove = remove_posts, .end_add = end_newest};
