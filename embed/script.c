/* script.c - reads a script: puts in what it includes, takes its declarations, and writes the text that the engine
 * gets. */
#include "script.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lua.h"
#include "tool.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- includes ------------------------------------------------------------------------------------------------------- */

static char *with_includes(const char *path, const char *source);

/* Declarations of an included file begin with "--+" instead of "--:": what they declare need not be used. */
static void add_included(struct text *out, const char *script, const char *name)
{
    size_t size;
    const char *slash = strrchr(script, '/');
    char *part = read_file(print("%.*s/include/%s.lua", (int)(slash - script), script, name), &size);
    for (char *at = part; (at = strstr(at, "--:")); at++) {
        at[2] = '+';
    }
    text_print(out, "%s", with_includes(script, part));
}

static char *with_includes(const char *path, const char *source)
{
    static const char word[] = "--include ";
    struct text out = {0};
    for (const char *line = source; *line;) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, word, sizeof(word) - 1) == 0) {
            add_included(&out, path, copy(line + sizeof(word) - 1, length - (sizeof(word) - 1)));
        } else {
            text_add(&out, line, length);
            text_print(&out, "\n");
        }
        line += length + (line[length] == '\n');
    }
    return out.data;
}

/* --- declarations --------------------------------------------------------------------------------------------------- */

#define LINE_WORDS 16

struct line {
    const char *where; /* file:line, for complaints */
    const char *words[LINE_WORDS];
    size_t count;
    const char *note; /* behind -- */
    bool is_included;
};

static void split(struct line *l, const char *text, size_t length)
{
    char *line = copy(text, length), *note = strstr(line, "-- ");
    if (note) {
        l->note = note + 3;
        *note = '\0';
    }
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        if (l->count == LINE_WORDS) {
            fail("%s: too many words", l->where);
        }
        l->words[l->count++] = word;
    }
}

const char *script_local(const char *name)
{
    char *out = copy(name, strlen(name)), *dot = strchr(out, '.');
    if (dot) {
        *dot = '_';
    }
    return out;
}

struct declared_value *script_argument(struct script *s, const char *name)
{
    for (size_t i = 0; i < s->argument_count; i++) {
        if (strcmp(s->arguments[i].name, name) == 0) {
            return &s->arguments[i];
        }
    }
    return NULL;
}

static void check_type(const struct line *l, const char *type, bool is_argument)
{
    static const char both[] = " id number hex packed text flag ", given[] = " prefix bucket ", got[] = " any ";
    const char *word = print(" %s ", type);
    bool known = strstr(both, word) || strchr(type, '|') || strstr(is_argument ? given : got, word) ||
                 (!is_argument && record_is(type));
    if (!known) {
        fail("%s: there is no type %s", l->where, type);
    }
}

/* name:type */
static struct declared_value value_of(const struct line *l, const char *word)
{
    const char *colon = strchr(word, ':');
    if (!colon) {
        fail("%s: %s: a value is name:type", l->where, word);
    }
    check_type(l, colon + 1, false);
    return (struct declared_value){copy(word, (size_t)(colon - word)), colon + 1, NULL, false, false};
}

static void declare_key(struct script *s, const struct line *l)
{
    if (l->count < 3 || l->count > 5 || s->key_count == SCRIPT_ROWS) {
        fail("%s: a key is: key NAME ID ARGUMENT…", l->where);
    }
    struct declared_key *k = &s->keys[s->key_count++];
    *k = (struct declared_key){.name = l->words[1], .key = key_find(l->words[2]), .may_idle = l->is_included};
    if (!k->key && strcmp(l->words[2], "given") != 0) {
        fail("%s: keys.h has no key %s", l->where, l->words[2]);
    }
    for (size_t i = 3; i < l->count; i++) {
        k->of[i - 3] = l->words[i];
    }
    size_t wants = !k->key ? 1 : k->key->shape == SHAPE_ID_TEXT ? 2 : 1;
    if (l->count - 3 != wants) {
        fail("%s: key %s is made of %zu arguments", l->where, l->words[2], wants);
    }
}

