/* demo_write.c - see demo_write.h. Each step is the same scripts as those of one person's action (sign_up.c,
 * follow.c, publish.c), and each leaves the data consistent: what is interrupted between two batches has its job
 * in the engine, but for posts, of which the last may then miss under their tags.
 *
 * Threads: see demo_write.h.
 */
#include "social/demo_write.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/text.h"
#include "social/demo_text.h"
#include "social/demo_words.h"
#include "social/fanout.h"
#include "social/follow.h"
#include "social/home.h"
#include "social/job.h"
#include "social/rebuild.h"
#include "social/social.h"
#include "social/timeline.h"
#include "store/keys.h"
#include "store/store.h"

#define BLOCK 250 /* users, or posts, at once */
#define SCRIPTS_AT_ONCE 1000
#define RENAMES_MAX 50
#define STALE_MAX 5
#define LATEST_SIZE 100
#define TAG_KEPT "-1001"

static const char *first_word(const struct store_batch *b, size_t reply)
{
    return store_text(store_item(store_reply(b, reply), 0));
}

static const char *id_text(struct arena *a, uint64_t id)
{
    return id_write(id, arena_alloc(a, ID_SIZE));
}

void demo_work_did(struct demo_work *w, unsigned share, uint64_t more)
{
    const struct demo_options *o = w->plan->options;
    uint64_t done = atomic_fetch_add(&w->done, more) + more;
    if (o->progress && share == 0) {
        o->progress(o->context, w->what, done, w->total);
    }
}

/* --- users --------------------------------------------------------------------------------------------------------- */

static void create_user(struct demo_work *w, struct store_batch *b, struct arena *a, size_t i, const struct job *job)
{
    const struct demo_user *u = &w->plan->users[i];
    char folded[USER_NAME_MAX + 1], name[USER_NAME_MAX + 1];
    unsigned bucket = id_bucket(u->id);
    struct buffer shown = buffer_make(a), bio = buffer_make(a);
    demo_name(w->plan->options->seed, u->language, u->name_number, name, &shown);
    demo_bio(&bio, w->plan->options->seed, u->language, i);
    const char *keys[] = {key_text(a, KEY_NAME, text_fold(u->name, folded)),
                          key_id(a, KEY_USER, u->id),
                          key_plain(a, KEY_USERS, bucket),
                          key_id(a, KEY_HOME, u->id),
                          key_id(a, KEY_HOMESTATE, u->id),
                          key_plain(a, KEY_JOBS, bucket),
                          key_id(a, KEY_JOB, job->id),
                          key_id(a, KEY_NEWEST, u->id)};
    const char *arguments[] = {
        id_text(a, u->id),
        arena_printf(a, "%llu", (unsigned long long)atomic_load(&w->social->epoch)),
        job_id_text(a, job),
        job_lease_text(a),
        home_ttl_text(w->social, a),
        "name",
        u->name,
        "password",
        w->hash,
        "display",
        buffer_string(&shown),
        "bio",
        buffer_string(&bio),
        "role",
        "",
    };
    store_script(b, bucket, SCRIPT_USER_CREATE, 8, keys, sizeof(arguments) / sizeof(*arguments), arguments);
}

/* Creates the users of a list; those whose names are taken remain in it under another name. */
static enum err try_users(struct demo_work *w, struct arena *a, size_t *list, size_t *count, unsigned attempt)
{
    struct store_batch *b = store_batch_new(w->social->store, a), *end = store_batch_new(w->social->store, a);
    struct job **jobs = arena_alloc(a, *count * sizeof(struct job *));
    for (size_t i = 0; i < *count; i++) {
        jobs[i] = job_new(a, JOB_SIGNUP, w->plan->users[list[i]].id);
        create_user(w, b, a, list[i], jobs[i]);
    }
    enum err e = store_run(b);
    size_t left = 0;
    for (size_t i = 0; e == ERR_OK && i < *count; i++) {
        uint64_t uid = w->plan->users[list[i]].id;
        if (strcmp(first_word(b, i), "ok") != 0) {
            demo_plan_rename(w->plan, list[i], attempt);
            list[left++] = list[i];
            continue;
        }
        store_command(end, id_bucket(uid), "UNLINK", key_id(a, KEY_HOME, uid), NULL);
        job_done_add(end, a, jobs[i]);
    }
    atomic_fetch_add(&w->users, *count - left);
    *count = left;
    return e == ERR_OK ? store_run(end) : e;
}

