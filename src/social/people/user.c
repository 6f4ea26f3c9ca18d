/* user.c - records of people: rules for names, reading, changing. Sign-up is in sign_up.c. Any thread. */
#include "social/people/user.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/panic.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/cache.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"
#include "social/people/purge.h"
#include "social/people/user_index.h"
#include "social/people/user_name.h"

#define USERS_PER_CHUNK 500

bool user_name_is_valid(const char *name)
{
    size_t n = strlen(name);
    if (n < USER_NAME_MIN || n > USER_NAME_MAX) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!text_is_word((unsigned char)name[i])) {
            return false;
        }
    }
    return true;
}

const char *user_state_word(enum user_state state)
{
    static const char *const words[USER_STATES] = {
#define X(id, word) [USER_STATE_##id] = word,
        USER_STATE_TABLE(X)
#undef X
    };
    return words[state];
}

static enum user_state user_state_of(const char *word)
{
    int state = USER_STATE_FREE;
    while (state < USER_STATES && strcmp(user_state_word((enum user_state)state), word) != 0) {
        state++;
    }
    return (enum user_state)state;
}

bool user_is_hidden(const struct user *u, uint64_t from)
{
    return u->state >= USER_STATE_SUSPENDED && u->id != from; /* what is not known is taken for the worst */
}

bool user_is_shown_around(const struct user *u)
{
    return u->state == USER_STATE_FREE;
}

bool user_is_recommended(const struct user *u)
{
    return user_is_shown_around(u) && u->is_discoverable;
}

bool user_is_recommended_by(const char *state, const char *discoverable)
{
    const char *const preferred[PREFERENCES] = {[PREFERENCE_DISCOVERABLE] = discoverable};
    return user_state_of(state) == USER_STATE_FREE && preference_is_on(preferred, PREFERENCE_DISCOVERABLE);
}

bool user_hides_people(const struct user *u, uint64_t from)
{
    return u->hides_people && u->id != from;
}

unsigned user_bucket(const char *name)
{
    char folded[USER_NAME_MAX + 1];
    require(strlen(name) <= USER_NAME_MAX);
    return id_bucket_of_name(text_fold(name, folded));
}

void user_from_record(const struct record_user *r, uint64_t id, struct user *out)
{
    *out = (struct user){.id = r->name[0] ? id : 0,
                         .name = r->name,
                         .display = r->display,
                         .bio = r->bio,
                         .profile_fields = r->profile_fields,
                         .is_admin = strcmp(r->role, USER_ADMIN) == 0,
                         .is_deleted = r->deleted,
                         .is_locked = r->locked,
                         .state = user_state_of(r->state),
                         .home_replies = strcmp(r->home_replies, USER_REPLIES_ALL) == 0};
    preference_take(r, out->preferred);
    out->is_bot = preference_is_on(out->preferred, PREFERENCE_BOT);
    out->is_discoverable = preference_is_on(out->preferred, PREFERENCE_DISCOVERABLE);
    out->is_indexable = preference_is_on(out->preferred, PREFERENCE_INDEXABLE);
    out->hides_people = preference_is_on(out->preferred, PREFERENCE_HIDE_COLLECTIONS);
}

void user_cache_put(struct social *s, struct arena *a, uint64_t id, const struct record_user *r, uint64_t token)
{
    if (r->name[0]) {
        size_t size;
        const void *packed = record_pack(a, RECORD_USER, r, &size);
        cache_put(s->cache, CACHE_USER, id, packed, size, token);
    }
}

bool user_cache_get(struct social *s, struct arena *a, uint64_t id, struct user *out)
{
    size_t size;
    const void *packed = cache_get(s->cache, CACHE_USER, id, a, &size);
    if (packed) {
        struct record_user record;
        record_unpack(RECORD_USER, packed, &record);
        user_from_record(&record, id, out);
    }
    return packed != NULL;
}

bool user_recall_named(struct social *s, struct arena *a, const char *name, struct user *out)
{
    char folded[USER_NAME_MAX + 1], own[USER_NAME_MAX + 1];
    if (!user_name_is_valid(name)) {
        return false;
    }
    text_fold(name, folded);
    uint64_t uid = user_name_guess(s, a, folded);
    return uid && user_cache_get(s, a, uid, out) && !out->is_deleted && strcmp(text_fold(out->name, own), folded) == 0;
}

size_t user_add(struct store_batch *b, uint64_t id)
{
    return record_ask(b, RECORD_USER, id, USER_SHOWN);
}

bool user_take(struct social *s, const struct store_batch *b, size_t reply, uint64_t id, struct user *out)
{
    struct record_user record;
    record_user_take(store_reply(b, reply), USER_SHOWN, &record);
    user_from_record(&record, id, out);
    user_cache_put(s, store_batch_arena(b), id, &record, store_batch_marked(b));
    return out->id != 0;
}

