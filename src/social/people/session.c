/* session.c - see session.h. Any thread. */
#include "social/people/session.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "config/config.h"
#include "social/core/action.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/device.h"
#include "social/people/password.h"
#include "social/people/population.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define AGENT_MAX 200

bool session_parse(const char *cookie, uint64_t *uid, char hash[SECRET_HASH_SIZE])
{
    if (!cookie || strlen(cookie) != ID_DIGITS + 1 + SECRET_TOKEN_SIZE - 1 || cookie[ID_DIGITS] != '.') {
        return false;
    }
    *uid = id_parse_n(cookie, ID_DIGITS);
    secret_hash(cookie + ID_DIGITS + 1, hash);
    return *uid != 0;
}

/* What the browser says of itself, as one line of text, whatever bytes it sent. */
static const char *clean_agent(struct arena *a, const char *agent)
{
    struct buffer out = buffer_make(a);
    size_t left = agent ? strlen(agent) : 0;
    while (left && out.length < AGENT_MAX) {
        uint32_t c;
        size_t size = text_decode(agent, left, &c);
        if (size == 0 || c == '\n' || c == '\t' || !text_is_clean(agent, size)) {
            buffer_char(&out, '?');
        } else {
            buffer_add(&out, agent, size);
        }
        agent += size ? size : 1;
        left -= size ? size : 1;
    }
    return buffer_string(&out);
}

/* A new password, and the one that it replaces ("" = whichever); both "" when none changes. */
struct replacement {
    const char *password, *old;
};

static enum err end_sessions(struct social *s, struct arena *a, uint64_t uid, enum script_session_end_which which,
                             const char *hash, const struct replacement *r, size_t *ended)
{
    const struct script_session_end in = {
        .uid = uid, .which = which, .session = hash ? hash : "", .password = r->password, .old = r->old};
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = script_session_end_add(b, &in);
    event_add(s, b, a, EVENT_SESSIONS, uid);
    enum err e = store_run(b);
    struct script_session_end_reply out;
    script_session_end_take(store_reply(b, reply), &out);
    if (e == ERR_OK && out.answer != ANSWER_OK) {
        e = out.answer == ANSWER_CHANGED ? ERR_CONFLICT : ERR_NOT_FOUND;
    }
    *ended = (size_t)out.ended;
    return e;
}

/* Neither a new password nor an old one. */
static const struct replacement unchanged = {"", ""};

/* Ends the session of a cookie. First it asks whether there is one, so that nobody can send events to all processes
 * with made-up cookies. */
static enum err end_cookie(struct social *s, struct arena *a, const char *cookie)
{
    uint64_t uid;
    char hash[SECRET_HASH_SIZE];
    size_t ended;
    if (!session_parse(cookie, &uid, hash)) {
        return ERR_OK;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "EXISTS", key_id_text(a, KEY_SESSION, uid, hash), NULL);
    enum err e = store_run(b);
    bool exists = e == ERR_OK && store_integer(store_reply(b, 0)) == 1;
    return exists ? end_sessions(s, a, uid, SESSION_END_WHICH_ONE, hash, &unchanged, &ended) : e;
}

/* Announces that the oldest sessions have ended to make room. */
static enum err announce_ended(struct social *s, struct arena *a, uint64_t uid)
{
    struct store_batch *b = store_batch_new(s->store, a);
    event_add(s, b, a, EVENT_SESSIONS, uid);
    return store_run(b);
}

enum err session_create(struct social *s, struct arena *a, uint64_t uid, const struct session_checked *checked,
                        const struct session_origin *o, struct session_cookies *out)
{
    char secret[SECRET_TOKEN_SIZE], hash[SECRET_HASH_SIZE], digits[ID_SIZE];
    secret_token(secret);
    secret_hash(secret, hash);
    const struct script_session_create in = {
        .uid = uid,
        .hash = hash,
        .now = (int64_t)clock_site_ms(),
        .most = s->config->session.per_user,
        .ttl = (int64_t)s->config->session.idle_days * CLOCK_DAY_MS,
        .agent = clean_agent(a, o->agent),
        .address = o->address ? o->address : "",
        .checked = checked ? checked->hash : "",
        .renewed = checked ? checked->renewed : "",
    };
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = script_session_create_add(b, &in);
    population_seen_add(b, a, uid);
    enum err e = store_run(b);
    struct script_session_create_reply r;
    script_session_create_take(store_reply(b, reply), &r);
    if (e == ERR_OK && r.answer != ANSWER_OK) {
        e = ERR_NOT_FOUND;
    }
    if (e == ERR_OK && r.ended > 0) {
        e = announce_ended(s, a, uid);
    }
    if (e == ERR_OK) {
        memcpy(out->session, id_write(uid, digits), ID_DIGITS);
        out->session[ID_DIGITS] = '.';
        memcpy(out->session + ID_DIGITS + 1, secret, SECRET_TOKEN_SIZE);
        const struct device_account before = {uid, checked ? checked->hash : ""};
        const struct device_account now = {uid, r.password};
        out->device = device_remember(s, a, o->device, &before, &now);
        end_cookie(s, a, o->session);
    }
    secret_wipe(secret, sizeof(secret));
    return e;
}

