/* calls.c - see calls.h: calls.c itself, and what it shares with the header. */
#include "calls_parts.h"

#include <ctype.h>
#include <string.h>

#include "tool.h"

const char calls_made[] = "/* Made by embed/calls.c of the heads of the scripts: change these. */\n";

char *calls_upper(const char *name)
{
    char *out = copy(name, strlen(name));
    for (char *c = out; *c; c++) {
        *c = *c == '.' ? '_' : (char)toupper((unsigned char)*c);
    }
    return out;
}

char *calls_lower(const char *name)
{
    char *out = copy(name, strlen(name));
    for (char *c = out; *c; c++) {
        *c = *c == '.' ? '_' : (char)tolower((unsigned char)*c);
    }
    return out;
}

bool calls_is_choice(const char *type)
{
    return strchr(type, '|') != NULL;
}

/* Calls `each` for every word of "a|b|c". */
void calls_each_word(const char *type, void (*each)(struct text *out, const char *word, const char *context),
                     struct text *out, const char *context)
{
    for (const char *at = type; *at;) {
        size_t length = strcspn(at, "|");
        each(out, copy(at, length), context);
        at += length + (at[length] == '|');
    }
}

bool calls_has_values(const struct script *s)
{
    for (size_t i = 0; i < s->answer_count; i++) {
        if (s->answers[i].count || !s->answers[i].id) {
            return true;
        }
    }
    return false;
}

/* Whether an earlier answer of the script has a value of this name, which then is the same member. */
bool calls_is_again(const struct script *s, size_t answer, const struct declared_value *v)
{
    for (size_t i = 0; i < answer; i++) {
        for (size_t j = 0; j < s->answers[i].count; j++) {
            const struct declared_value *other = &s->answers[i].values[j];
            if (strcmp(other->name, v->name) == 0) {
                if (strcmp(other->type, v->type) != 0) {
                    fail("%s: two answers have a value %s of different types", s->path, v->name);
                }
                return true;
            }
        }
    }
    return false;
}

static void print_string(struct text *out, const char *word, const char *nothing)
{
    (void)nothing;
    text_print(out, "\"%s\", ", word);
}

/* --- the source ------------------------------------------------------------------------------------------------------ */

/* The bucket of the call, in C: that of its first key. */
static const char *bucket_of(const struct script *s)
{
    static const char none[] = "in->bucket";
    const struct declared_key *k = s->keys;
    if (!s->key_count) {
        return none;
    }
    struct declared_value *of = script_argument((struct script *)s, k->of[0]);
    if (!k->key || (of && strcmp(of->type, "bucket") == 0)) {
        return print("in->%s", k->key ? k->of[0] : "bucket");
    }
    return !of                           ? "KEY_GLOBAL_BUCKET"
           : k->key->shape == SHAPE_TEXT ? print("key_text_bucket(in->%s)", k->of[0])
                                         : print("id_bucket(in->%s)", k->of[0]);
}

static void write_key(struct text *out, const struct declared_key *k)
{
    static const char *const names[] = {"plain", "id", "id_text", "text"};
    if (!k->key) {
        text_print(out, "    script_call_key(&c, in->%s);\n", k->of[0]);
        return;
    }
    text_print(out, "    script_call_key_%s(&c, KEY_%s", names[k->key->shape], k->key->id);
    for (size_t i = 0; k->key->shape != SHAPE_PLAIN && i < 2 && k->of[i]; i++) {
        text_print(out, ", in->%s", k->of[i]);
    }
    text_print(out, ");\n");
}

static void write_value(struct text *out, const struct declared_value *v, const char *of, const char *indent)
{
    if (calls_is_choice(v->type)) {
        text_print(out, "%s{\n%s    static const char *const words[] = {", indent, indent);
        calls_each_word(v->type, print_string, out, "");
        text_print(out, "};\n%s    script_call_text(&c, words[%s%s]);\n%s}\n", indent, of, v->name, indent);
    } else if (strcmp(v->type, "prefix") == 0) {
        text_print(out, "%sscript_call_prefix(&c);\n", indent);
    } else {
        text_print(out, "%sscript_call_%s(&c, %s%s);\n", indent, v->type, of, v->name);
    }
}

static void write_tail(struct text *out, const struct script *s)
{
    const char *name = s->tail.name;
    if (strcmp(s->tail.type, "fields") == 0) {
        text_print(out, "    script_call_fields(&c, RECORD_%s, in->%s);\n", s->tail_of, name);
        return;
    }
    text_print(out, "    for (size_t i = 0; i < in->%s_count; i++) {\n", name);
    for (size_t i = 0; i < s->column_count; i++) {
        if (record_is(s->columns[i].type)) {
            const char *of = print("RECORD_%s, &in->%s[i].%s", s->columns[i].type, name, s->columns[i].name);
            text_print(out, "        script_call_number(&c, (int64_t)script_call_field_words(%s));\n", of);
            text_print(out, "        script_call_fields(&c, %s);\n", of);
            continue;
        }
        write_value(out, &s->columns[i], print("in->%s[i].", name), "        ");
    }
    if (!s->column_count) {
        text_print(out, "        script_call_%.*s(&c, in->%s[i]);\n", (int)strlen(s->tail.type) - 1, s->tail.type,
                   name);
    }
    text_print(out, "    }\n");
}

