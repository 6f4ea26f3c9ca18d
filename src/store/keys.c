/* keys.c - builds keys from the table in keys.h. Any thread after keys_setup. */
#include "store/keys.h"

#include "base/arena.h"
#include "base/id.h"
#include "base/panic.h"

static const struct key_info infos[KEY_COUNT] = {
#define X(id, word, shape, type, holds) [KEY_##id] = {word, shape, type, holds},
    KEY_TABLE(X)
#undef X
};

static const char *prefix = "";

void keys_setup(const char *new_prefix)
{
    prefix = new_prefix;
}

const struct key_info *key_info(enum key k)
{
    require((unsigned)k < KEY_COUNT);
    return &infos[k];
}

static const char *word_of(enum key k, enum key_shape shape)
{
    const struct key_info *info = key_info(k);
    require(info->shape == shape);
    return info->word;
}

const char *key_plain(struct arena *a, enum key k, unsigned bucket)
{
    return arena_printf(a, "%s{%u}:%s", prefix, bucket, word_of(k, KEY_PLAIN));
}

const char *key_id(struct arena *a, enum key k, uint64_t id)
{
    char digits[ID_SIZE];
    return arena_printf(a, "%s{%u}:%s:%s", prefix, id_bucket(id), word_of(k, KEY_ID), id_write(id, digits));
}

const char *key_id_text(struct arena *a, enum key k, uint64_t id, const char *text)
{
    char digits[ID_SIZE];
    const char *word = word_of(k, KEY_ID_TEXT);
    return arena_printf(a, "%s{%u}:%s:%s:%s", prefix, id_bucket(id), word, id_write(id, digits), text);
}

unsigned key_text_bucket(const char *text)
{
    return id_bucket_of_name(text);
}

const char *key_text(struct arena *a, enum key k, const char *text)
{
    return arena_printf(a, "%s{%u}:%s:%s", prefix, key_text_bucket(text), word_of(k, KEY_TEXT), text);
}

const char *key_bucket_prefix(struct arena *a, unsigned bucket)
{
    return arena_printf(a, "%s{%u}:", prefix, bucket);
}