static void declare_argument(struct script *s, const struct line *l)
{
    if (l->count != 3 || s->argument_count == SCRIPT_ROWS) {
        fail("%s: an argument is: arg NAME TYPE", l->where);
    }
    check_type(l, l->words[2], true);
    s->arguments[s->argument_count++] =
        (struct declared_value){l->words[1], l->words[2], l->note, l->is_included, false};
}

static void declare_tail(struct script *s, const struct line *l)
{
    bool is_fields = strcmp(l->words[0], "fields") == 0, is_rows = strcmp(l->words[0], "rows") == 0;
    if (s->tail.name || l->count < 2 || (is_fields && (l->count != 3 || !record_is(l->words[2])))) {
        fail("%s: one list at most: ids NAME, texts NAME, numbers NAME, fields NAME RECORD, rows NAME COLUMN:TYPE…",
             l->where);
    }
    s->tail = (struct declared_value){l->words[1], l->words[0], l->note, l->is_included, false};
    s->tail_of = is_fields ? l->words[2] : NULL;
    for (size_t i = 2; is_rows && i < l->count; i++) {
        s->columns[s->column_count++] = value_of(l, l->words[i]);
    }
}

static void declare_answer(struct script *s, const struct line *l)
{
    bool has_word = strcmp(l->words[0], "reply") == 0;
    struct declared_answer *a = &s->answers[s->answer_count++];
    bool known = !has_word || (l->count > 1 && word_of_answer(l->words[1]));
    if (!known || l->count > SCRIPT_VALUES || s->answer_count == SCRIPT_ROWS) {
        fail("%s: an answer is: reply WORD NAME:TYPE…, and its word stands in answer.h", l->where);
    }
    a->id = has_word ? l->words[1] : NULL;
    a->used = l->is_included || !has_word;
    for (size_t i = has_word ? 2 : 1; i < l->count; i++) {
        a->values[a->count++] = value_of(l, l->words[i]);
    }
}

static void declare(struct script *s, const struct line *l)
{
    static const struct {
        const char *word;
        void (*take)(struct script *s, const struct line *l);
    } kinds[] = {{"key", declare_key},    {"arg", declare_argument}, {"ids", declare_tail},
                 {"texts", declare_tail}, {"numbers", declare_tail}, {"fields", declare_tail},
                 {"rows", declare_tail},  {"reply", declare_answer}, {"returns", declare_answer}};
    s->typed = true;
    if (l->count == 2 && strcmp(l->words[0], "shape") == 0) {
        s->shape = l->words[1];
        return;
    }
    for (size_t i = 0; l->count && i < COUNT(kinds); i++) {
        if (strcmp(l->words[0], kinds[i].word) == 0) {
            kinds[i].take(s, l);
            return;
        }
    }
    fail("%s: a declaration begins with key, arg, ids, texts, numbers, fields, rows, reply, returns or shape",
         l->where);
}

static void take_declarations(struct script *s, const char *text)
{
    unsigned number = 1;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        bool is_included = strncmp(line, "--+ ", 4) == 0;
        if (is_included || strncmp(line, "--: ", 4) == 0) {
            struct line l = {.where = print("%s:%u", s->path, number), .is_included = is_included};
            split(&l, line + 4, length - 4);
            declare(s, &l);
        }
        line += length + (line[length] == '\n');
    }
}

/* What keys are made of must be declared, and of the right type; it counts as used. */
static void check_keys(struct script *s)
{
    for (size_t i = 0; i < s->key_count; i++) {
        struct declared_key *k = &s->keys[i];
        for (size_t j = 0; j < 2 && k->of[j]; j++) {
            struct declared_value *v = script_argument(s, k->of[j]);
            bool is_text = !k->key || k->key->shape == SHAPE_TEXT || j == 1;
            bool is_plain = k->key && k->key->shape == SHAPE_PLAIN;
            bool is_good =
                v ? strcmp(v->type, is_text ? "text" : "id") == 0 || (is_plain && strcmp(v->type, "bucket") == 0)
                  : is_plain && strcmp(k->of[j], "global") == 0;
            if (!is_good) {
                fail("%s: key %s: %s is no argument that it can be made of", s->path, k->name, k->of[j]);
            }
        }
    }
}

