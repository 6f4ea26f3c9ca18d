/* check_talks.c - direct posts by conversation (social/notices/talk.h): everybody who takes part has each of them where it
 * belongs, and nothing else. Threads: that of the check.
 */
#include "upkeep/check_look.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/notices/talk.h"
#include "store/calls.h"
#include "store/record.h"
#include "store/store.h"

#define APART_MS 1000 /* times are made unique by a little */

/* The direct post in a reply to record_ask of POST_SHOWN; false: there is none. */
static bool direct_take(struct arena *a, const struct store_reply *reply, uint64_t id, struct post *out)
{
    struct record_post record;
    if (!record_post_take(reply, POST_SHOWN, &record)) {
        return false;
    }
    post_from_record(a, id, &record, out);
    return out->visibility == VISIBILITY_DIRECT;
}

static size_t of_user(struct store_batch *b, struct arena *a, const char *command, enum key k, uint64_t uid,
                      const char *member)
{
    return store_command(b, id_bucket(uid), command, key_id(a, k, uid), member, NULL);
}

static double score_of(const struct store_reply *r)
{
    return r->type == STORE_STRING ? strtod(r->text, NULL) : 0;
}

/* --- whether those who take part have it ---------------------------------------------------------------------------- */

/* What is asked of one of them. */
struct direct_ask {
    uint64_t uid;
    size_t user,
        score; /* replies: score, and behind it place, how many talks, how many posts, the oldest of these, people */
};

struct direct_look {
    bool is_there;
    struct post post;
    uint64_t number;
    struct direct_ask people[TALK_PEOPLE];
    size_t count;
};

static void direct_ask_add(struct check *c, struct store_batch *b, struct arena *a, struct direct_look *l)
{
    uint64_t people[TALK_PEOPLE];
    l->number = talk_of_post(a, &l->post);
    l->count = talk_people(&l->post, people);
    const char *talk = arena_printf(a, "%llu", (unsigned long long)l->number);
    for (size_t i = 0; i < l->count; i++) {
        uint64_t uid = people[i];
        unsigned bucket = id_bucket(uid);
        const char *posts = key_id(a, KEY_TALKPOSTS, uid);
        l->people[i].uid = uid;
        l->people[i].user = check_user_add(c, b, uid);
        l->people[i].score = of_user(b, a, "ZSCORE", KEY_TALKPOSTS, uid, id_text(a, l->post.id));
        of_user(b, a, "ZSCORE", KEY_TALKS, uid, talk);
        store_command(b, bucket, "ZCARD", key_id(a, KEY_TALKS, uid), NULL);
        store_command(b, bucket, "ZCOUNT", posts, talk, talk, NULL);
        store_command(b, bucket, "ZRANGE", posts, talk, talk, "BYSCORE", "LIMIT", "0", "1", NULL);
        of_user(b, a, "HGET", KEY_TALKPEOPLE, uid, talk);
    }
}

/* Whether he ought to have it and does not: he may have dismissed it, or have more than are kept. */
static bool is_lacking(struct check *c, const struct store_batch *b, const struct direct_look *l,
                       const struct direct_ask *of)
{
    const struct store_reply *score = store_reply(b, of->score);
    double place = score_of(store_reply(b, of->score + 1));
    bool has_it = score->type == STORE_STRING && (uint64_t)score_of(score) == l->number;
    const char *once = strchr(store_text(store_reply(b, of->score + 5)), ':');
    double gone = place < 0 ? -place : once ? strtod(once + 1, NULL) : 0;
    bool is_dismissed = gone / 1000 >= (double)id_ms(l->post.id);
    bool is_full = place == 0 && store_integer(store_reply(b, of->score + 2)) >= TALKS_MOST;
    uint64_t oldest = id_parse(store_text(store_item(store_reply(b, of->score + 4), 0)));
    bool is_old = store_integer(store_reply(b, of->score + 3)) >= TALK_POSTS && l->post.id < oldest;
    return !has_it && !is_dismissed && !is_full && !is_old &&
           check_user_take(c, b, of->user, of->uid) == CHECK_USER_ALIVE;
}

/* Entries of `directs`: also whether they are what they ought to be. On data of older versions the gathering comes
 * first. */
enum err check_look_direct(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    enum err e = check_look_own(c, a, items, count);
    struct direct_look *looks = arena_zero(a, (count + 1) * sizeof(*looks));
    struct store_batch *read = store_batch_new(c->social->store, a), *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        record_ask(read, RECORD_POST, items[i].other, POST_SHOWN);
    }
    record_ask_at(read, KEY_GLOBAL_BUCKET, key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET), RECORD_SITE, SITE_TALKS);
    e = e == ERR_OK ? check_ask(read) : e;
    struct record_site site = {.talks = ""};
    if (e == ERR_OK) {
        record_site_take(store_reply(read, count), SITE_TALKS, &site);
    }
    for (size_t i = 0; e == ERR_OK && *site.talks && i < count; i++) {
        looks[i].is_there = !items[i].found && direct_take(a, store_reply(read, i), items[i].other, &looks[i].post);
        if (looks[i].is_there) {
            direct_ask_add(c, b, a, &looks[i]);
        }
    }
    e = e == ERR_OK && store_batch_count(b) ? check_ask(b) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool lacks = false;
        for (size_t k = 0; looks[i].is_there && k < looks[i].count; k++) {
            lacks |= is_lacking(c, b, &looks[i], &looks[i].people[k]);
        }
        items[i].found = lacks ? CHECK_TALK_LACKS : items[i].found;
    }
    return e;
}

