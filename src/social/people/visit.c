/* visit.c - see visit.h: who the visitor is and whom he follows. One thread at a time per visit. */
#include "social/people/visit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/secret.h"
#include "config/config.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/filter.h"
#include "social/people/population.h"
#include "social/people/session.h"
#include "social/people/token.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_exclusive.h"
#include "social/people/visit_interests.h"
#include "social/people/visit_read.h"
#include "social/people/visit_ties.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define SEEN_EVERY_MS (3600u * 1000)

/* The cached form of whom somebody follows, and asks to: first the ones, then the others. */
struct packed_following {
    uint64_t version, count, asked;
    uint64_t ids[];
};

/* What the first round is about, and what comes of it. */
struct visit_login {
    char session[SECRET_HASH_SIZE]; /* of the cookie, or the token */
    struct user claimant;           /* his record, when the cache had it */
    size_t epoch_reply, session_reply, state_reply, user_reply, following_reply, asked_reply;
    uint64_t guessed_version, following_version; /* of the set in the cache, and of the current one */
    enum who who;
    bool is_trusted, asked_epoch, asked_user, wants_following, asked_following;
    struct token token; /* app_id 0: none */
    bool by_token;
    bool only_who; /* visit_verify */
    bool renews;   /* his record comes once more, with the second round */
};

static enum err take_login(struct visit *v, void *unused);

/* Asks for the session, or the token. */
static size_t ask_login(struct visit *v)
{
    struct visit_login *l = v->login;
    const char *key = key_id_text(v->arena, l->by_token ? KEY_TOKEN : KEY_SESSION, v->claimed, l->session);
    return l->by_token ? record_ask_at(v->reads.batch, id_bucket(v->claimed), key, RECORD_TOKEN, TOKEN_SHOWN)
                       : record_ask_at(v->reads.batch, id_bucket(v->claimed), key, RECORD_SESSION,
                                       SESSION_CREATED | SESSION_SEEN);
}

/* Begins a visit whose `claimed` and `login` are set: with the question who he is. */
static struct visit *visit_open(struct visit *v)
{
    struct visit_login *l = v->login;
    struct social *s = v->social;
    struct arena *a = v->arena;
    struct store_batch *b = v->reads.batch;
    l->asked_epoch = !cache_is_trusted(s->cache);
    if (l->asked_epoch) {
        l->epoch_reply = social_epoch_add(b, a);
    }
    if (v->claimed) {
        l->session_reply = ask_login(v);
        if (!l->only_who) {
            l->state_reply = record_ask(b, RECORD_HOMESTATE, v->claimed, HOMESTATE_SHOWN);
        }
        l->asked_user = !user_cache_get(s, a, v->claimed, &l->claimant);
        if (l->asked_user) {
            l->user_reply = user_add(b, v->claimed);
        }
    }
    visit_then(v, take_login, NULL);
    return v;
}

static struct visit *visit_new(struct social *s, struct arena *a)
{
    struct visit *v = arena_zero(a, sizeof(*v));
    v->login = arena_zero(a, sizeof(*v->login));
    v->social = s;
    v->arena = a;
    v->home.stamp = "";
    reads_begin(&v->reads, s, a, v);
    return v;
}

/* Not open yet. */
static struct visit *visit_claim(struct social *s, struct arena *a, const char *credential, bool by_token)
{
    struct visit *v = visit_new(s, a);
    v->login->by_token = by_token;
    if (by_token ? !token_parse(credential, &v->claimed, v->login->session)
                 : !session_parse(credential, &v->claimed, v->login->session)) {
        v->claimed = 0;
    }
    return v;
}

struct visit *visit_begin(struct social *s, struct arena *a, const char *cookie)
{
    return visit_open(visit_claim(s, a, cookie, false));
}

struct visit *visit_begin_token(struct social *s, struct arena *a, const char *token)
{
    return visit_open(visit_claim(s, a, token, true));
}

struct visit *visit_verify(struct social *s, struct arena *a, const char *credential, bool by_token)
{
    struct visit *v = visit_claim(s, a, credential, by_token);
    v->login->only_who = true;
    return visit_open(v);
}

