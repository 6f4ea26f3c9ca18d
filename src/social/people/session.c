/* session.c - see session.h. Any thread. */
#include "social/people/session.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "config/config.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/device.h"
#include "social/people/password.h"
#include "store/keys.h"
#include "store/store.h"

#define AGENT_MAX 200
#define MS_PER_DAY 86400000u

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

/* The oldest sessions made room. */
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
    unsigned bucket = id_bucket(uid);
    const char *keys[] = {key_id(a, KEY_USER, uid), key_id(a, KEY_SESSIONS, uid),
                          key_id_text(a, KEY_SESSION, uid, hash)};
    const char *arguments[] = {
        id_write(uid, digits),
        hash,
        arena_printf(a, "%llu", (unsigned long long)clock_site_ms()),
        arena_printf(a, "%lld", (long long)s->config->session.per_user),
        arena_printf(a, "%lld", (long long)s->config->session.idle_days * MS_PER_DAY),
        key_bucket_prefix(a, bucket),
        clean_agent(a, o->agent),
        o->address ? o->address : "",
        checked ? checked->hash : "",
        checked ? checked->renewed : "",
    };
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_SESSION_CREATE, 3, keys, 10, arguments);
    enum err e = store_run(b);
    const struct store_reply *reply = store_reply(b, 0);
    if (e == ERR_OK && strcmp(store_text(store_item(reply, 0)), "ok") != 0) {
        e = ERR_NOT_FOUND;
    }
    if (e == ERR_OK && store_integer(store_item(reply, 2)) > 0) {
        e = announce_ended(s, a, uid);
    }
    if (e == ERR_OK) {
        memcpy(out->session, digits, ID_DIGITS);
        out->session[ID_DIGITS] = '.';
        memcpy(out->session + ID_DIGITS + 1, secret, SECRET_TOKEN_SIZE);
        const struct device_account before = {uid, checked ? checked->hash : ""};
        const struct device_account now = {uid, store_text(store_item(reply, 1))};
        out->device = device_remember(s, a, o->device, &before, &now);
    }
    secret_wipe(secret, sizeof(secret));
    return e;
}

/* A new password, and the one that it replaces ("" = whichever); both "" when none changes. */
struct replacement {
    const char *password, *old;
};

static enum err end_sessions(struct social *s, struct arena *a, uint64_t uid, const char *which, const char *hash,
                             const struct replacement *r, size_t *ended)
{
    char digits[ID_SIZE];
    const char *keys[] = {key_id(a, KEY_USER, uid), key_id(a, KEY_SESSIONS, uid)};
    const char *arguments[] = {
        id_write(uid, digits), key_bucket_prefix(a, id_bucket(uid)), which, hash ? hash : "", r->password, r->old};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, id_bucket(uid), SCRIPT_SESSION_END, 2, keys, 6, arguments);
    event_add(s, b, a, EVENT_SESSIONS, uid);
    enum err e = store_run(b);
    const char *word = store_text(store_item(store_reply(b, 0), 0));
    if (e == ERR_OK && strcmp(word, "ok") != 0) {
        e = strcmp(word, "changed") == 0 ? ERR_CONFLICT : ERR_NOT_FOUND;
    }
    *ended = (size_t)store_integer(store_item(store_reply(b, 0), 1));
    return e;
}

enum err session_end(struct social *s, struct arena *a, uint64_t uid, const char *which, const char *hash,
                     size_t *ended)
{
    static const struct replacement none = {"", ""};
    return end_sessions(s, a, uid, which, hash, &none, ended);
}

static void wrong_old(struct problems *p)
{
    problem_add(p, "current_password", "current_password");
}

/* Who has a session need not wait behind strangers. */
static struct turn_claim member(struct arena *a, uint64_t uid)
{
    char digits[ID_SIZE];
    return (struct turn_claim){arena_dup(a, id_write(uid, digits)), true};
}

static enum err check_old(struct social *s, struct arena *a, uint64_t uid, const char *old, const char **hash,
                          struct problems *p)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "HGET", key_id(a, KEY_USER, uid), "password", NULL);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    *hash = store_text(store_reply(b, 0));
    const struct turn_claim claim = member(a, uid);
    e = secret_password_check(&claim, old, **hash ? *hash : NULL);
    if (e == ERR_UNAUTHORIZED) {
        wrong_old(p);
        e = ERR_INVALID;
    }
    return e;
}

/* The new hash in place of the old one. */
static enum err replace(struct social *s, struct arena *a, const struct password_change *c, const struct replacement *r,
                        struct problems *p)
{
    size_t ended;
    struct replacement again = *r;
    const char *which = c->keep ? "others" : "all";
    enum err e = end_sessions(s, a, c->uid, which, c->keep, r, &ended);
    if (e == ERR_CONFLICT) {
        /* A sign-in has renewed the old hash; or somebody was faster, and the old password is wrong now. */
        e = check_old(s, a, c->uid, c->old, &again.old, p);
        e = e == ERR_OK ? end_sessions(s, a, c->uid, which, c->keep, &again, &ended) : e;
    }
    if (e == ERR_CONFLICT) {
        wrong_old(p);
        e = ERR_INVALID;
    }
    return e == ERR_NOT_FOUND && c->old ? ERR_UNAUTHORIZED : e; /* signed out meanwhile: so is this session */
}

enum err session_change_password(struct social *s, struct arena *a, const struct password_change *c, struct problems *p)
{
    password_check(c->password, c->password2, c->name, p);
    if (p->count) {
        return ERR_INVALID;
    }
    struct replacement r = {.old = ""};
    enum err e = c->old ? check_old(s, a, c->uid, c->old, &r.old, p) : ERR_OK;
    if (e != ERR_OK) {
        return e;
    }
    char hash[SECRET_PASSWORD_SIZE];
    const struct turn_claim claim = member(a, c->uid);
    e = secret_password_hash(&claim, c->password, hash);
    if (e != ERR_OK) {
        return e;
    }
    r.password = hash;
    e = replace(s, a, c, &r, p);
    if (e == ERR_OK && c->device) {
        const struct device_account before = {c->uid, r.old}, now = {c->uid, hash};
        *c->device = device_remember(s, a, *c->device, &before, &now);
    }
    secret_wipe(hash, sizeof(hash));
    return e;
}
