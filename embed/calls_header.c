/* calls_header.c - see calls.h: the types and functions that C sees. */
#include <string.h>

#include "calls_parts.h"
#include "tool.h"

static void print_enumerator(struct text *out, const char *word, const char *prefix)
{
    text_print(out, "%s_%s, ", prefix, calls_upper(word));
}

/* The C type of a member, with what stands between it and the name. */
static const char *c_type(const struct script *s, const struct declared_value *v)
{
    static const struct {
        const char *type, *c;
    } types[] = {{"id", "uint64_t "},      {"number", "int64_t "},
                 {"hex", "uint64_t "},     {"packed", "struct script_packed "},
                 {"text", "const char *"}, {"flag", "bool "},
                 {"bucket", "unsigned "},  {"any", "const struct store_reply *"}};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(types[i].type, v->type) == 0) {
            return types[i].c;
        }
    }
    return calls_is_choice(v->type) ? print("enum script_%s_%s ", s->shape, calls_lower(v->name))
                                    : print("struct record_%s ", calls_lower(v->type));
}

/* --- what is written once, though several scripts bring it ------------------------------------------------------------ */

struct once {
    const char *name, *text, *by;
};
static struct once written[256];
static size_t written_count;

/* False when it stands there already; two of one name must be the same. */
static bool write_once(const char *name, const char *text, const char *by)
{
    for (size_t i = 0; i < written_count; i++) {
        if (strcmp(written[i].name, name) == 0) {
            if (strcmp(written[i].text, text) != 0) {
                fail("%s and %s declare %s, but not the same", written[i].by, by, name);
            }
            return false;
        }
    }
    if (written_count == sizeof(written) / sizeof(written[0])) {
        fail("too many scripts: make `written` larger in calls.c");
    }
    written[written_count++] = (struct once){name, text, by};
    return true;
}

/* --- the header ------------------------------------------------------------------------------------------------------ */

static void declare_choice(struct text *out, const struct script *s, const struct declared_value *v)
{
    if (calls_is_choice(v->type)) {
        struct text one = {0};
        const char *name = print("enum script_%s_%s", s->shape, calls_lower(v->name));
        text_print(&one, "%s { ", name);
        calls_each_word(v->type, print_enumerator, &one, print("%s_%s", calls_upper(s->shape), calls_upper(v->name)));
        text_print(&one, "};\n");
        if (write_once(name, one.data, s->path)) {
            text_print(out, "%s", one.data);
        }
    }
}

static void print_member(struct text *out, const struct script *s, const struct declared_value *v, const char *name)
{
    text_print(out, "    %s%s;", c_type(s, v), name);
    text_print(out, v->note ? " /* %s */\n" : "\n", v->note);
}

/* struct script_<group> of the members group.a, group.b; and the member `group` where it comes first. */
static void declare_group(struct text *out, struct text *members, const struct script *s, size_t first)
{
    const char *name = s->arguments[first].name;
    size_t length = strcspn(name, ".");
    for (size_t i = 0; i < first; i++) {
        if (strncmp(s->arguments[i].name, name, length + 1) == 0) {
            return;
        }
    }
    struct text one = {0};
    const char *group = copy(name, length), *type = print("struct script_%s", group);
    text_print(&one, "%s {\n", type);
    for (size_t i = first; i < s->argument_count; i++) {
        if (strncmp(s->arguments[i].name, name, length + 1) == 0) {
            print_member(&one, s, &s->arguments[i], s->arguments[i].name + length + 1);
        }
    }
    text_print(&one, "};\n");
    if (write_once(type, one.data, s->path)) {
        text_print(out, "%s", one.data);
    }
    text_print(members, "    %s %s;\n", type, group);
}

static void declare_tail(struct text *out, struct text *members, const struct script *s)
{
    const char *type = s->tail.type, *name = s->tail.name;
    const char *row = print("struct script_%s_row", s->shape);
    if (!name) {
        return;
    }
    if (strcmp(type, "fields") == 0) {
        text_print(members, "    const struct record_%s *%s;", calls_lower(s->tail_of), name);
    } else {
        for (size_t i = 0; i < s->column_count; i++) {
            declare_choice(out, s, &s->columns[i]);
        }
        if (s->column_count) {
            text_print(out, "%s {\n", row);
            for (size_t i = 0; i < s->column_count; i++) {
                print_member(out, s, &s->columns[i], s->columns[i].name);
            }
            text_print(out, "};\n");
        }
        const char *of = s->column_count              ? print("%s ", row)
                         : strcmp(type, "ids") == 0   ? "uint64_t "
                         : strcmp(type, "texts") == 0 ? "char *const "
                                                      : "int64_t ";
        text_print(members, "    const %s*%s;\n    size_t %s_count;", of, name, name);
    }
    text_print(members, s->tail.note ? " /* %s */\n" : "\n", s->tail.note);
}

