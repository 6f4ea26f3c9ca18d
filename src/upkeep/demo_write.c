/* demo_write.c - see demo_write.h: users, posts, and the end. Each step leaves the data as one person's actions would
 * (sign_up.c, publish.c), by the same scripts or, for posts, by one that stores many at once: data that are interrupted
 * between two batches are complete, except that the last posts may be missing under their tags.
 *
 * Threads: see demo_write.h.
 */
#include "upkeep/demo_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/panic.h"
#include "base/text.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/core/problem.h"
#include "social/people/profile_field.h"
#include "social/people/user.h"
#include "social/people/user_index.h"
#include "social/posts/post.h"
#include "social/timelines/tag_trends.h"
#include "social/timelines/fanout.h"
#include "social/timelines/rebuild.h"
#include "social/timelines/timeline.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"
#include "upkeep/demo_text.h"
#include "upkeep/demo_words.h"
#include "social/people/sign_up.h"
#include "social/posts/tags.h"
#include "social/posts/thread.h"

#define BLOCK 250       /* users at once */
#define POST_BLOCK 4096 /* posts at once: so many that each bucket has several */
#define POSTS_PER_SCRIPT 100
#define RENAMES_MAX 50
#define STALE_MAX 5

size_t *demo_by_bucket(struct arena *a, const uint16_t *buckets, size_t count)
{
    size_t at[ID_BUCKETS + 1] = {0};
    size_t *order = arena_alloc(a, (count + 1) * sizeof(*order));
    for (size_t i = 0; i < count; i++) {
        at[buckets[i] + 1]++;
    }
    for (size_t b = 0; b < ID_BUCKETS; b++) {
        at[b + 1] += at[b];
    }
    for (size_t i = 0; i < count; i++) {
        order[at[buckets[i]]++] = i;
    }
    return order;
}

void demo_work_did(struct demo_work *w, unsigned share, uint64_t more)
{
    const struct demo_options *o = w->plan->options;
    uint64_t done = atomic_fetch_add(&w->done, more) + more;
    if (o->progress && share == 0) {
        o->progress(o->context, w->what, done, w->total);
    }
}

/* --- users ---------------------------------------------------------------------------------------------------------
 * */

/* The fields of a profile, as they are stored. */
static const char *demo_fields(struct arena *a, const char *folded)
{
    const struct profile_field fields[PROFILE_FIELDS_MAX] = {{"Web", arena_printf(a, "https://%s.example", folded)}};
    return profile_fields_pack(a, fields, &(struct problems){.count = 0});
}

static void create_user(struct demo_work *w, struct store_batch *b, struct arena *a, size_t i, const struct job *job)
{
    const struct demo_user *u = &w->plan->users[i];
    char folded[USER_NAME_MAX + 1], name[USER_NAME_MAX + 1];
    struct buffer shown = buffer_make(a), bio = buffer_make(a);
    demo_name(w->plan->options->seed, u->language, u->name_number, name, &shown);
    demo_bio(&bio, w->plan->options->seed, u->language, i);
    text_fold(u->name, folded);
    const struct record_user record = {.name = u->name,
                                       .display = buffer_string(&shown),
                                       .bio = buffer_string(&bio),
                                       .profile_fields = i % 3 ? "" : demo_fields(a, folded),
                                       .role = ""};
    script_user_create_add(b, &(struct script_user_create){job_call(job), folded, u->id, w->hash, &record});
}

/* What sign_up.c and user_edit do so that he is found. */
static void index_user(const struct demo_work *w, struct store_batch *b, struct arena *a, size_t i)
{
    const struct demo_user *u = &w->plan->users[i];
    char name[USER_NAME_MAX + 1];
    struct buffer shown = buffer_make(a);
    demo_name(w->plan->options->seed, u->language, u->name_number, name, &shown);
    const struct user user = {.id = u->id, .name = u->name, .display = buffer_string(&shown)};
    w->social->parts->user_index->add(b, a, &user);
}