/* --- the text ------------------------------------------------------------------------------------------------------- */

static bool use_name(struct script *s, const char *name)
{
    for (size_t i = 0; i < s->key_count; i++) {
        if (strcmp(s->keys[i].name, name) == 0) {
            return s->keys[i].used = true;
        }
    }
    for (size_t i = 0; i < s->argument_count; i++) {
        if (strcmp(script_local(s->arguments[i].name), name) == 0) {
            return s->arguments[i].used = true;
        }
    }
    return s->tail.name && strcmp(s->tail.name, name) == 0 && (s->tail.used = true);
}

/* Whether a quoted word is one of those that an argument or a value can be. */
static bool is_choice(struct script *s, const char *word)
{
    const char *middle = print("|%s|", word);
    for (size_t i = 0; i < s->argument_count; i++) {
        if (strstr(print("|%s|", s->arguments[i].type), middle)) {
            return true;
        }
    }
    for (size_t i = 0; i < s->column_count; i++) {
        if (strstr(print("|%s|", s->columns[i].type), middle)) {
            return true;
        }
    }
    for (size_t i = 0; i < s->answer_count; i++) {
        for (size_t j = 0; j < s->answers[i].count; j++) {
            if (strstr(print("|%s|", s->answers[i].values[j].type), middle)) {
                return true;
            }
        }
    }
    return false;
}

static void check_string(struct script *s, const struct lua_word *w, const char *where)
{
    size_t length = w->length - 2;
    for (size_t i = 0; i < length; i++) {
        if (!islower((unsigned char)w->at[1 + i]) && w->at[1 + i] != '_') {
            return;
        }
    }
    if (length > 1 && !is_choice(s, copy(w->at + 1, length))) {
        fail("%s: %.*s is spelled here and declared nowhere: name it by its table (keys.h, record.h, answer.h)", where,
             (int)w->length, w->at);
    }
}

static bool is_capital(const struct lua_word *w)
{
    for (size_t i = 0; i < w->length; i++) {
        if (!isupper((unsigned char)w->at[i]) && !isdigit((unsigned char)w->at[i]) && w->at[i] != '_') {
            return false;
        }
    }
    return w->length > 1;
}

/* The text that Lua reads in place of a word in capitals. */
static const char *constant(struct script *s, const char *id, const char *where)
{
    const char *word = word_of_answer(id), *value = word ? print("'%s'", word) : word_of_table(id);
    if (!value) {
        fail("%s: %s is no word of keys.h, record.h or answer.h", where, id);
    }
    for (size_t i = 0; word && i < s->answer_count; i++) {
        if (s->answers[i].id && strcmp(s->answers[i].id, id) == 0) {
            s->answers[i].used = true;
            return value;
        }
    }
    if (word) {
        fail("%s: it answers %s, which it does not declare (--: reply %s)", where, id, id);
    }
    return value;
}

/* A comment is for people: the engine gets the first line, which is none to it, and no more space than keeps words apart. */
static void add_bare(struct text *out, const struct lua_word *w)
{
    char last = out->length ? out->data[out->length - 1] : '\n';
    if (w->kind == LUA_COMMENT && *w->at != '#') {
        return;
    }
    if (w->kind != LUA_SPACE) {
        text_add(out, w->at, w->length);
    } else if (last != '\n') {
        text_add(out, memchr(w->at, '\n', w->length) ? "\n" : " ", 1);
    }
}

/* The script with constants in the place of words in capitals. Learns what is used. */
static char *with_constants(struct script *s, const char *text)
{
    struct text out = {0};
    struct lua_word w;
    unsigned line = 1;
    const char *locals = lua_locals(text);
    for (const char *at = text; lua_next(text, &at, &w);) {
        const char *where = print("%s:%u", s->path, line);
        const char *name = copy(w.at, w.length);
        for (size_t i = 0; i < w.length; i++) {
            line += w.at[i] == '\n';
        }
        if (w.kind == LUA_STRING) {
            check_string(s, &w, where);
        }
        if (w.kind != LUA_NAME || w.is_member || lua_knows(w.at, w.length)) {
            add_bare(&out, &w);
            continue;
        }
        if (is_capital(&w)) {
            text_print(&out, "%s", constant(s, name, where));
            continue;
        }
        if (!use_name(s, name) && !strstr(locals, print(" %s ", name))) {
            fail("%s: %s is not declared", where, name);
        }
        text_add(&out, w.at, w.length);
    }
    return out.data;
}