struct visit *visit_behind(const struct visit *verified)
{
    const struct visit_login *was = verified->login;
    struct visit *v = visit_new(verified->social, verified->arena);
    v->claimed = verified->viewer.id;
    v->viewer = verified->viewer;
    memcpy(v->login->session, was->session, sizeof(was->session));
    v->login->by_token = was->by_token;
    v->login->token = was->token;
    v->login->who = was->who;
    v->is_behind = true;
    return v;
}

void visit_behind_open(struct visit *v)
{
    visit_open(v);
}

struct visit *visit_again(const struct visit *verified)
{
    struct visit *v = visit_behind(verified);
    v->is_behind = false;
    return visit_open(v);
}

struct visit *visit_begin_as(struct social *s, struct arena *a, uint64_t uid)
{
    struct visit *v = visit_new(s, a);
    v->claimed = uid;
    v->login->is_trusted = true;
    return visit_open(v);
}

void visit_require(struct visit *v, enum who who)
{
    v->login->who = who;
}

/* --- whom he follows -----------------------------------------------------------------------------------------------
 * */

static void add_following(struct visit *v)
{
    v->login->asked_following = true;
    v->login->following_reply = store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE",
                                              key_id(v->arena, KEY_FOLLOWING, v->claimed), "0", "-1", NULL);
    v->login->asked_reply = store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE",
                                          key_id(v->arena, KEY_ASKED, v->claimed), "0", "-1", NULL);
}

/* The sets are those of this form. */
static void use_following(struct visit *v, const struct packed_following *f)
{
    v->following = f->ids;
    v->following_count = (size_t)f->count;
    v->asked = f->ids + f->count;
    v->asked_count = (size_t)f->asked;
}

static enum err take_following(struct visit *v, void *unused)
{
    (void)unused;
    const struct store_reply *r = visit_reply(v, v->login->following_reply);
    const struct store_reply *asked = visit_reply(v, v->login->asked_reply);
    if (r->type != STORE_ARRAY || asked->type != STORE_ARRAY) {
        return ERR_OK;
    }
    size_t size = sizeof(struct packed_following) + (r->count + asked->count) * sizeof(uint64_t);
    struct packed_following *f = arena_alloc(v->arena, size);
    f->version = v->login->following_version;
    f->count = r->count;
    f->asked = asked->count;
    store_list_ids(r, f->ids);
    store_list_ids(asked, f->ids + r->count);
    qsort(f->ids, r->count, sizeof(uint64_t), id_oldest_first);
    qsort(f->ids + r->count, asked->count, sizeof(uint64_t), id_oldest_first);
    use_following(v, f);
    v->following_known = true;
    cache_put(v->social->cache, CACHE_FOLLOWING, v->claimed, f, size, store_batch_marked(v->reads.answers));
    return ERR_OK;
}

/* The version of the set has come. The current set was asked for, or is remembered, or is asked for with the next
 * round. */
static void settle_following(struct visit *v)
{
    struct visit_login *l = v->login;
    if (l->asked_following) {
        take_following(v, NULL);
    } else if (v->following && l->guessed_version == l->following_version) {
        v->following_known = true;
    } else {
        add_following(v);
        visit_then(v, take_following, NULL);
    }
}

void visit_want_following(struct visit *v)
{
    struct visit_login *l = v->login;
    if (!v->claimed || l->wants_following) {
        return;
    }
    l->wants_following = true;
    size_t size;
    const struct packed_following *f = cache_get(v->social->cache, CACHE_FOLLOWING, v->claimed, v->arena, &size);
    if (f) {
        l->guessed_version = f->version;
        use_following(v, f);
    }
    if (v->is_known) {
        settle_following(v);
    } else if (!f) {
        add_following(v);
    }
}

bool visit_follows(const struct visit *v, uint64_t uid)
{
    return id_is_among(uid, v->following, v->following_count);
}

bool visit_asked(const struct visit *v, uint64_t uid)
{
    return id_is_among(uid, v->asked, v->asked_count);
}

/* --- who he is -----------------------------------------------------------------------------------------------------
 * */

static bool may_use_token(const struct user *u)
{
    return !u->is_deleted && !user_is_hidden(u, 0);
}

