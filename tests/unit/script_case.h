/* script_case.h - one row for each way through a server-side script: what lies in the engine before, the call, what it
 * answers, what lies there afterwards, and what the same call answers when it is sent again because its reply was lost.
 *
 * Texts are a small language. Commands are divided by "; ", and what they are to answer stands behind " => ". A word is
 *     :user:$alice   a key of bucket 7, in which all rows lie (keys of other buckets are written out: {0}:site)
 *     $alice         the id of that name, in the table of names
 *     ''             nothing
 * and in what is answered also [ ] around a list, - for nil, -*] for nil as far as the end of the list (the fields of a
 * record that are not there), * for any one word, ~1000 for a number up to a tenth below.
 *
 * The tables of rows are script_rows_*.h; test_store_scripts.c runs them.
 */
#ifndef TESTS_SCRIPT_CASE_H
#define TESTS_SCRIPT_CASE_H

#include "store_case.h"

#include "store/script.h"

#define ROW_BUCKET 7
#define ROW_ID(n) ((UINT64_C(1700000000000) + (n)) << 16 | ROW_BUCKET << 6)

#define ALICE ROW_ID(1)
#define BOB ROW_ID(2)
#define CAROL ROW_ID(3)
#define LIST ROW_ID(4)
#define OTHER_LIST ROW_ID(5)
#define JOB ROW_ID(6)
#define OLDER ROW_ID(11) /* posts, by age */
#define POST ROW_ID(12)
#define NEWER ROW_ID(13)

struct row {
    const char *script, *way;
    size_t (*add)(struct store_batch *b, const void *in);
    const void *in;
    const char *before;
    const char *reply;
    const char *after; /* NULL: nothing was written */
    const char *again; /* NULL: the same reply */
    bool repeats;      /* sent again it writes again; else nothing */
};

/* How a row calls the script, whose arguments are of this shape. */
#define CALLER(name, shape)                                                                                            \
    static size_t row_##name(struct store_batch *b, const void *in)                                                    \
    {                                                                                                                  \
        return script_##name##_add(b, (const struct script_##shape *)in);                                              \
    }
#define CALL(name, shape, ...)                                                                                         \
    .script = #name, .add = row_##name, .in = &(const struct script_##shape)                                           \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

#define IDS(member, ...)                                                                                               \
    .member = (const uint64_t[]){__VA_ARGS__},                                                                         \
    .member##_count = sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

/* --- the language -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint64_t id;
} row_names[] = {{"alice", ALICE}, {"bob", BOB},     {"carol", CAROL}, {"list", LIST},  {"otherlist", OTHER_LIST},
                 {"job", JOB},     {"older", OLDER}, {"post", POST},   {"newer", NEWER}};

static inline uint64_t row_id(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(row_names); i++) {
        if (strlen(row_names[i].name) == length && memcmp(row_names[i].name, name, length) == 0) {
            return row_names[i].id;
        }
    }
    fail_msg("no id is called %.*s", (int)length, name);
    return 0;
}

/* A text with its keys and names written out. */
static inline const char *row_text(const char *text)
{
    struct buffer out = buffer_make(arena);
    bool begins = true;
    for (const char *at = text; *at; at++) {
        if (*at == '$') {
            size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
            buffer_printf(&out, "%llu", (unsigned long long)row_id(at + 1, length));
            at += length;
        } else if (*at == ':' && begins) {
            buffer_printf(&out, "{%d}:", ROW_BUCKET);
        } else {
            buffer_add(&out, at, 1);
        }
        begins = *at == ' ';
    }
    return buffer_string(&out);
}

/* Runs one command, whose words are divided by spaces. */
static inline const struct store_reply *row_command(const char *text)
{
    const char *words[40];
    size_t count = 0;
    char *rest = NULL;
    for (char *w = strtok_r(arena_dup(arena, text), " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
        assert_true(count < COUNT(words));
        words[count++] = strcmp(w, "''") == 0 ? "" : w;
    }
    struct store_batch *b = new_batch();
    store_command_v(b, ROW_BUCKET, count, words);
    if (store_run(b) != ERR_OK) {
        fail_msg("%s: %s", text, store_text(store_reply(b, 0)));
    }
    return store_reply(b, 0);
}

static inline void row_say(struct buffer *out, const struct store_reply *r, bool outer)
{
    if (r->type == STORE_ARRAY) {
        buffer_add(out, "[", outer ? 0 : 1);
        for (size_t i = 0; i < r->count; i++) {
            buffer_add(out, " ", i ? 1 : 0);
            row_say(out, &r->items[i], false);
        }
        buffer_add(out, "]", outer ? 0 : 1);
    } else if (r->type == STORE_NIL) {
        buffer_add(out, "-", 1);
    } else if (r->type == STORE_INTEGER) {
        buffer_printf(out, "%lld", (long long)store_integer(r));
    } else {
        buffer_printf(out, "%s", r->length ? store_text(r) : "''");
    }
}

/* A reply as the language writes it. */
static inline const char *row_said(const struct store_reply *r)
{
    struct buffer out = buffer_make(arena);
    row_say(&out, r, true);
    return buffer_string(&out);
}

static inline bool row_word_fits(const char *expected, const char *word)
{
    if (*expected == '~') {
        long long most = atoll(expected + 1), is = atoll(word);
        return is <= most && is >= most - most / 10;
    }
    if (strncmp(expected, "-*]", 3) == 0) {
        return *word == '-' && strcmp(expected + 2, word + 1) == 0;
    }
    return strcmp(expected, "*") == 0 || strcmp(expected, word) == 0;
}

/* Both are of equally many words, each of which fits. */
static inline bool row_fits(const char *expected, const char *said)
{
    char *rest = NULL, *others = NULL;
    char *e = strtok_r(arena_dup(arena, expected), " ", &rest), *w = strtok_r(arena_dup(arena, said), " ", &others);
    while (e && w) {
        bool more = strncmp(e, "-*]", 3) == 0 && strcmp(w, "-") == 0; /* of the list */
        if (!more && !row_word_fits(e, w)) {
            return false;
        }
        e = more ? e : strtok_r(NULL, " ", &rest);
        w = strtok_r(NULL, " ", &others);
    }
    return !e && !w;
}

static inline void row_expect(const char *what, const char *expected, const char *said)
{
    if (!row_fits(row_text(expected), said)) {
        fail_msg("%s\n  is to answer  %s\n  and answered  %s", what, row_text(expected), said);
    }
}

/* Runs commands; those that say what they are to answer are held to it. */
static inline void row_commands(const char *text)
{
    while (text && *text) {
        const char *end = strstr(text, "; ");
        const char *one = end ? arena_dup_n(arena, text, (size_t)(end - text)) : text;
        const char *arrow = strstr(one, " => ");
        const char *command = arrow ? arena_dup_n(arena, one, (size_t)(arrow - one)) : one;
        const struct store_reply *r = row_command(row_text(command));
        if (arrow) {
            row_expect(command, arrow + 4, row_said(r));
        }
        text = end ? end + 2 : NULL;
    }
}

/* Says whether any key, value or bound of life was changed. */
static inline const char *row_digest(void)
{
    return store_text(row_command("DEBUG DIGEST"));
}

#endif
