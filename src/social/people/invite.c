/* invite.c - see invite.h. Any thread. */
#include "social/people/invite.h"

#include "base/arena.h"
#include "base/clock.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

#define CODE_LENGTH 16 /* characters shown to people: 96 random bits */

enum err invite_create(struct social *s, struct arena *a, const struct actor *by, unsigned uses, unsigned days,
                       char code[SECRET_TOKEN_SIZE])
{
    enum err e = action_check(ACTION_INVITE_CREATE, by);
    if (e != ERR_OK) {
        return e;
    }
    char hash[SECRET_HASH_SIZE];
    secret_token(code);
    code[CODE_LENGTH] = '\0';
    secret_hash(code, hash);
    const char *key = key_text(a, KEY_INVITE, hash);
    unsigned bucket = key_text_bucket(hash);
    struct store_batch *b = store_batch_new(s->store, a);
    const struct record_invite invite = {.left = uses, .created = (int64_t)clock_site_ms(), .by = by->name};
    record_put_at(b, bucket, key, RECORD_INVITE, &invite);
    store_command(b, bucket, "EXPIRE", key, arena_printf(a, "%llu", (unsigned long long)days * CLOCK_DAY_SECONDS),
                  NULL);
    return store_run(b);
}

static enum err use(struct social *s, struct arena *a, const char *code, const char *nonce, bool gives)
{
    char hash[SECRET_HASH_SIZE];
    secret_hash(code, hash);
    struct store_batch *b = store_batch_new(s->store, a);
    script_invite_use_add(b, &(struct script_invite_use){.code = hash, .nonce = nonce, .gives = gives});
    enum err e = store_run(b);
    return e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

enum err invite_take(struct social *s, struct arena *a, const char *code, const char *nonce)
{
    return use(s, a, code, nonce, false);
}

enum err invite_give_back(struct social *s, struct arena *a, const char *code, const char *nonce)
{
    return use(s, a, code, nonce, true);
}
