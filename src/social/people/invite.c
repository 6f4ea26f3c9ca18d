/* invite.c - see invite.h. Any thread. */
#include "social/people/invite.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

#define CODE_LENGTH 16 /* characters shown to people: 96 random bits */

enum err invite_create(struct social *s, struct arena *a, unsigned uses, unsigned days, const char *by,
                       char code[SECRET_TOKEN_SIZE])
{
    char hash[SECRET_HASH_SIZE];
    secret_token(code);
    code[CODE_LENGTH] = '\0';
    secret_hash(code, hash);
    const char *key = key_text(a, KEY_INVITE, hash);
    unsigned bucket = key_text_bucket(hash);
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, bucket, "HSET", key, "left", arena_printf(a, "%u", uses), "created",
                  arena_printf(a, "%llu", (unsigned long long)clock_site_ms()), "by", by, NULL);
    store_command(b, bucket, "EXPIRE", key, arena_printf(a, "%llu", (unsigned long long)days * 86400), NULL);
    return store_run(b);
}

static enum err use(struct social *s, struct arena *a, const char *code, const char *nonce, const char *what)
{
    char hash[SECRET_HASH_SIZE];
    secret_hash(code, hash);
    const char *keys[] = {key_text(a, KEY_INVITE, hash)};
    const char *arguments[] = {what, nonce};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, key_text_bucket(hash), SCRIPT_INVITE_USE, 1, keys, 2, arguments);
    enum err e = store_run(b);
    if (e == ERR_OK && strcmp(store_text(store_item(store_reply(b, 0), 0)), "ok") != 0) {
        e = ERR_NOT_FOUND;
    }
    return e;
}

enum err invite_take(struct social *s, struct arena *a, const char *code, const char *nonce)
{
    return use(s, a, code, nonce, "take");
}

enum err invite_give_back(struct social *s, struct arena *a, const char *code, const char *nonce)
{
    return use(s, a, code, nonce, "give");
}