enum err check_mend_direct(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *read = store_batch_new(c->social->store, a), *b = store_batch_new(c->social->store, a);
    struct post p;
    if (item->found != CHECK_TALK_LACKS) {
        return check_mend_entry(c, a, item);
    }
    record_ask(read, RECORD_POST, item->other, POST_SHOWN);
    enum err e = check_ask(read);
    if (e == ERR_OK && direct_take(a, store_reply(read, 0), item->other, &p)) {
        talk_post_add(b, a, &p, false);
        e = check_ask(b);
    }
    return e;
}

/* --- whether what somebody has belongs there ------------------------------------------------------------------------- */

static bool takes_part(const struct post *p, uint64_t uid)
{
    uint64_t people[TALK_PEOPLE];
    bool does = false;
    for (size_t i = 0, n = talk_people(p, people); i < n; i++) {
        does |= people[i] == uid;
    }
    return does;
}

/* Entries of `talkposts`. */
enum err check_look_talked(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *read = store_batch_new(c->social->store, a), *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(read, a, &items[i]);
        record_ask(read, RECORD_POST, items[i].other, POST_SHOWN);
    }
    enum err e = check_ask(read);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        of_user(b, a, "ZSCORE", KEY_TALKS, items[i].id, store_text(store_reply(read, 2 * i)));
    }
    e = e == ERR_OK ? check_ask(b) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct post p;
        bool here = check_entry_take(read, 2 * i, &items[i]);
        uint64_t talk = (uint64_t)score_of(store_reply(read, 2 * i));
        bool is_his = direct_take(a, store_reply(read, 2 * i + 1), items[i].other, &p) && takes_part(&p, items[i].id) &&
                      talk_of_post(a, &p) == talk && score_of(store_reply(b, i)) > 0;
        items[i].found = here && !is_his ? CHECK_TALK_STRANGER : CHECK_NONE;
    }
    return e;
}

enum err check_mend_talked(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    (void)a;
    talk_post_end_add(b, item->id, item->other);
    return check_ask(b);
}

/* Whether a talk of somebody's is whole: asked in the caller's batch. */
static void talk_ask_add(struct store_batch *b, struct arena *a, uint64_t uid, const char *talk)
{
    of_user(b, a, "ZSCORE", KEY_TALKS, uid, talk);
    of_user(b, a, "HGET", KEY_TALKPEOPLE, uid, talk);
    store_command(b, id_bucket(uid), "ZRANGE", key_id(a, KEY_TALKPOSTS, uid), talk, talk, "BYSCORE", "REV", "LIMIT",
                  "0", "1", NULL);
}

static bool talk_is_whole(const struct store_batch *b, size_t first)
{
    double place = score_of(store_reply(b, first));
    bool has_people = store_reply(b, first + 1)->type == STORE_STRING;
    uint64_t newest = id_parse(store_text(store_item(store_reply(b, first + 2), 0)));
    double off = place / 1000 - (double)id_ms(newest);
    return place < 0 ? !newest && !has_people : newest && has_people && off > -APART_MS && off < APART_MS;
}

/* Entries of `talks`, `talkpeople` and `talknews`. */
enum err check_look_talk(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        talk_ask_add(b, a, items[i].id, items[i].text);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, 4 * i, &items[i]);
        bool is_shown = items[i].in == KEY_TALKS || score_of(store_reply(b, 4 * i + 1)) > 0;
        items[i].found = here && !(is_shown && talk_is_whole(b, 4 * i + 1)) ? CHECK_TALK_ASTRAY : CHECK_NONE;
    }
    return e;
}

/* Who has talks, or a state: is the number that pages show right. */
enum err check_look_talks(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        record_ask(b, RECORD_HOMESTATE, items[i].id, HOMESTATE_TALKS);
        store_command(b, id_bucket(items[i].id), "ZCARD", key_id(a, KEY_TALKNEWS, items[i].id), NULL);
        store_command(b, id_bucket(items[i].id), "EXISTS", key_id(a, KEY_HOMESTATE, items[i].id), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_homestate state;
        record_homestate_take(store_reply(b, 3 * i), HOMESTATE_TALKS, &state);
        bool is_right = state.talks == store_integer(store_reply(b, 3 * i + 1));
        bool has_state = store_integer(store_reply(b, 3 * i + 2)) == 1;
        items[i].found = has_state && !is_right ? CHECK_TALK_COUNT : CHECK_NONE;
    }
    return e;
}

/* Settles the talk and counts. Of what is not whole even then nothing is left: direct posts that it lacks are found and
 * added. */
enum err check_mend_talk(struct check *c, struct arena *a, const struct check_item *item)
{
    const char *talk = item->found == CHECK_TALK_COUNT ? "1" : item->text; /* any: there is nothing to settle */
    const struct script_talk_hush settle = {.uid = item->id, .talk = strtoull(talk, NULL, 10)};
    struct store_batch *b = store_batch_new(c->social->store, a);
    script_talk_hush_add(b, &settle);
    talk_ask_add(b, a, item->id, talk);
    enum err e = check_ask(b);
    if (e != ERR_OK || item->found == CHECK_TALK_COUNT || (talk_is_whole(b, 1) && score_of(store_reply(b, 1)) > 0)) {
        return e;
    }
    struct store_batch *drop = store_batch_new(c->social->store, a);
    store_command(drop, item->bucket, "ZREMRANGEBYSCORE", key_id(a, KEY_TALKPOSTS, item->id), talk, talk, NULL);
    of_user(drop, a, "HDEL", KEY_TALKPEOPLE, item->id, talk);
    of_user(drop, a, "ZREM", KEY_TALKNEWS, item->id, talk);
    script_talk_hush_add(drop, &settle);
    return check_ask(drop);
}
