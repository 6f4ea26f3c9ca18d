/* session.c - see session.h. Any thread. */
#include "social/session.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "config/config.h"
#include "social/social.h"
#include "social/user.h"
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

enum err session_create(struct social *s, struct arena *a, uint64_t uid, const struct session_origin *o,
                        char cookie[SESSION_COOKIE_SIZE])
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
        arena_printf(a, "%llu", (unsigned long long)clock_wall_ms()),
        arena_printf(a, "%lld", (long long)s->config->session.per_user),
        arena_printf(a, "%lld", (long long)s->config->session.idle_days * MS_PER_DAY),
        key_bucket_prefix(a, bucket),
        arena_printf(a, "%.*s", AGENT_MAX, o->agent ? o->agent : ""),
        o->address ? o->address : "",
    };
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_SESSION_CREATE, 3, keys, 8, arguments);
    enum err e = store_run(b);
    if (e == ERR_OK && strcmp(store_text(store_item(store_reply(b, 0), 0)), "ok") != 0) {
        e = ERR_NOT_FOUND;
    }
    if (e == ERR_OK) {
        memcpy(cookie, digits, ID_DIGITS);
        cookie[ID_DIGITS] = '.';
        memcpy(cookie + ID_DIGITS + 1, secret, SECRET_TOKEN_SIZE);
    }
    secret_wipe(secret, sizeof(secret));
    return e;
}

enum err session_sign_in(struct social *s, struct arena *a, const char *name, const char *password,
                         const struct session_origin *o, char cookie[SESSION_COOKIE_SIZE])
{
    struct user u;
    const char *hash = NULL;
    enum err e = user_find(s, a, name, &u, NULL, &hash);
    if (e != ERR_OK && e != ERR_NOT_FOUND) {
        return e;
    }
    e = secret_password_check(password, e == ERR_OK && hash[0] ? hash : NULL);
    if (e != ERR_OK) {
        return e;
    }
    e = session_create(s, a, u.id, o, cookie);
    return e == ERR_NOT_FOUND ? ERR_UNAUTHORIZED : e; /* deleted meanwhile */
}

enum err session_list(struct social *s, struct arena *a, uint64_t uid, const char *current, struct session **out,
                      size_t *count)
{
    *count = 0;
    struct store_batch *ids = store_batch_new(s->store, a);
    store_command(ids, id_bucket(uid), "ZRANGE", key_id(a, KEY_SESSIONS, uid), "0", "99", "REV", NULL);
    enum err e = store_run(ids);
    if (e != ERR_OK) {
        return e;
    }
    const struct store_reply *hashes = store_reply(ids, 0);
    struct store_batch *b = store_batch_new(s->store, a);
    for (size_t i = 0; i < hashes->count; i++) {
        store_command(b, id_bucket(uid), "HMGET", key_id_text(a, KEY_SESSION, uid, store_text(&hashes->items[i])),
                      "created", "seen", "agent", "address", NULL);
    }
    e = store_run(b);
    struct session *list = arena_zero(a, (hashes->count + 1) * sizeof(*list));
    size_t n = 1; /* place 0 is the current one's */
    bool current_found = false;
    for (size_t i = 0; e == ERR_OK && i < hashes->count; i++) {
        const struct store_reply *r = store_reply(b, i);
        const char *hash = store_text(&hashes->items[i]);
        if (store_integer(store_item(r, 0)) == 0) {
            continue; /* it ran out by itself */
        }
        bool is_current = current && strcmp(hash, current) == 0;
        struct session *one = is_current ? &list[0] : &list[n++];
        current_found = current_found || is_current;
        *one = (struct session){hash, (uint64_t)store_integer(store_item(r, 0)),
                                (uint64_t)store_integer(store_item(r, 1)), store_text(store_item(r, 2)),
                                store_text(store_item(r, 3)), is_current};
    }
    *out = current_found ? list : list + 1;
    *count = current_found ? n : n - 1;
    return e;
}

static enum err end_sessions(struct social *s, struct arena *a, uint64_t uid, const char *which, const char *hash,
                             const char *password)
{
    char digits[ID_SIZE];
    const char *keys[] = {key_id(a, KEY_USER, uid), key_id(a, KEY_SESSIONS, uid)};
    const char *arguments[] = {id_write(uid, digits), key_bucket_prefix(a, id_bucket(uid)), which, hash ? hash : "",
                               password};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, id_bucket(uid), SCRIPT_SESSION_END, 2, keys, 5, arguments);
    enum err e = store_run(b);
    if (e == ERR_OK && strcmp(store_text(store_item(store_reply(b, 0), 0)), "ok") != 0) {
        e = ERR_NOT_FOUND;
    }
    return e;
}

enum err session_end(struct social *s, struct arena *a, uint64_t uid, const char *which, const char *hash)
{
    return end_sessions(s, a, uid, which, hash, "");
}

static enum err check_old(struct social *s, struct arena *a, uint64_t uid, const char *old, struct problems *p)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(uid), "HGET", key_id(a, KEY_USER, uid), "password", NULL);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    const char *hash = store_text(store_reply(b, 0));
    e = secret_password_check(old, hash[0] ? hash : NULL);
    if (e == ERR_UNAUTHORIZED) {
        problem_add(p, "current_password", "current_password");
        e = ERR_INVALID;
    }
    return e;
}

enum err session_change_password(struct social *s, struct arena *a, uint64_t uid, const char *name, const char *old,
                                 const char *password, const char *password2, const char *keep, struct problems *p)
{
    user_check_password(password, password2, name, p);
    if (p->count) {
        return ERR_INVALID;
    }
    enum err e = old ? check_old(s, a, uid, old, p) : ERR_OK;
    if (e != ERR_OK) {
        return e;
    }
    char hash[SECRET_PASSWORD_SIZE];
    e = secret_password_hash(password, hash);
    if (e != ERR_OK) {
        return e;
    }
    e = end_sessions(s, a, uid, keep ? "others" : "all", keep, hash);
    secret_wipe(hash, sizeof(hash));
    return e;
}