enum err demo_write_users(struct demo_work *w, unsigned share)
{
    struct arena *a = arena_new();
    size_t users = w->plan->options->users;
    enum err e = ERR_OK;
    for (size_t first = share * BLOCK; e == ERR_OK && first < users; first += w->shares * BLOCK) {
        size_t list[BLOCK], count = 0, whole;
        while (count < BLOCK && first + count < users) {
            list[count] = first + count;
            count++;
        }
        whole = count;
        for (unsigned attempt = 0; e == ERR_OK && count && attempt < RENAMES_MAX; attempt++) {
            arena_reset(a);
            e = try_users(w, a, list, &count, attempt);
        }
        e = e == ERR_OK && count ? ERR_TAKEN : e;
        demo_work_did(w, share, whole);
    }
    arena_free(a);
    return e;
}

/* --- relations ----------------------------------------------------------------------------------------------------- */

/* Some of the people whom one user follows: a job as in follow.c. */
struct follow {
    size_t user;
    const uint32_t *targets;
    size_t count;
    struct job *job;
};

static void follow_add(struct demo_work *w, struct store_batch *b, struct arena *a, struct follow *f)
{
    const struct demo_plan *p = w->plan;
    uint64_t uid = p->users[f->user].id, us = demo_plan_follow_us(p, f->user, f->targets[0]);
    unsigned bucket = id_bucket(uid);
    f->job = job_new(a, JOB_FOLLOW, uid);
    const char *keys[] = {key_id(a, KEY_USER, uid),       key_id(a, KEY_FOLLOWING, uid),
                          key_id(a, KEY_HOME, uid),       key_id(a, KEY_HOMESTATE, uid),
                          key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, f->job->id)};
    const char **arguments = arena_alloc(a, (6 + f->count) * sizeof(*arguments));
    const char *fixed[] = {
        id_text(a, uid),  "on", arena_printf(a, "%llu", (unsigned long long)us), FOLLOW_LIMIT, job_id_text(a, f->job),
        job_lease_text(a)};
    memcpy(arguments, fixed, sizeof(fixed));
    for (size_t i = 0; i < f->count; i++) {
        arguments[6 + i] = id_text(a, p->users[f->targets[i]].id);
    }
    store_script(b, bucket, SCRIPT_FOLLOW, 6, keys, 6 + f->count, arguments);
}

/* The other sides, a batch at a time. */
static enum err write_followers(struct demo_work *w, struct arena *a, const struct follow *follows, size_t count)
{
    struct store_batch *b = store_batch_new(w->social->store, a);
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const char *uid = id_text(a, w->plan->users[follows[i].user].id);
        for (size_t k = 0; e == ERR_OK && k < follows[i].count; k++) {
            uint64_t target = w->plan->users[follows[i].targets[k]].id;
            uint64_t us = demo_plan_follow_us(w->plan, follows[i].user, follows[i].targets[k]);
            const char *keys[] = {key_id(a, KEY_USER, target), key_id(a, KEY_FOLLOWERS, target)};
            const char *arguments[] = {uid, "1", arena_printf(a, "%llu", (unsigned long long)us)};
            store_script(b, id_bucket(target), SCRIPT_FOLLOWER, 2, keys, 3, arguments);
            if (store_batch_count(b) == SCRIPTS_AT_ONCE) {
                e = store_run(b);
                b = store_batch_new(w->social->store, a);
            }
        }
    }
    return e == ERR_OK ? store_run(b) : e;
}

static void follow_done_add(struct demo_work *w, struct store_batch *b, struct arena *a, const struct follow *f)
{
    uint64_t uid = w->plan->users[f->user].id;
    unsigned bucket = id_bucket(uid);
    const char *keys[] = {key_id(a, KEY_FOLLOWING, uid), key_id(a, KEY_HOME, uid), key_id(a, KEY_HOMESTATE, uid),
                          key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, f->job->id)};
    const char **arguments = arena_alloc(a, (1 + 2 * f->count) * sizeof(*arguments));
    arguments[0] = job_id_text(a, f->job);
    for (size_t i = 0; i < f->count; i++) {
        arguments[1 + 2 * i] = id_text(a, w->plan->users[f->targets[i]].id);
        arguments[2 + 2 * i] = "1";
    }
    store_script(b, bucket, SCRIPT_FOLLOW_DONE, 5, keys, 1 + 2 * f->count, arguments);
}

static enum err write_follows(struct demo_work *w, struct arena *a, struct follow *follows, size_t count)
{
    struct store_batch *b = store_batch_new(w->social->store, a), *done = store_batch_new(w->social->store, a);
    size_t relations = 0;
    for (size_t i = 0; i < count; i++) {
        follow_add(w, b, a, &follows[i]);
        relations += follows[i].count;
    }
    enum err e = store_run(b);
    e = e == ERR_OK ? write_followers(w, a, follows, count) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        follow_done_add(w, done, a, &follows[i]);
    }
    e = e == ERR_OK ? store_run(done) : e;
    atomic_fetch_add(&w->relations, e == ERR_OK ? relations : 0);
    return e;
}

