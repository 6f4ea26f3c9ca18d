/* token.c - see token.h. Any thread. */
#include "social/people/token.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/app.h"
#include "social/people/population.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

bool token_parse(const char *text, uint64_t *id, char hash[SECRET_HASH_SIZE])
{
    *id = 0;
    if (!text || strlen(text) <= ID_DIGITS || text[ID_DIGITS] != '.' || !app_secret_is_fit(text + ID_DIGITS + 1)) {
        return false;
    }
    *id = id_parse_n(text, ID_DIGITS);
    secret_hash(text + ID_DIGITS + 1, hash);
    return *id != 0;
}

const char *token_write(struct arena *a, uint64_t id, const char *secret)
{
    char digits[ID_SIZE];
    return arena_printf(a, "%s.%s", id_write(id, digits), secret);
}

void token_from_record(const struct record_token *r, const char *id, struct token *out)
{
    *out = (struct token){.id = id,
                          .app_id = r->created ? r->app : 0,
                          .app_name = r->app_name,
                          .app_website = r->app_website,
                          .scopes = r->scopes,
                          .created_ms = (uint64_t)r->created,
                          .seen_ms = (uint64_t)r->seen};
}

/* --- making -------------------------------------------------------------------------------------------------------- */

/* A secret, its hash, and the record that goes with them. */
struct token_draft {
    char hash[SECRET_HASH_SIZE];
    struct record_token record;
};

static void draft(struct arena *a, uint64_t owner, const struct token_grant *grant, struct token_draft *d,
                  struct token_made *out)
{
    char secret[SECRET_TOKEN_SIZE];
    secret_token(secret);
    const char *chosen = grant->secret ? grant->secret : secret;
    secret_hash(chosen, d->hash);
    d->record = (struct record_token){.app = grant->app->id,
                                      .app_name = grant->app->name,
                                      .app_website = grant->app->website,
                                      .scopes = grant->scopes};
    *out = (struct token_made){token_write(a, owner, chosen), grant->scopes, clock_site_ms()};
    secret_wipe(secret, sizeof(secret));
}

enum err token_announce_room(struct social *s, struct arena *a, uint64_t owner, int64_t ended)
{
    if (ended == 0) {
        return ERR_OK;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    event_add(s, b, a, EVENT_SESSIONS, owner);
    return store_run(b);
}

enum err token_create(struct social *s, struct arena *a, const struct actor *by, const struct token_grant *grant,
                      struct token_made *out)
{
    struct token_draft d;
    enum err e = action_check(ACTION_APP_ALLOW, by);
    if (e != ERR_OK) {
        return e;
    }
    draft(a, by->uid, grant, &d, out);
    const struct script_token_create in = {.id = by->uid,
                                           .hash = d.hash,
                                           .now = (int64_t)out->created_ms,
                                           .most = TOKEN_MOST,
                                           .checked = grant->checked ? grant->checked : "",
                                           .record = &d.record};
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = script_token_create_add(b, &in);
    app_keep_add(b, a, grant->app->id);
    population_seen_add(b, a, by->uid);
    e = store_run(b);
    struct script_token_create_reply r;
    script_token_create_take(store_reply(b, reply), &r);
    if (e == ERR_OK && r.answer != ANSWER_OK) {
        e = ERR_NOT_FOUND;
    }
    return e == ERR_OK ? token_announce_room(s, a, by->uid, r.ended) : e;
}

enum err token_create_own(struct social *s, struct arena *a, const struct actor *by, const struct token_grant *grant,
                          struct token_made *out, struct problems *p)
{
    struct token_draft d;
    enum err e = action_check(ACTION_APP_TOKEN, by);
    e = e == ERR_OK ? action_count_address(s, a, ACTION_APP_TOKEN, by, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    draft(a, grant->app->id, grant, &d, out);
    const struct script_app_token in = {.id = grant->app->id,
                                        .hash = d.hash,
                                        .now = (int64_t)out->created_ms,
                                        .most = TOKEN_MOST,
                                        .ttl = (int64_t)APP_IDLE_DAYS * CLOCK_DAY_MS,
                                        .record = &d.record};
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = script_app_token_add(b, &in);
    e = store_run(b);
    struct script_app_token_reply r;
    script_app_token_take(store_reply(b, reply), &r);
    if (e == ERR_OK && r.answer != ANSWER_OK) {
        e = ERR_NOT_FOUND;
    }
    return e == ERR_OK ? token_announce_room(s, a, grant->app->id, r.ended) : e;
}

/* --- ending -------------------------------------------------------------------------------------------------------- */

static enum err end_one(struct social *s, struct arena *a, uint64_t owner, const char *hash, size_t *ended)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = script_token_end_add(b, &(struct script_token_end){owner, TOKEN_END_WHICH_ONE, hash});
    event_add(s, b, a, EVENT_SESSIONS, owner);
    enum err e = store_run(b);
    struct script_token_end_reply out;
    script_token_end_take(store_reply(b, reply), &out);
    *ended = e == ERR_OK ? (size_t)out.ended : 0;
    return e;
}

enum err token_end(struct social *s, struct arena *a, const struct actor *by, const char *id, size_t *ended)
{
    enum err e = action_check(ACTION_TOKEN_END, by);
    return e == ERR_OK ? end_one(s, a, by->uid, id, ended) : e;
}

/* First it asks whose it is, so that nobody can send events to all processes with made-up tokens. */
enum err token_revoke(struct social *s, struct arena *a, const struct actor *by, const char *text, uint64_t app_id)
{
    uint64_t owner;
    char hash[SECRET_HASH_SIZE];
    size_t ended;
    enum err e = action_check(ACTION_TOKEN_REVOKE, by);
    if (e != ERR_OK || !token_parse(text, &owner, hash)) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    record_ask_at(b, id_bucket(owner), key_id_text(a, KEY_TOKEN, owner, hash), RECORD_TOKEN, TOKEN_APP);
    e = store_run(b);
    struct record_token record;
    if (e != ERR_OK || !record_token_take(store_reply(b, 0), TOKEN_APP, &record)) {
        return e;
    }
    return app_id && record.app != app_id ? ERR_FORBIDDEN : end_one(s, a, owner, hash, &ended);
}