enum err session_sign_out(struct social *s, struct arena *a, const struct actor *by, const char *cookie)
{
    enum err e = action_check(ACTION_SIGN_OUT, by);
    return e == ERR_OK ? end_cookie(s, a, cookie) : e;
}

enum err session_end(struct social *s, struct arena *a, const struct actor *by, const char *hash, size_t *ended)
{
    enum err e = action_check(ACTION_SESSION_END, by);
    return e == ERR_OK ? end_sessions(s, a, by->uid, SESSION_END_WHICH_ONE, hash, &unchanged, ended) : e;
}

enum err session_end_others(struct social *s, struct arena *a, const struct actor *by, size_t *ended)
{
    enum err e = action_check(ACTION_SESSION_END, by);
    return e == ERR_OK ? end_sessions(s, a, by->uid, SESSION_END_WHICH_OTHERS, by->session, &unchanged, ended) : e;
}

static void wrong_old(struct problems *p)
{
    problem_add(p, "current_password", "current_password");
}

/* Somebody with a session need not wait behind strangers. */
static struct turn_claim member(struct arena *a, uint64_t uid)
{
    return (struct turn_claim){id_text(a, uid), true};
}

/* Checks the old password against the stored one, which is read beside the counting of the attempt; `limit` NULL: it
 * has been counted. */
static enum err check_old(struct social *s, struct arena *a, uint64_t uid, const char *old,
                          const struct script_limit *limit, const char **hash, struct problems *p)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t counted = limit ? limit_add(b, limit) : 0;
    size_t stored = record_ask(b, RECORD_USER, uid, USER_PASSWORD);
    enum err e = store_run(b);
    if (e == ERR_OK && limit && limit_refuses(store_reply(b, counted), p)) {
        e = ERR_TOO_MANY;
    }
    if (e != ERR_OK) {
        return e;
    }
    struct record_user user;
    record_user_take(store_reply(b, stored), USER_PASSWORD, &user);
    *hash = user.password;
    const struct turn_claim claim = member(a, uid);
    e = secret_password_check(&claim, old, **hash ? *hash : NULL);
    if (e == ERR_UNAUTHORIZED) {
        wrong_old(p);
        e = ERR_INVALID;
    }
    return e;
}

/* Whether the actor has to know the old password. */
static bool must_know(const struct actor *by)
{
    return by->kind == ACTOR_USER;
}

/* The new hash in place of the old one. */
static enum err replace(struct social *s, struct arena *a, const struct actor *by, const struct password_change *c,
                        const struct replacement *r, struct problems *p)
{
    size_t ended;
    struct replacement again = *r;
    enum script_session_end_which which = by->session ? SESSION_END_WHICH_OTHERS : SESSION_END_WHICH_ALL;
    enum err e = end_sessions(s, a, by->uid, which, by->session, r, &ended);
    if (e == ERR_CONFLICT) {
        /* A sign-in has renewed the old hash, or somebody has changed the password and the old one is wrong now. */
        e = check_old(s, a, by->uid, c->old, NULL, &again.old, p);
        e = e == ERR_OK ? end_sessions(s, a, by->uid, which, by->session, &again, &ended) : e;
    }
    if (e == ERR_CONFLICT) {
        wrong_old(p);
        e = ERR_INVALID;
    }
    return e == ERR_NOT_FOUND && must_know(by) ? ERR_UNAUTHORIZED : e; /* signed out meanwhile: so is this session */
}

/* Checks the form and the old password, and leaves its hash in *old ("": any). */
static enum err check_change(struct social *s, struct arena *a, const struct actor *by, const struct password_change *c,
                             const char **old, struct problems *p)
{
    enum err e = action_check(ACTION_PASSWORD, by);
    if (e == ERR_OK && must_know(by) && *c->password && strcmp(c->old, c->password) == 0) {
        problem_add(p, "password", "password_same");
    }
    password_check(c->password, c->password2, c->name, p);
    if (e != ERR_OK || p->count) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    struct script_limit limit = action_limit(s, ACTION_PASSWORD, by, 1);
    return must_know(by) ? check_old(s, a, by->uid, c->old, &limit, old, p) : ERR_OK;
}

enum err session_change_password(struct social *s, struct arena *a, const struct actor *by,
                                 const struct password_change *c, struct problems *p)
{
    struct replacement r = {.old = ""};
    enum err e = check_change(s, a, by, c, &r.old, p);
    if (e != ERR_OK) {
        return e;
    }
    char hash[SECRET_PASSWORD_SIZE];
    const struct turn_claim claim = member(a, by->uid);
    e = secret_password_hash(&claim, c->password, hash);
    if (e != ERR_OK) {
        return e;
    }
    r.password = hash;
    e = replace(s, a, by, c, &r, p);
    if (e == ERR_OK && c->device) {
        const struct device_account before = {by->uid, r.old}, now = {by->uid, hash};
        *c->device = device_remember(s, a, *c->device, &before, &now);
    }
    secret_wipe(hash, sizeof(hash));
    return e;
}