/* Once in a while notes that the session is in use; the reply does not matter. */
static void refresh_session(struct visit *v, uint64_t created, uint64_t seen)
{
    uint64_t now = clock_site_ms();
    uint64_t end = created + (uint64_t)v->social->config->session.lifetime_days * CLOCK_DAY_MS;
    if (now < seen + SEEN_EVERY_MS || end <= now) {
        return;
    }
    uint64_t idle = (uint64_t)v->social->config->session.idle_days * CLOCK_DAY_MS;
    const char *key = key_id_text(v->arena, KEY_SESSION, v->claimed, v->login->session);
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    record_put_at(b, id_bucket(v->claimed), key, RECORD_SESSION, &(struct record_session){.seen = (int64_t)now});
    store_command(b, id_bucket(v->claimed), "PEXPIRE", key,
                  arena_printf(v->arena, "%llu", (unsigned long long)(end - now < idle ? end - now : idle)), NULL);
    population_seen_add(b, v->arena, v->claimed);
    store_send(b);
}

/* His record, and whether tokens of his are worth anything. */
static bool believe_owner(struct visit *v)
{
    struct visit_login *l = v->login;
    bool is_there = !l->asked_user || user_take(v->social, v->reads.answers, l->user_reply, v->claimed, &l->claimant);
    return is_there && may_use_token(&l->claimant);
}

/* Likewise of a token. */
static void refresh_token(struct visit *v)
{
    uint64_t now = clock_site_ms();
    if (now >= v->login->token.seen_ms + SEEN_EVERY_MS) {
        struct store_batch *b = store_batch_new(v->social->store, v->arena);
        script_token_seen_add(b, &(struct script_token_seen){v->claimed, v->login->session, (int64_t)now});
        if (v->viewer.id) {
            population_seen_add(b, v->arena, v->viewer.id);
        }
        store_send(b);
    }
}

/* Believes the token if it is there. Its user has to be there, too, and not be suspended; an application's own has
 * none. */
static bool believe_token(struct visit *v)
{
    struct visit_login *l = v->login;
    struct record_token record;
    record_token_take(visit_reply(v, l->session_reply), TOKEN_SHOWN, &record);
    token_from_record(&record, arena_dup(v->arena, l->session), &l->token);
    bool is_own = l->token.app_id == v->claimed;
    if (l->token.app_id && !is_own && !believe_owner(v)) {
        l->token = (struct token){.app_id = 0};
    }
    if (l->token.app_id) {
        refresh_token(v);
    }
    return l->token.app_id && !is_own;
}

/* Believes the cookie if its session exists, is not too old, and its user is there. */
static bool take_session(struct visit *v)
{
    struct visit_login *l = v->login;
    if (l->by_token) {
        return believe_token(v);
    }
    struct record_session session;
    record_session_take(visit_reply(v, l->session_reply), SESSION_CREATED | SESSION_SEEN, &session);
    uint64_t created = (uint64_t)session.created;
    uint64_t lifetime = (uint64_t)v->social->config->session.lifetime_days * CLOCK_DAY_MS;
    if (!l->is_trusted && (!created || clock_site_ms() > created + lifetime)) {
        return false;
    }
    if (l->asked_user && !user_take(v->social, v->reads.answers, l->user_reply, v->claimed, &l->claimant)) {
        return false;
    }
    if (!l->is_trusted) {
        refresh_session(v, created, (uint64_t)session.seen);
    }
    return !l->claimant.is_deleted;
}

static enum err take_state(struct visit *v)
{
    struct record_homestate state;
    record_homestate_take(visit_reply(v, v->login->state_reply), HOMESTATE_SHOWN, &state);
    v->home.epoch = (uint64_t)state.epoch;
    v->home.stamp = state.stamp;
    v->home.must_build = state.build;
    v->home.talks = state.talks;
    v->home.mark_ms = (uint64_t)state.mark;
    v->home.late = (uint64_t)state.late;
    v->home.notices_us = (uint64_t)state.notices;
    v->login->following_version = (uint64_t)state.version;
    v->marks_version = (uint64_t)state.marks;
    if (v->login->wants_following) {
        settle_following(v);
    }
    visit_exclusive_settle(v, (uint64_t)state.exclusive);
    visit_ties_settle(v, (uint64_t)state.ties);
    visit_filters_settle(v, (uint64_t)state.filters);
    visit_interests_settle(v, (uint64_t)state.interests);
    return visit_apart_settle(v, (uint64_t)state.apart);
}