size_t user_counts_add(struct store_batch *b, struct arena *a, uint64_t id)
{
    static const enum key keys[] = {KEY_POSTS, KEY_FOLLOWING, KEY_FOLLOWERS};
    size_t first = store_batch_count(b);
    for (unsigned i = 0; id && i < 3; i++) {
        store_command(b, id_bucket(id), "ZCARD", key_id(a, keys[i], id), NULL);
    }
    return first;
}

void user_counts_take(const struct store_batch *b, size_t reply, struct user_counts *out)
{
    *out = (struct user_counts){.posts = store_integer(store_reply(b, reply)),
                                .following = store_integer(store_reply(b, reply + 1)),
                                .followers = store_integer(store_reply(b, reply + 2))};
}

/* What a user that was looked for by name is read from, but for whose posts are answers: they never change. */
static size_t user_find_sources(struct arena *a, const struct store_reply *answer, const char **out, void *folded)
{
    static const enum key keys[] = {KEY_USER, KEY_POSTS, KEY_FOLLOWING, KEY_FOLLOWERS, KEY_PINS};
    uint64_t uid = id_parse(store_text(store_item(answer, 0)));
    size_t count = 0;
    out[count++] = key_text(a, KEY_NAME, folded);
    for (size_t i = 0; uid && i < sizeof(keys) / sizeof(*keys); i++) {
        out[count++] = key_id(a, keys[i], uid);
    }
    return count;
}

size_t user_find_add(struct store_batch *b, const char *name, const struct user_page *page)
{
    char folded[USER_NAME_MAX + 1];
    const struct script_user_find in = {.folded = text_fold(name, folded),
                                        .what = page->what,
                                        .from = page->from ? page->from : "",
                                        .to = page->to ? page->to : "",
                                        .backwards = page->reverse,
                                        .limit = page->limit,
                                        .most = page->most};
    size_t reply = script_user_find_add(b, &in);
    store_batch_source(b, reply, user_find_sources, arena_dup(store_batch_arena(b), folded));
    return reply;
}

enum err user_find_take(struct social *s, const struct store_batch *b, size_t reply, struct user *out,
                        struct user_counts *counts, const struct store_reply **rows)
{
    const struct store_reply *r = store_reply(b, reply);
    struct script_user_find_reply found;
    char folded[USER_NAME_MAX + 1];
    memset(out, 0, sizeof(*out));
    if (r->type == STORE_ERROR) {
        return r->err;
    }
    if (!script_user_find_take(r, &found)) {
        return ERR_NOT_FOUND;
    }
    user_from_record(&found.user, found.uid, out);
    user_cache_put(s, store_batch_arena(b), found.uid, &found.user, store_batch_marked(b));
    if (!out->id || out->is_deleted) {
        return ERR_NOT_FOUND;
    }
    user_name_put(s, text_fold(out->name, folded), out->id, store_batch_marked(b));
    if (counts) {
        *counts = (struct user_counts){found.posts, found.following, found.followers};
    }
    if (rows) {
        *rows = found.page;
    }
    return ERR_OK;
}

const struct store_reply *user_find_pins(const struct store_batch *b, size_t reply, uint64_t *rest)
{
    struct script_user_find_reply found = {.pins = NULL};
    script_user_find_take(store_reply(b, reply), &found);
    *rest = found.rest;
    return found.pins;
}

enum err user_find(struct social *s, struct arena *a, const char *name, struct user *out, struct user_counts *counts,
                   const char **password)
{
    memset(out, 0, sizeof(*out));
    if (!user_name_is_valid(name)) {
        return ERR_NOT_FOUND;
    }
    struct user_page page = {.what = password ? USER_FIND_WHAT_PASSWORD : USER_FIND_WHAT_NONE};
    struct store_batch *b = social_batch(s, a);
    size_t reply = user_find_add(b, name, &page);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    const struct store_reply *rows;
    e = user_find_take(s, b, reply, out, counts, &rows);
    if (e == ERR_OK && password) {
        *password = store_text(store_item(rows, 0));
    }
    return e;
}

size_t user_set_add(struct social *s, struct store_batch *b, struct arena *a, uint64_t id,
                    const struct record_user *fields)
{
    size_t reply = script_user_set_add(b, &(struct script_user_set){id, fields});
    event_add(s, b, a, EVENT_USER, id);
    return reply;
}

enum err user_set(struct social *s, struct arena *a, uint64_t id, const struct record_user *fields)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = user_set_add(s, b, a, id, fields);
    enum err e = store_run(b);
    return e == ERR_OK && script_answer(store_reply(b, reply)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

void user_latest_add(struct store_batch *b, struct arena *a, uint64_t id)
{
    const char *latest = key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET);
    script_newest_insert_add(b, &(struct script_newest_insert){.list = latest, .id = id, .size = USER_LATEST_SIZE});
    store_command(b, KEY_GLOBAL_BUCKET, "LTRIM", latest, "0", store_last(a, USER_LATEST_SIZE), NULL);
}

