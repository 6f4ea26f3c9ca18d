/* words.c - see words.h. */
#include "words.h"

#include <string.h>

#include "store/answer.h"
#include "store/keys.h"
#include "store/record.h"
#include "tool.h"

#define KEY_PLAIN SHAPE_PLAIN
#define KEY_ID SHAPE_ID
#define KEY_ID_TEXT SHAPE_ID_TEXT
#define KEY_TEXT SHAPE_TEXT
static const struct key_row keys[] = {
#define X(id, word, shape, type, holds) {#id, word, shape},
    KEY_TABLE(X)
#undef X
};
#undef KEY_PLAIN
#undef KEY_ID
#undef KEY_ID_TEXT
#undef KEY_TEXT

static const char *const records[] = {
#define R(id, member, fields) #id,
    RECORD_TABLE(R)
#undef R
};

#define VIEW_SHOWN "S"
#define VIEW_KEPT "K"
static const struct {
    const char *record, *id, *word, *view;
} fields[] = {
#define X(record, id, member, type, view, holds) {#record, #id, #member, VIEW_##view},
#define R(id, member, fields) fields(X)
    RECORD_TABLE(R)
#undef R
#undef X
};

static const struct {
    const char *id, *word;
} answers[] = {
#define X(id, word, means) {#id, word},
    ANSWER_TABLE(X)
#undef X
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

bool record_is(const char *id)
{
    for (size_t i = 0; i < COUNT(records); i++) {
        if (strcmp(records[i], id) == 0) {
            return true;
        }
    }
    return false;
}

const struct key_row *key_find(const char *id)
{
    for (size_t i = 0; i < COUNT(keys); i++) {
        if (strcmp(keys[i].id, id) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

/* "'name', 'display', …": the fields of a record that are shown. */
static const char *shown(const char *record)
{
    struct text out = {0};
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (strcmp(fields[i].record, record) == 0 && strcmp(fields[i].view, VIEW_SHOWN) == 0) {
            text_print(&out, "%s'%s'", out.length ? ", " : "", fields[i].word);
        }
    }
    return out.data;
}

const char *word_of_answer(const char *id)
{
    for (size_t i = 0; i < COUNT(answers); i++) {
        if (strcmp(answers[i].id, id) == 0) {
            return answers[i].word;
        }
    }
    return NULL;
}

const char *word_of_table(const char *id)
{
    if (strncmp(id, "KEY_", 4) == 0) {
        const struct key_row *k = key_find(id + 4);
        return k ? print("'%s%s'", k->word, k->shape == SHAPE_PLAIN ? "" : ":") : NULL;
    }
    for (size_t i = 0; i < COUNT(records); i++) {
        if (strcmp(print("%s_SHOWN", records[i]), id) == 0) {
            return shown(records[i]);
        }
    }
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (strcmp(print("%s_%s", fields[i].record, fields[i].id), id) == 0) {
            return print("'%s'", fields[i].word);
        }
    }
    return NULL;
}