/* Creates the users of a list; those whose names or ids are taken remain in it under another name. */
static enum err try_users(struct demo_work *w, struct arena *a, size_t *list, size_t *count, unsigned attempt)
{
    struct store_batch *b = store_batch_new(w->social->store, a), *end = store_batch_new(w->social->store, a);
    struct job **jobs = arena_alloc(a, *count * sizeof(struct job *));
    for (size_t i = 0; i < *count; i++) {
        jobs[i] = job_new(a, &sign_up_job, w->plan->users[list[i]].id);
        create_user(w, b, a, list[i], jobs[i]);
    }
    enum err e = store_run(b);
    size_t left = 0;
    for (size_t i = 0; e == ERR_OK && i < *count; i++) {
        if (script_answer(store_reply(b, i)) != ANSWER_OK) {
            demo_plan_rename(w->plan, list[i], attempt);
            list[left++] = list[i];
            continue;
        }
        index_user(w, end, a, list[i]);
        job_done_add(end, jobs[i]);
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

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

static const char *demo_post_text(struct demo_work *w, struct arena *a, const struct demo_post *post)
{
    const struct demo_user *users = w->plan->users;
    struct demo_text t = {.language = users[post->author].language, .is_reply = post->parent != 0};
    t.mention = post->mentioned == UINT32_MAX ? NULL : users[post->mentioned].name;
    struct buffer text = buffer_make(a);
    demo_write(&text, w->plan->options->seed, post->number, &t);
    return buffer_string(&text);
}

/* The row of posts_import.lua for a post. */
static struct script_posts_import_row row_of(struct demo_work *w, struct arena *a, const struct demo_post *post,
                                             const char *text)
{
    const struct demo_user *users = w->plan->users;
    struct script_posts_import_row row = {.uid = users[post->author].id, .id = post->id};
    row.record.author = row.uid;
    row.record.text = text;
    unsigned language = users[post->author].language;
    enum visibility v = demo_visibility(w->plan->options->seed, post->number);
    row.record.visibility = v == VISIBILITY_PUBLIC ? NULL : post_visibility_word(v);
    row.record.spoiler = demo_warning(w->plan->options->seed, post->number, language);
    row.record.language = demo_languages[language].code;
    row.record.place = demo_place(a, w->plan->options->seed, post->number);
    if (post->parent) {
        const struct demo_user *to = &users[post->parent_author];
        row.record.reply_to = post->parent;
        row.record.thread = post->thread;
        row.record.reply_author = post_author_text(a, to->id, to->name);
    }
    if (post->mentioned != UINT32_MAX) {
        const struct demo_user *m = &users[post->mentioned];
        row.record.mentions = post_mentions_text(a, &(struct post_mention){m->name, m->id}, 1);
    }
    return row;
}

/* What fanout.c does for a post whose homes need nothing: tags (cut at the end) and replies. */
static void index_post(const struct demo_work *w, struct store_batch *b, struct arena *a, const struct demo_post *post,
                       const char *text)
{
    uint64_t author = w->plan->users[post->author].id;
    const struct post frame = {.visibility = demo_visibility(w->plan->options->seed, post->number)};
    bool is_public = frame.visibility == VISIBILITY_PUBLIC;
    const char *id = id_text(a, post->id), *tags = is_public ? tags_of(a, text, strlen(text)) : "";
    trends_add(b, a, author, post->id, tags);
    for (const char *tag; (tag = tags_next(a, &tags));) {
        store_command(b, key_text_bucket(tag), "ZADD", key_text(a, KEY_TAG, tag), "0", id, NULL);
    }
    if (post->parent) {
        if (post_is_for_all(&frame)) {
            store_command(b, id_bucket(post->parent), "ZADD", key_id(a, KEY_REPLIES, post->parent), "0", id, NULL);
        }
        const struct thread_entry entry = {post->id, post->parent, author, !post_is_for_all(&frame)};
        store_command(b, id_bucket(post->thread), "ZADD", key_id(a, KEY_THREAD, post->thread), "0",
                      thread_member(a, &entry), NULL);
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

/* Stores the posts, those of one bucket together; answers[i] is what the engine says of the i-th. */
static enum err store_posts(struct demo_work *w, struct arena *a, struct demo_post *const *list, size_t count,
                            const char *const *texts, const struct store_reply **answers)
{
    struct store_batch *b = store_batch_new(w->social->store, a);
    uint16_t *buckets = arena_alloc(a, count * sizeof(*buckets));
    for (size_t i = 0; i < count; i++) {
        buckets[i] = (uint16_t)id_bucket(list[i]->id);
    }
    const size_t *order = demo_by_bucket(a, buckets, count);
    struct script_posts_import in = {.posts = NULL};
    struct script_posts_import_row *rows = arena_alloc(a, POSTS_PER_SCRIPT * sizeof(*rows));
    for (size_t i = 0; i < count; i++) {
        in.bucket = buckets[order[i]];
        rows[in.posts_count++] = row_of(w, a, list[order[i]], texts[order[i]]);
        if (in.posts_count == POSTS_PER_SCRIPT || i + 1 == count || buckets[order[i + 1]] != in.bucket) {
            in.posts = rows;
            script_posts_import_add(b, &in);
            in.posts_count = 0;
        }
    }
    enum err e = store_run(b);
    for (size_t reply = 0, i = 0; e == ERR_OK && reply < store_batch_count(b); reply++) {
        struct script_posts_import_reply r;
        script_posts_import_take(store_reply(b, reply), &r);
        for (size_t k = 0; k < r.results->count && i < count; k++) {
            answers[order[i++]] = store_item(r.results, k);
        }
    }
    return e;
}

static enum err try_posts(struct demo_work *w, struct arena *a, unsigned share, struct demo_post **list, size_t *count)
{
    struct store_batch *end = store_batch_new(w->social->store, a);
    const char **texts = arena_alloc(a, *count * sizeof(*texts));
    const struct store_reply **answers = arena_zero(a, *count * sizeof(*answers));
    for (size_t i = 0; i < *count; i++) {
        texts[i] = demo_post_text(w, a, list[i]);
    }
    enum err e = store_posts(w, a, list, *count, texts, answers);
    size_t left = 0, written = 0;
    for (size_t i = 0; e == ERR_OK && i < *count; i++) {
        if (script_answer(answers[i]) == ANSWER_OK) {
            index_post(w, end, a, list[i], texts[i]);
            const struct script_posts_import_row row = row_of(w, a, list[i], texts[i]);
            struct post stored;
            post_from_record(a, list[i]->id, &row.record, &stored);
            demo_found(w, share, &stored);
            written++;
        } else if (script_answer(answers[i]) == ANSWER_GONE) { /* its author is deleted: nobody answers it */
            list[i]->id = 0;
        } else {
            move_post(w->plan, list[i], id_parse(store_text(store_item(answers[i], 1))));
            list[left++] = list[i];
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
    struct demo_post **list = mem_alloc(POST_BLOCK * sizeof(struct demo_post *));
    for (size_t at = 0; e == ERR_OK && at < w->post_count;) {
        size_t count = 0, before = at;
        for (; at < w->post_count && count < POST_BLOCK; at++) {
            if (w->posts[at].author % w->shares == share) {
                list[count++] = &w->posts[at];
            }
        }
        for (unsigned i = 0; e == ERR_OK && count && i < STALE_MAX; i++) {
            arena_reset(a);
            e = try_posts(w, a, share, list, &count);
        }
        e = e == ERR_OK && count ? ERR_CONFLICT : e;
        demo_work_did(w, share, (at - before) / w->shares);
    }
    free(list);
    arena_free(a);
    return e;
}

/* --- what people do with it ----------------------------------------------------------------------------------------
 * */

enum err demo_let_pass(enum err e)
{
    return e == ERR_NOT_FOUND || e == ERR_FORBIDDEN ? ERR_OK : e;
}

/* --- the end -------------------------------------------------------------------------------------------------------
 * */

enum err demo_write_homes(struct demo_work *w, unsigned share)
{
    struct arena *a = arena_new();
    size_t users = w->plan->options->users;
    enum err e = ERR_OK;
    for (size_t first = share * BLOCK; e == ERR_OK && first < users; first += w->shares * BLOCK) {
        arena_reset(a);
        struct store_batch *b = store_batch_new(w->social->store, a);
        for (size_t i = first; i < first + BLOCK && i < users; i++) {
            rebuild_add(b, w->plan->users[i].id);
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
    uint64_t first = p->stored > DEMO_RECENT ? p->stored - DEMO_RECENT : 0; /* more: not all of them are public */
    for (uint64_t n = first; n < p->stored; n++) {
        const struct demo_post *post = &p->recent[n % DEMO_RECENT];
        uint64_t id = post->id;
        if (id && demo_visibility(p->options->seed, post->number) == VISIBILITY_PUBLIC) {
            script_newest_insert_add(
                b, &(struct script_newest_insert){.list = timeline, .id = id, .size = TIMELINE_PUBLIC_SIZE});
        }
    }
    store_command(b, KEY_GLOBAL_BUCKET, "LTRIM", timeline, "0", store_last(a, TIMELINE_PUBLIC_SIZE), NULL);
}

static void cut_tags(struct store_batch *b, struct arena *a)
{
    for (size_t l = 0; l < DEMO_LANGUAGES; l++) {
        for (const char *const *tag = demo_languages[l].tags; *tag; tag++) {
            const char *folded = entity_scan_fold(*tag, strlen(*tag), arena_alloc(a, strlen(*tag) + 1));
            store_command(b, key_text_bucket(folded), "ZREMRANGEBYRANK", key_text(a, KEY_TAG, folded), "0",
                          TIMELINE_TAG_CUT(a), NULL);
        }
    }
}

/* Puts them among the newest users, mostly behind those who really signed up lately. */
static void add_latest(const struct demo_plan *p, struct store_batch *b, struct arena *a)
{
    uint64_t users = p->options->users;
    uint64_t *ids = mem_alloc((users + 1) * sizeof(*ids));
    for (uint64_t i = 0; i < users; i++) {
        ids[i] = p->users[i].id;
    }
    qsort(ids, users, sizeof(*ids), id_newest_first);
    for (uint64_t i = 0; i < users && i < USER_LATEST_SIZE; i++) {
        user_latest_add(b, a, ids[i]);
    }
    free(ids);
}

enum err demo_write_end(struct demo_work *w)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(w->social->store, a);
    add_public(w->plan, b, a);
    cut_tags(b, a);
    add_latest(w->plan, b, a);
    event_add(w->social, b, a, EVENT_ALL, 0); /* one event for everything that was imported */
    enum err e = store_run(b);
    arena_free(a);
    return e;
}