enum err demo_write_relations(struct demo_work *w, unsigned share)
{
    const struct demo_plan *p = w->plan;
    struct arena *a = arena_new();
    enum err e = ERR_OK;
    size_t user = share, at = p->first[share < p->options->users ? share : 0];
    while (e == ERR_OK && user < p->options->users) {
        struct follow follows[BLOCK];
        size_t count = 0, relations = 0;
        while (count < BLOCK && relations < SCRIPTS_AT_ONCE && user < p->options->users) {
            size_t left = p->first[user + 1] - at, n = left < FOLLOW_BATCH_MAX ? left : FOLLOW_BATCH_MAX;
            if (n) {
                follows[count] = (struct follow){.user = user, .targets = p->targets + at, .count = n};
                count++;
                relations += n;
                at += n;
            }
            if (at == p->first[user + 1]) {
                user += w->shares;
                at = user < p->options->users ? p->first[user] : 0;
            }
        }
        arena_reset(a);
        e = write_follows(w, a, follows, count);
        demo_work_did(w, share, relations);
    }
    arena_free(a);
    return e;
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static const char *text_of(struct demo_work *w, struct arena *a, const struct demo_post *post)
{
    const struct demo_user *users = w->plan->users;
    struct demo_text t = {.language = users[post->author].language, .is_reply = post->parent != 0};
    t.mention = post->mentioned == UINT32_MAX ? NULL : users[post->mentioned].name;
    struct buffer text = buffer_make(a);
    demo_write(&text, w->plan->options->seed, post->number, &t);
    return buffer_string(&text);
}

static void create_post(struct demo_work *w, struct store_batch *b, struct arena *a, const struct demo_post *post,
                        const char *text)
{
    const struct demo_user *users = w->plan->users;
    uint64_t uid = users[post->author].id;
    unsigned bucket = id_bucket(uid);
    const char *author = id_text(a, uid);
    const char *keys[] = {
        key_id(a, KEY_USER, uid), key_id(a, KEY_POST, post->id),         key_id(a, KEY_POSTS, uid),
        key_id(a, KEY_HOME, uid), key_id(a, KEY_FOLLOWERS, uid),         key_plain(a, KEY_JOBS, bucket),
        key_id(a, KEY_JOB, uid),  key_id_text(a, KEY_REQUEST, uid, "-"), key_id(a, KEY_NEWEST, uid)};
    const char *arguments[17] = {author, id_text(a, post->id), "", "0", "0", "0", "pull", "author", author, "text",
                                 text};
    size_t count = 11;
    if (post->parent) {
        arguments[count++] = "reply_to";
        arguments[count++] = id_text(a, post->parent);
        arguments[count++] = "reply_author";
        arguments[count++] = id_text(a, users[post->parent_author].id);
    }
    if (post->mentioned != UINT32_MAX) {
        const struct demo_user *m = &users[post->mentioned];
        arguments[count++] = "mentions";
        arguments[count++] = arena_printf(a, "%s:%llu", m->name, (unsigned long long)m->id);
    }
    store_script(b, bucket, SCRIPT_POST_CREATE, 9, keys, count, arguments);
}

/* What fanout.c does for a post whose homes need nothing: tags (cut at the end) and replies. */
static void index_post(struct store_batch *b, struct arena *a, const struct demo_post *post, const char *text)
{
    const char *id = id_text(a, post->id), *tags = fanout_tags(a, text, strlen(text));
    for (const char *at = tags; *at;) {
        size_t length = strcspn(at, ",");
        const char *tag = arena_dup_n(a, at, length);
        store_command(b, key_text_bucket(tag), "ZADD", key_text(a, KEY_TAG, tag), "0", id, NULL);
        at += length + (at[length] == ',');
    }
    if (post->parent) {
        store_command(b, id_bucket(post->parent), "ZADD", key_id(a, KEY_REPLIES, post->parent), "0", id, NULL);
    }
}

/* Somebody has this id, or the author wrote meanwhile: a millisecond later. */
static void move_post(struct demo_plan *p, struct demo_post *post, uint64_t newest)
{
    struct demo_user *author = &p->users[post->author];
    uint64_t ms = id_ms(newest) > author->newest ? id_ms(newest) : author->newest;
    author->newest = ms + 1;
    post->id = id_of_ms(ms + 1) | (uint64_t)id_bucket(author->id) << 6 | author->sequence;
}

static enum err try_posts(struct demo_work *w, struct arena *a, struct demo_post **list, size_t *count)
{
    struct store_batch *b = store_batch_new(w->social->store, a), *end = store_batch_new(w->social->store, a);
    const char **texts = arena_alloc(a, *count * sizeof(*texts));
    for (size_t i = 0; i < *count; i++) {
        texts[i] = text_of(w, a, list[i]);
        create_post(w, b, a, list[i], texts[i]);
    }
    enum err e = store_run(b);
    size_t left = 0, written = 0;
    for (size_t i = 0; e == ERR_OK && i < *count; i++) {
        const char *word = first_word(b, i);
        if (strcmp(word, "ok") == 0) {
            index_post(end, a, list[i], texts[i]);
            written++;
        } else if (strcmp(word, "stale") == 0) {
            move_post(w->plan, list[i], id_parse(store_text(store_item(store_reply(b, i), 1))));
            list[left++] = list[i];
        } else { /* the author is gone meanwhile: nobody answers this one */
            list[i]->id = 0;
        }
    }
    *count = left;
    atomic_fetch_add(&w->posts_written, written);
    return e == ERR_OK ? store_run(end) : e;
}

enum err demo_write_posts(struct demo_work *w, unsigned share)
{
    struct arena *a = arena_new();
    enum err e = ERR_OK;
    for (size_t at = 0; e == ERR_OK && at < w->post_count;) {
        struct demo_post *list[BLOCK];
        size_t count = 0, before = at;
        for (; at < w->post_count && count < BLOCK; at++) {
            if (w->posts[at].author % w->shares == share) {
                list[count++] = &w->posts[at];
            }
        }
        for (unsigned i = 0; e == ERR_OK && count && i < STALE_MAX; i++) {
            arena_reset(a);
            e = try_posts(w, a, list, &count);
        }
        e = e == ERR_OK && count ? ERR_CONFLICT : e;
        demo_work_did(w, share, (at - before) / w->shares);
    }
    arena_free(a);
    return e;
}

/* --- the end ------------------------------------------------------------------------------------------------------- */

enum err demo_write_homes(struct demo_work *w, unsigned share)
{
    struct arena *a = arena_new();
    size_t users = w->plan->options->users;
    enum err e = ERR_OK;
    for (size_t first = share * BLOCK; e == ERR_OK && first < users; first += w->shares * BLOCK) {
        arena_reset(a);
        struct store_batch *b = store_batch_new(w->social->store, a);
        for (size_t i = first; i < first + BLOCK && i < users; i++) {
            rebuild_add(b, a, w->plan->users[i].id);
        }
        e = store_run(b);
    }
    arena_free(a);
    return e;
}

/* Oldest first, so that each finds its place in front. */
static void add_public(const struct demo_plan *p, struct store_batch *b, struct arena *a)
{
    const char *timeline = key_plain(a, KEY_TIMELINE, KEY_GLOBAL_BUCKET);
    uint64_t first = p->stored > TIMELINE_PUBLIC_SIZE ? p->stored - TIMELINE_PUBLIC_SIZE : 0;
    for (uint64_t n = first; n < p->stored; n++) {
        uint64_t id = p->recent[n % DEMO_RECENT].id;
        const char *arguments[] = {id_text(a, id), TIMELINE_PUBLIC_TEXT, "create"};
        if (id) {
            store_script(b, KEY_GLOBAL_BUCKET, SCRIPT_HOME_INSERT, 1, &timeline, 3, arguments);
        }
    }
    store_command(b, KEY_GLOBAL_BUCKET, "LTRIM", timeline, "0", TIMELINE_PUBLIC_LAST, NULL);
}

static void cut_tags(struct store_batch *b, struct arena *a)
{
    for (size_t l = 0; l < DEMO_LANGUAGES; l++) {
        for (const char *const *tag = demo_languages[l].tags; *tag; tag++) {
            const char *folded = entity_scan_fold(*tag, strlen(*tag), arena_alloc(a, strlen(*tag) + 1));
            store_command(b, key_text_bucket(folded), "ZREMRANGEBYRANK", key_text(a, KEY_TAG, folded), "0", TAG_KEPT,
                          NULL);
        }
    }
}

/* Behind those who really signed up lately. */
static void add_latest(const struct demo_plan *p, struct store_batch *b, struct arena *a)
{
    const char *latest = key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET);
    uint64_t users = p->options->users;
    for (uint64_t i = users; i > 0 && i + LATEST_SIZE > users; i--) {
        store_command(b, KEY_GLOBAL_BUCKET, "RPUSH", latest, id_text(a, p->users[i - 1].id), NULL);
    }
    store_command(b, KEY_GLOBAL_BUCKET, "LTRIM", latest, "0", "99", NULL);
}

enum err demo_write_end(struct demo_work *w)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(w->social->store, a);
    add_public(w->plan, b, a);
    cut_tags(b, a);
    add_latest(w->plan, b, a);
    social_announce(b, a, '*', 0); /* of no known kind: every process forgets what it remembers */
    enum err e = store_run(b);
    arena_free(a);
    return e;
}