static bool is_in_key(const struct script *s, const char *argument)
{
    for (size_t k = 0; k < s->key_count; k++) {
        for (size_t j = 0; j < 2; j++) {
            if (s->keys[k].of[j] && strcmp(s->keys[k].of[j], argument) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void check_use(struct script *s)
{
    for (size_t i = 0; i < s->key_count; i++) {
        if (!s->keys[i].used && !s->keys[i].may_idle) {
            complain("%s: key %s is declared and not used", s->path, s->keys[i].name);
        }
    }
    for (size_t i = 0; i < s->argument_count; i++) {
        const struct declared_value *v = &s->arguments[i];
        if (!v->used && !v->may_idle && !is_in_key(s, v->name) && strcmp(v->type, "bucket") != 0) {
            complain("%s: argument %s is declared and not used", s->path, v->name);
        }
    }
    for (size_t i = 0; i < s->answer_count; i++) {
        if (!s->answers[i].used) {
            complain("%s: answer %s is declared and not given", s->path, s->answers[i].id);
        }
    }
    if (s->tail.name && !s->tail.used) {
        complain("%s: list %s is declared and not used", s->path, s->tail.name);
    }
    if (!s->answer_count) {
        fail("%s: it declares no answer", s->path);
    }
}

/* "local a, b = KEYS[1], ARGV[1]": only those that the script uses; only those are sent. */
static const char *locals_of(const struct script *s)
{
    struct text names = {0}, values = {0};
    size_t n = 0;
    for (size_t i = 0; i < s->key_count; i++) {
        if (s->keys[i].used) {
            text_print(&names, "%s%s", names.length ? ", " : "local ", s->keys[i].name);
            text_print(&values, "%sKEYS[%zu]", values.length ? ", " : "", ++n);
        }
    }
    n = 0;
    for (size_t i = 0; i < s->argument_count; i++) {
        if (s->arguments[i].used) {
            text_print(&names, "%s%s", names.length ? ", " : "local ", script_local(s->arguments[i].name));
            text_print(&values, "%sARGV[%zu]", values.length ? ", " : "", ++n);
        }
    }
    if (s->tail.name) {
        text_print(&names, "%s%s", names.length ? ", " : "local ", s->tail.name);
        text_print(&values, "%s%zu", values.length ? ", " : "", n + 1);
    }
    return names.data ? print("%s = %s\n", names.data, values.data) : "";
}

/* The comment behind the first line. */
static const char *head_comment(const char *source)
{
    struct text out = {0};
    for (const char *line = strchr(source, '\n'); line && strncmp(line + 1, "-- ", 3) == 0;
         line = strchr(line + 1, '\n')) {
        text_print(&out, "%s%.*s", out.length ? "\n" : "", (int)strcspn(line + 4, "\n"), line + 4);
    }
    return out.data ? out.data : "";
}

struct script *script_read(const char *path)
{
    struct script *s = allocate(sizeof(*s));
    size_t size;
    const char *source = read_file(path, &size), *slash = strrchr(path, '/');
    s->path = path;
    s->name = copy(slash ? slash + 1 : path, strlen(slash ? slash + 1 : path) - strlen(".lua"));
    s->shape = s->name;
    s->says = head_comment(source);
    char *whole = with_includes(path, source);
    take_declarations(s, whole);
    s->text = whole;
    if (!s->typed) {
        return s;
    }
    check_keys(s);
    char *text = with_constants(s, whole), *body = strchr(text, '\n') + 1;
    check_use(s);
    s->text = print("%.*s%s%s", (int)(body - text), text, locals_of(s), body);
    return s;
}