static void write_call(struct text *out, const struct script *s)
{
    size_t keys = 0, arguments = 0;
    for (size_t i = 0; i < s->key_count; i++) {
        keys += s->keys[i].used;
    }
    for (size_t i = 0; i < s->argument_count; i++) {
        arguments += s->arguments[i].used;
    }
    const char *more = !s->tail.name ? ""
                       : s->tail_of
                           ? print(" + script_call_field_words(RECORD_%s, in->%s)", s->tail_of, s->tail.name)
                           : print(" + %zu * in->%s_count", s->column_count ? s->column_count : 1, s->tail.name);
    const struct declared_value *last = s->column_count ? &s->columns[s->column_count - 1] : NULL;
    bool is_long = last && record_is(last->type);
    const char *count = !is_long ? ""
                                 : print("    size_t more = 0;\n    for (size_t i = 0; i < in->%s_count; i++) {\n"
                                         "        more += script_call_field_words(RECORD_%s, &in->%s[i].%s);\n    }\n",
                                         s->tail.name, last->type, s->tail.name, last->name);
    text_print(out,
               "\nsize_t script_%s_add(struct store_batch *b, const struct script_%s *in)\n{\n%s"
               "    struct script_call c = script_call_begin(b, SCRIPT_%s, %s, %zu, %zu%s);\n",
               s->name, s->shape, count, calls_upper(s->name), bucket_of(s), keys, arguments,
               is_long ? print("%s + more", more) : more);
    for (size_t i = 0; i < s->key_count; i++) {
        if (s->keys[i].used) {
            write_key(out, &s->keys[i]);
        }
    }
    for (size_t i = 0; i < s->argument_count; i++) {
        if (s->arguments[i].used) {
            write_value(out, &s->arguments[i], "in->", "    ");
        }
    }
    if (s->tail.name) {
        write_tail(out, s);
    }
    text_print(out, "    return script_call_end(&c);\n}\n");
}

static void write_taken(struct text *out, const struct script *s, const struct declared_value *v, size_t at)
{
    const char *item = print("store_item(r, %zu)", at), *indent = "    ";
    const char *value = strcmp(v->type, "id") == 0       ? print("id_parse(store_text(%s))", item)
                        : strcmp(v->type, "number") == 0 ? print("store_integer(%s)", item)
                        : strcmp(v->type, "flag") == 0   ? print("store_integer(%s) == 1", item)
                        : strcmp(v->type, "text") == 0   ? print("store_text(%s)", item)
                        : strcmp(v->type, "any") == 0    ? item
                                                         : NULL;
    if (value) {
        text_print(out, "%sout->%s = %s;\n", indent, v->name, value);
    } else if (calls_is_choice(v->type)) {
        text_print(out, "%s{\n%s    static const char *const words[] = {", indent, indent);
        calls_each_word(v->type, print_string, out, "");
        text_print(out,
                   "};\n%s    out->%s = (enum script_%s_%s)script_call_choice(%s, words, sizeof(words) / "
                   "sizeof(words[0]));\n%s}\n",
                   indent, v->name, s->shape, calls_lower(v->name), item, indent);
    } else {
        text_print(out, "%srecord_%s_take(%s, %s_SHOWN, &out->%s);\n", indent, calls_lower(v->type), item, v->type,
                   v->name);
    }
}

/* A script that answers no word: its values from the first item on. */
static void write_returns(struct text *out, const struct script *s, const struct declared_answer *a)
{
    text_print(out, "\nbool script_%s_take(const struct store_reply *r, struct script_%s_reply *out)\n{\n", s->name,
               s->shape);
    for (size_t i = 0; i < a->count; i++) {
        write_taken(out, s, &a->values[i], i);
    }
    text_print(out, "    return r->type == STORE_ARRAY && r->count >= %zu;\n}\n", a->count);
}

/* Texts and lists of another answer are empty, not NULL. */
static void write_empty(struct text *out, const struct script *s)
{
    text_print(out, "    *out = (struct script_%s_reply){.answer = script_answer(r)", s->shape);
    for (size_t i = 0; i < s->answer_count; i++) {
        for (size_t j = 0; j < s->answers[i].count; j++) {
            const struct declared_value *v = &s->answers[i].values[j];
            if (!calls_is_again(s, i, v) && strcmp(v->type, "text") == 0) {
                text_print(out, ", .%s = \"\"", v->name);
            } else if (!calls_is_again(s, i, v) && strcmp(v->type, "any") == 0) {
                text_print(out, ", .%s = store_item(r, SIZE_MAX)", v->name);
            }
        }
    }
    text_print(out, "};\n");
}

static void write_take(struct text *out, const struct script *s)
{
    if (!calls_has_values(s)) {
        return;
    }
    if (!s->answers[0].id) {
        write_returns(out, s, &s->answers[0]);
        return;
    }
    text_print(out, "\nvoid script_%s_take(const struct store_reply *r, struct script_%s_reply *out)\n{\n", s->name,
               s->shape);
    write_empty(out, s);
    text_print(out, "    switch ((int)out->answer) {\n");
    for (size_t i = 0; i < s->answer_count; i++) {
        if (s->answers[i].count) {
            text_print(out, "    case ANSWER_%s:\n", s->answers[i].id);
            for (size_t j = 0; j < s->answers[i].count; j++) {
                write_taken(out, s, &s->answers[i].values[j], j + 1);
            }
            text_print(out, "    break;\n");
        }
    }
    text_print(out, "    }\n}\n");
}

void calls_write_source(struct text *out, struct script *const *scripts, size_t count)
{
    text_print(out, "%s", calls_made);
    text_print(out, "#include \"store/calls.h\"\n\n#include \"base/id.h\"\n#include \"store/keys.h\"\n#include "
                    "\"store/script_call.h\"\n"
                    "#include \"store/store.h\"\n");
    for (size_t i = 0; i < count; i++) {
        if (scripts[i]->typed) {
            write_call(out, scripts[i]);
            write_take(out, scripts[i]);
        }
    }
}