static void declare_call(struct text *out, const struct script *s)
{
    struct text before = {0}, members = {0}, whole = {0};
    for (size_t i = 0; i < s->argument_count; i++) {
        const struct declared_value *v = &s->arguments[i];
        declare_choice(&before, s, v);
        if (strchr(v->name, '.')) {
            declare_group(&before, &members, s, i);
        } else if (strcmp(v->type, "prefix") != 0) {
            print_member(&members, s, v, v->name);
        }
    }
    declare_tail(&before, &members, s);
    text_print(&whole, "struct script_%s {\n%s};\n", s->shape, members.data ? members.data : "    char nothing;\n");
    if (write_once(print("struct script_%s", s->shape), whole.data, s->path)) {
        text_print(out, "%s%s", before.data ? before.data : "", whole.data);
    }
    text_print(out, "size_t script_%s_add(struct store_batch *b, const struct script_%s *in);\n", s->name, s->shape);
}

static void declare_reply(struct text *out, const struct script *s)
{
    struct text before = {0}, whole = {0};
    bool has_word = s->answers[0].id != NULL;
    if (!calls_has_values(s)) {
        return;
    }
    text_print(&whole, "struct script_%s_reply {\n%s", s->shape, has_word ? "    enum answer answer;\n" : "");
    for (size_t i = 0; i < s->answer_count; i++) {
        for (size_t j = 0; j < s->answers[i].count; j++) {
            const struct declared_value *v = &s->answers[i].values[j];
            if (!calls_is_again(s, i, v)) {
                declare_choice(&before, s, v);
                print_member(&whole, s, v, v->name);
            }
        }
    }
    text_print(&whole, "};\n");
    if (write_once(print("struct script_%s_reply", s->shape), whole.data, s->path)) {
        text_print(out, "%s%s", before.data ? before.data : "", whole.data);
    }
    text_print(out, "%s script_%s_take(const struct store_reply *r, struct script_%s_reply *out);\n",
               has_word ? "void" : "bool", s->name, s->shape);
}

static void print_comment(struct text *out, const struct script *s)
{
    text_print(out, "\n/* %s.lua: ", s->name);
    for (const char *at = s->says; *at; at++) {
        if (*at == '\n') {
            text_print(out, "\n * ");
        } else if (at[0] == '*' && at[1] == '/') {
            text_print(out, "* ");
        } else {
            text_print(out, "%c", *at);
        }
    }
    text_print(out, " */\n");
}

void calls_write_header(struct text *out, struct script *const *scripts, size_t count)
{
    text_print(out, "%s", calls_made);
    text_print(
        out, "#ifndef STORE_CALLS_H\n#define STORE_CALLS_H\n\n#include <stdbool.h>\n#include <stddef.h>\n#include "
             "<stdint.h>\n\n"
             "#include \"store/answer.h\"\n#include \"store/record.h\"\n\nstruct store_batch;\nstruct store_reply;\n\n"
             "/* Ids; scripts get 8 bytes of each, the highest first. */\n"
             "struct script_packed {\n    const uint64_t *items;\n    size_t count;\n};\n");
    for (size_t i = 0; i < count; i++) {
        if (scripts[i]->typed) {
            print_comment(out, scripts[i]);
            declare_call(out, scripts[i]);
            declare_reply(out, scripts[i]);
        }
    }
    text_print(out, "\n#endif\n");
}

void calls_write_ids(struct text *out, struct script *const *scripts, size_t count)
{
    text_print(out, "%s", calls_made);
    text_print(out, "#ifndef STORE_SCRIPT_IDS_H\n#define STORE_SCRIPT_IDS_H\n\n#define SCRIPT_TABLE(X)");
    for (size_t i = 0; i < count; i++) {
        text_print(out, " \\\n    X(%s, \"%s\")", calls_upper(scripts[i]->name), scripts[i]->name);
    }
    text_print(out, "\n\n/* Each word that a script may answer. */\n#define SCRIPT_REPLY_TABLE(X)");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < scripts[i]->answer_count; j++) {
            if (scripts[i]->answers[j].id) {
                text_print(out, " \\\n    X(%s, %s)", calls_upper(scripts[i]->name), scripts[i]->answers[j].id);
            }
        }
    }
    text_print(out, "\n\n#endif\n");
}