static enum err read_user(struct social *s, struct store_batch *b, size_t reply, uint64_t uid, struct user *out)
{
    enum err e = store_run(b);
    return e == ERR_OK && !user_take(s, b, reply, uid, out) ? ERR_NOT_FOUND : e;
}

enum err user_set_admin(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool is_admin)
{
    enum err e = action_check(ACTION_USER_ADMIN, by);
    return e == ERR_OK ? user_set(s, a, id, &(struct record_user){.role = is_admin ? USER_ADMIN : ""}) : e;
}

enum err user_set_state(struct social *s, struct arena *a, const struct actor *by, uint64_t id, enum user_state state)
{
    enum err e = action_check(ACTION_USER_STATE, by);
    return e == ERR_OK ? user_set(s, a, id, &(struct record_user){.state = user_state_word(state)}) : e;
}

/* One try. */
static enum err mark_deleted(struct social *s, struct arena *a, const struct job *job, enum answer *answer)
{
    struct store_batch *b = store_batch_new(s->store, a);
    script_user_delete_add(b, &(struct script_user_delete){job_call(job), job->uid});
    event_add(s, b, a, EVENT_USER, job->uid);
    enum err e = store_run(b);
    *answer = script_answer(store_reply(b, 0));
    return e;
}

enum err user_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id)
{
    struct job *job = job_new(a, &purge_job, id);
    enum answer answer;
    enum err e = action_check(ACTION_USER_DELETE, by);
    if (e != ERR_OK) {
        return e;
    }
    struct user old;
    struct store_batch *read = store_batch_new(s->store, a);
    e = read_user(s, read, user_add(read, id), id, &old);
    if (e != ERR_OK) {
        return e;
    }
    do {
        e = mark_deleted(s, a, job, &answer);
    } while (e == ERR_OK && job_is_stale(job, answer));
    if (e != ERR_OK) {
        return e;
    }
    if (answer != ANSWER_OK) {
        return answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
    }
    struct store_batch *forget = store_batch_new(s->store, a);
    s->parts->user_index->end_add(forget, a, &old, NULL);
    store_send(forget); /* what is left is found to be nobody's when it is read */
    job_hand_over(s, a, job);
    return ERR_OK;
}

/* One chunk of a bucket's users, with records and counts; entries that are no ids are passed over. Returns false when
 * each() said stop. */
static bool each_chunk(struct social *s, struct arena *a, const struct store_reply *ids, enum err *e,
                       bool (*each)(const struct user *u, const struct user_counts *c, void *context), void *context)
{
    struct store_batch *b = store_batch_new(s->store, a);
    for (size_t i = 0; i < ids->count; i++) {
        uint64_t id = id_parse(store_text(&ids->items[i]));
        script_user_read_add(b, &(struct script_user_read){id});
    }
    *e = store_run(b);
    for (size_t i = 0; *e == ERR_OK && i < ids->count; i++) {
        struct script_user_read_reply r;
        struct user u;
        if (!script_user_read_take(store_reply(b, i), &r)) {
            continue;
        }
        user_from_record(&r.user, id_parse(store_text(&ids->items[i])), &u);
        struct user_counts c = {r.posts, r.following, r.followers};
        if (!u.is_deleted && u.id && !each(&u, &c, context)) {
            return false;
        }
    }
    return *e == ERR_OK;
}

enum err user_each(struct social *s, bool (*each)(const struct user *u, const struct user_counts *c, void *context),
                   void *context)
{
    struct arena *a = arena_new();
    enum err e = ERR_OK;
    bool go_on = true;
    for (unsigned bucket = 0; bucket < ID_BUCKETS && go_on; bucket++) {
        size_t first = 0, found;
        do { /* by place, not by id: an entry may be damaged, and nobody ever leaves */
            arena_reset(a);
            struct store_batch *b = store_batch_new(s->store, a);
            store_command(b, bucket, "ZRANGE", key_plain(a, KEY_USERS, bucket), arena_printf(a, "%zu", first),
                          store_last(a, first + USERS_PER_CHUNK), NULL);
            e = store_run(b);
            const struct store_reply *ids = store_reply(b, 0);
            found = e == ERR_OK ? ids->count : 0;
            first += found;
            if (found) {
                go_on = each_chunk(s, a, ids, &e, each, context);
            }
        } while (found == USERS_PER_CHUNK && go_on);
        go_on = go_on && e == ERR_OK;
    }
    arena_free(a);
    return e;
}

enum err user_count_all(struct social *s, struct arena *a, int64_t *count)
{
    struct store_batch *b = store_batch_new(s->store, a);
    for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
        store_command(b, bucket, "ZCARD", key_plain(a, KEY_USERS, bucket), NULL);
    }
    enum err e = store_run(b);
    *count = 0;
    for (unsigned bucket = 0; e == ERR_OK && bucket < ID_BUCKETS; bucket++) {
        *count += store_integer(store_reply(b, bucket));
    }
    return e;
}