/* The cookie was nobody's. Nothing that was asked and found for it stays, not even a reply number: from here on this is
 * a visit without a cookie. */
static void become_nobody(struct visit *v)
{
    v->claimed = 0;
    v->following = v->asked = NULL;
    v->following_count = v->asked_count = 0;
    v->following_known = true;
    *v->login = (struct visit_login){.who = v->login->who, .token = v->login->token};
    visit_apart_none(v);
    visit_exclusive_settle(v, 0);
    visit_ties_settle(v, 0);
    visit_filters_none(v);
    visit_interests_none(v);
}

/* Who is still to be read anew is judged when he has been. */
static enum err judge_viewer(const struct visit *v)
{
    if (v->login->who == WHO_ANYONE || v->login->renews) {
        return ERR_OK;
    }
    if (!v->viewer.id) {
        return ERR_UNAUTHORIZED;
    }
    return v->login->who == WHO_ADMINISTRATOR && !v->viewer.is_admin ? ERR_FORBIDDEN : ERR_OK;
}

/* If he is gone by now, the other reads have already begun to be answered for him, so the whole page is refused. */
static enum err take_claimant(struct visit *v, void *unused)
{
    (void)unused;
    struct visit_login *l = v->login;
    l->renews = false;
    if (!user_take(v->social, v->reads.answers, l->user_reply, v->claimed, &l->claimant) || l->claimant.is_deleted ||
        (l->by_token && !may_use_token(&l->claimant))) {
        v->viewer = (struct user){0};
        l->token = (struct token){.app_id = 0};
        become_nobody(v);
        return ERR_UNAUTHORIZED;
    }
    v->viewer = l->claimant;
    return judge_viewer(v);
}

/* The claimant's record came out of the cache before the round trip. If it was forgotten since, it is read anew with
 * the next one, so that a visitor who has just become an administrator, or ceased to be one, is treated accordingly in
 * this request already. */
static void renew_claimant(struct visit *v)
{
    struct visit_login *l = v->login;
    l->renews = !l->asked_user && !user_cache_get(v->social, v->arena, v->claimed, &l->claimant);
    if (l->renews) {
        l->user_reply = user_add(v->reads.batch, v->claimed);
        visit_then(v, take_claimant, NULL);
    }
}

/* The first step of the first round: the others depend on it. */
static enum err take_login(struct visit *v, void *unused)
{
    (void)unused;
    if (v->login->asked_epoch) {
        social_epoch_take(v->social, visit_reply(v, v->login->epoch_reply));
    }
    v->is_known = true;
    enum err e = ERR_OK;
    if (v->claimed && take_session(v)) {
        renew_claimant(v);
        v->viewer = v->login->claimant;
        e = v->login->only_who ? ERR_OK : take_state(v);
    } else {
        become_nobody(v);
    }
    return e == ERR_OK ? judge_viewer(v) : e;
}

bool visit_is_known(const struct visit *v)
{
    return v->is_known;
}

const struct user *visit_viewer(const struct visit *v)
{
    return &v->viewer;
}

const char *visit_session(const struct visit *v)
{
    return v->login->by_token ? "" : v->login->session;
}

const struct token *visit_app(const struct visit *v)
{
    return v->login->token.app_id ? &v->login->token : NULL;
}

uint64_t visit_scopes(const struct visit *v)
{
    return v->login->token.scopes;
}

/* --- rounds --------------------------------------------------------------------------------------------------------
 * */

void visit_then(struct visit *v, read_step *step, void *self)
{
    reads_then(&v->reads, step, self);
}

const struct store_reply *visit_reply(const struct visit *v, size_t i)
{
    return store_reply(v->reads.answers, i);
}

/* Whether a stranger is shown nothing that the engine knows: nothing waits but take_login. Then even the epoch may be an
 * old one. */
static bool is_about_nothing(const struct visit *v)
{
    return !v->is_known && !v->claimed && v->login->who == WHO_ANYONE && !v->reads.first->next;
}

enum err visit_read(struct visit *v)
{
    if (is_about_nothing(v)) {
        v->is_known = true;
        become_nobody(v);
        return ERR_OK;
    }
    return reads_run(&v->reads);
}
