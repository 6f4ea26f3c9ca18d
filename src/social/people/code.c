/* code.c - see code.h. Any thread. */
#include "social/people/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/secret.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/app.h"
#include "social/people/token.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define CODE_MS 600000 /* as text, too */

bool code_challenge_is_fit(const char *challenge)
{
    return strlen(challenge) == SECRET_HASH_SIZE - 1 && app_secret_is_fit(challenge);
}

enum err code_create(struct social *s, struct arena *a, const struct actor *by, const struct code_grant *grant,
                     const char **code)
{
    char secret[SECRET_TOKEN_SIZE], hash[SECRET_HASH_SIZE];
    enum err e = action_check(ACTION_APP_ALLOW, by);
    if (e != ERR_OK) {
        return e;
    }
    secret_token(secret);
    secret_hash(secret, hash);
    const struct record_code record = {.app = grant->app->id,
                                       .app_name = grant->app->name,
                                       .app_website = grant->app->website,
                                       .scopes = grant->scopes,
                                       .redirect = grant->redirect,
                                       .challenge = grant->challenge};
    const char *key = key_id_text(a, KEY_CODE, by->uid, hash);
    struct store_batch *b = store_batch_new(s->store, a);
    record_put_at(b, id_bucket(by->uid), key, RECORD_CODE, &record);
    store_command(b, id_bucket(by->uid), "PEXPIRE", key, TEXT_OF(CODE_MS), NULL);
    *code = token_write(a, by->uid, secret);
    secret_wipe(secret, sizeof(secret));
    return store_run(b);
}

enum err code_use(struct social *s, struct arena *a, const struct app *app, const char *code, const char *redirect,
                  const char *verifier, struct token_made *out)
{
    uint64_t uid;
    char hash[SECRET_HASH_SIZE], challenge[SECRET_HASH_SIZE] = "", secret[SECRET_TOKEN_SIZE], made[SECRET_HASH_SIZE];
    if (!token_parse(code, &uid, hash)) {
        return ERR_NOT_FOUND;
    }
    if (verifier) {
        secret_challenge(verifier, challenge);
    }
    secret_token(secret);
    secret_hash(secret, made);
    *out = (struct token_made){.text = token_write(a, uid, secret), .created_ms = clock_site_ms()};
    secret_wipe(secret, sizeof(secret));
    const struct script_code_use in = {.id = uid,
                                       .hash = made,
                                       .now = (int64_t)out->created_ms,
                                       .most = TOKEN_MOST,
                                       .secret = hash,
                                       .app = app->id,
                                       .redirect = redirect,
                                       .challenge = challenge};
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = script_code_use_add(b, &in);
    enum err e = store_run(b);
    struct script_code_use_reply r;
    script_code_use_take(store_reply(b, reply), &r);
    if (e != ERR_OK || r.answer != ANSWER_OK) {
        return e != ERR_OK ? e : ERR_NOT_FOUND;
    }
    out->scopes = strtoull(r.scopes, NULL, 16);
    struct store_batch *keep = store_batch_new(s->store, a);
    app_keep_add(keep, a, app->id);
    store_send(keep);
    return token_announce_room(s, a, uid, r.ended);
}
