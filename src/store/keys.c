/* keys.c - builds keys from the table in keys.h, and takes them apart. Any thread after keys_setup. */
#include "store/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/id.h"
#include "base/panic.h"

static const struct key_info infos[KEY_COUNT] = {
#define X(id, word, shape, type, holds) [KEY_##id] = {word, shape, type, holds},
    KEY_TABLE(X)
#undef X
};

static const char *prefix = "";
static size_t prefix_length;

void keys_setup(const char *new_prefix)
{
    prefix = new_prefix;
    prefix_length = strlen(new_prefix);
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

#define BUCKET_MOST 7 /* "{1023}:" */

size_t key_id_most(enum key k)
{
    return prefix_length + BUCKET_MOST + strlen(word_of(k, KEY_ID)) + 1 + FORMAT_DIGITS;
}

static char *key_put(char *out, const char *bytes, size_t length)
{
    memcpy(out, bytes, length);
    return out + length;
}

/* By hand: deliveries make a million of them a second. */
size_t key_id_write(enum key k, uint64_t id, char *out)
{
    const char *word = word_of(k, KEY_ID);
    char *end = key_put(out, prefix, prefix_length);
    *end++ = '{';
    end += format_number(end, id_bucket(id));
    end = key_put(end, "}:", 2);
    end = key_put(end, word, strlen(word));
    *end++ = ':';
    end += format_number(end, id);
    return (size_t)(end - out);
}

const char *key_id(struct arena *a, enum key k, uint64_t id)
{
    char *key = arena_alloc(a, key_id_most(k) + 1);
    key[key_id_write(k, id, key)] = '\0';
    return key;
}

const char *key_id_text(struct arena *a, enum key k, uint64_t id, const char *text)
{
    char digits[ID_SIZE];
    const char *word = word_of(k, KEY_ID_TEXT);
    return arena_printf(a, "%s{%u}:%s:%s:%s", prefix, id_bucket(id), word, id_write(id, digits), text);
}

unsigned key_text_bucket(const char *text)
{
    return id_bucket_of_bytes(text, strcspn(text, "|"));
}

const char *key_text(struct arena *a, enum key k, const char *text)
{
    return arena_printf(a, "%s{%u}:%s:%s", prefix, key_text_bucket(text), word_of(k, KEY_TEXT), text);
}

const char *key_bucket_prefix(struct arena *a, unsigned bucket)
{
    return arena_printf(a, "%s{%u}:", prefix, bucket);
}

static bool find_word(const char *word, size_t length, enum key *out)
{
    for (int k = 0; k < KEY_COUNT; k++) {
        if (strlen(infos[k].word) == length && memcmp(infos[k].word, word, length) == 0) {
            *out = (enum key)k;
            return true;
        }
    }
    return false;
}

/* What follows the word: "", ":<id>", ":<id>:<text>" or ":<text>". */
static bool parse_rest(const char *rest, enum key_shape shape, struct key_parts *out)
{
    if (shape == KEY_PLAIN || *rest != ':') {
        return shape == KEY_PLAIN && *rest == '\0';
    }
    if (shape == KEY_TEXT) {
        out->text = rest + 1;
        out->astray = key_text_bucket(out->text) != out->bucket;
        return true;
    }
    size_t length = strcspn(++rest, ":");
    out->id = id_parse_n(rest, length);
    out->text = rest[length] ? rest + length + 1 : NULL;
    out->astray = id_bucket(out->id) != out->bucket;
    return out->id && (out->text != NULL) == (shape == KEY_ID_TEXT);
}

bool key_parse(const char *key, struct key_parts *out)
{
    memset(out, 0, sizeof(*out));
    size_t skip = strlen(prefix);
    if (strncmp(key, prefix, skip) != 0 || key[skip] != '{' || key[skip + 1] < '0' || key[skip + 1] > '9') {
        return false;
    }
    char *end;
    unsigned long bucket = strtoul(key + skip + 1, &end, 10);
    if (bucket >= ID_BUCKETS || end[0] != '}' || end[1] != ':') {
        return false;
    }
    out->bucket = (unsigned)bucket;
    const char *word = end + 2;
    size_t length = strcspn(word, ":");
    return find_word(word, length, &out->key) && parse_rest(word + length, infos[out->key].shape, out);
}

const char *key_pattern(struct arena *a)
{
    struct buffer out = buffer_make(a);
    for (const char *p = prefix; *p; p++) {
        if (strchr("*?[]\\", *p)) {
            buffer_char(&out, '\\');
        }
        buffer_char(&out, *p);
    }
    buffer_text(&out, "{*}:*");
    return buffer_string(&out);
}
