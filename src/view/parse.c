/* parse.c - the syntax of Mustache templates (mustache.github.io/mustache.5.html, the core of its specification).
 *
 * One pass over the text. Plain text and constants are collected until a tag needs an instruction, so the text between
 * two lookups is one copy at run time. A tag that stands alone on its line takes the whole line with it (not variables,
 * which leave something there). Not a validator of HTML.
 *
 * Called at load only; one thread at a time per parser.
 */
#include "view/parse.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "view/key_index.h"
#include "view/template_limits.h"

#define DELIMITER_SIZE 8
#define INDENT_MAX 64
#define MISTAKE_SIZE 1024 /* bytes of what is said about one; cut after that */

/* {{#name}} that waits for its {{/name}}. */
struct open_section {
    uint32_t index; /* of its instruction */
    const char *name;
    const char *at;
};

struct parser {
    const struct parse_host *host;
    const struct program *program;
    const char *text;
    const char *end;
    const char *at; /* what is before it is compiled */
    char opening[DELIMITER_SIZE];
    char closing[DELIMITER_SIZE];
    struct buffer pending; /* text that has no instruction yet */
    struct instruction *code;
    size_t count;
    size_t capacity;
    struct open_section open[TEMPLATE_SECTIONS];
    size_t depth;
    bool failed;
    bool is_page; /* HTML, of which quotes and line breaks may go; XML keeps them */
};

struct tag {
    char sign;         /* one of # ^ / > ! = { &, or 0 for a plain variable */
    const char *begin; /* of the opening delimiter */
    const char *after; /* the closing delimiter */
    const char *name;  /* content without sign and surrounding white space, terminated; in the arena */
};

/* --- mistakes ----------------------------------------------------------------------------------------------- */

static unsigned line_of(const struct parser *p, const char *at)
{
    unsigned line = 1;
    for (const char *c = p->text; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

__attribute__((format(printf, 3, 0))) static void report_v(struct parser *p, const char *at, const char *format,
                                                           va_list args)
{
    char text[MISTAKE_SIZE];
    vsnprintf(text, sizeof(text), format, args);
    for (char *c = text; *c; c++) { /* a tag may go over several lines, its mistake may not */
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    }
    fprintf(p->host->report, "templates/%s.html:%u: %s\n", p->program->name, line_of(p, at), text);
}

__attribute__((format(printf, 3, 4))) static void report_line(struct parser *p, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_v(p, at, format, args);
    va_end(args);
}

__attribute__((format(printf, 3, 4))) static void mistake(struct parser *p, const char *at, const char *format, ...)
{
    va_list args;
    p->failed = true;
    if (!p->host->quiet) {
        va_start(args, format);
        report_v(p, at, format, args);
        va_end(args);
    }
}

static void missing_constant(struct parser *p, const struct tag *tag)
{
    p->failed = true;
    if (!p->program->indent[0]) { /* the same text was compiled without indentation, too */
        report_line(p, tag->begin, "{{%s}} is not in %s", tag->name, p->host->missing_in);
    }
}

/* --- instructions ------------------------------------------------------------------------------------------- */

static struct instruction *push(struct parser *p, enum op op)
{
    if (p->count == p->capacity) {
        size_t size = sizeof(*p->code);
        p->code = arena_grow(p->host->arena, p->code, p->capacity * size, (p->capacity + 32) * size);
        p->capacity += 32;
    }
    struct instruction *i = &p->code[p->count++];
    *i = (struct instruction){.op = (uint16_t)op};
    return i;
}

static void flush(struct parser *p)
{
    if (p->pending.length > 0) {
        struct instruction *i = push(p, OP_TEXT);
        i->text = arena_dup_n(p->host->arena, p->pending.data, p->pending.length);
        i->length = p->pending.length;
        p->pending.length = 0;
    }
}

/* Splits "a.b.c" into the instruction; "." has no parts. */
static bool parse_set_name(struct parser *p, struct instruction *i, const char *name)
{
    if (strcmp(name, ".") == 0) {
        return true;
    }
    size_t count = 1;
    for (const char *c = name; *c; c++) {
        count += *c == '.';
    }
    struct part *parts = arena_alloc(p->host->arena, count * sizeof(*parts));
    for (size_t n = 0; n < count; n++) {
        size_t length = strcspn(name, ".");
        if (length == 0 || strcspn(name, " \t\r\n") < length) {
            return false;
        }
        parts[n] = (struct part){name, length, key_index_hash(name, length)};
        name += length + 1;
    }
    i->name = parts;
    i->parts = (uint16_t)count;
    return true;
}

/* Pushes an instruction that looks a name up; reports a name that is none. */
static void push_named(struct parser *p, enum op op, const struct tag *tag)
{
    flush(p);
    if (!parse_set_name(p, push(p, op), tag->name)) {
        mistake(p, tag->begin, "\"%s\" is not a name", tag->name);
    }
}

/* --- tags --------------------------------------------------------------------------------------------------- */

/* Whether a variable is all of an attribute's value: its quotes are written with it, if they are needed. */
static bool is_attribute(const struct parser *p, const struct tag *tag)
{
    const char *begin = tag->begin;
    return p->is_page && !tag->sign && begin - p->text >= 2 && begin[-1] == '"' && begin[-2] == '=' &&
           p->pending.length > 0 && p->end - tag->after >= 2 && tag->after[0] == '"' && strchr(" >{", tag->after[1]);
}

static void variable(struct parser *p, struct tag *tag)
{
    bool missing = false;
    const char *constant = p->host->constant(p->host->context, tag->name, &missing);
    bool is_free = is_attribute(p, tag) && (!constant || !program_needs_quotes(constant, strlen(constant)));
    if (is_free) {
        p->pending.length--;
        tag->after++;
    }
    if (missing) {
        missing_constant(p, tag);
    } else if (!constant) {
        push_named(p, tag->sign ? OP_RAW : is_free ? OP_QUOTED : OP_VALUE, tag);
    } else if (tag->sign) {
        buffer_text(&p->pending, constant);
    } else {
        buffer_html(&p->pending, constant, strlen(constant));
    }
}

static void open_section(struct parser *p, const struct tag *tag)
{
    bool missing = false;
    if (p->host->constant(p->host->context, tag->name, &missing) || missing) {
        mistake(p, tag->begin, "{{%c%s}} is a section over a constant", tag->sign, tag->name);
    }
    if (p->depth == TEMPLATE_SECTIONS) {
        mistake(p, tag->begin, "more than %d sections within each other", TEMPLATE_SECTIONS);
        return;
    }
    push_named(p, tag->sign == '#' ? OP_SECTION : OP_INVERTED, tag);
    p->open[p->depth++] = (struct open_section){(uint32_t)(p->count - 1), tag->name, tag->begin};
}

static void close_section(struct parser *p, const struct tag *tag)
{
    if (p->depth == 0 || strcmp(p->open[p->depth - 1].name, tag->name) != 0) {
        mistake(p, tag->begin, "{{/%s}} closes nothing%s%s", tag->name, p->depth ? "; open is " : "",
                p->depth ? p->open[p->depth - 1].name : "");
        return;
    }
    flush(p);
    uint32_t index = p->open[--p->depth].index;
    if (p->code[index].op == OP_SECTION) {
        push(p, OP_END)->jump = index + 1;
    }
    p->code[index].jump = (uint32_t)p->count;
}

static void parse_partial(struct parser *p, const struct tag *tag, const char *indent, size_t indent_length)
{
    if (indent_length > INDENT_MAX) { /* the text of this program is indented already: the sum of all */
        mistake(p, tag->begin, "partials are indented by more than %d columns", INDENT_MAX);
        return;
    }
    if (p->host->is_full(p->host->context)) {
        mistake(p, tag->begin, "partials are included with too many different indentations");
        return;
    }
    char *own = arena_dup_n(p->host->arena, indent, indent_length);
    const struct program *callee = p->host->partial(p->host->context, tag->name, own);
    if (!callee) {
        mistake(p, tag->begin, "there is no template \"%s\"", tag->name);
        return;
    }
    flush(p);
    push(p, OP_CALL)->callee = callee;
}

static bool set_delimiter(char *out, const char *text, size_t length)
{
    if (length == 0 || length >= DELIMITER_SIZE || memchr(text, '=', length)) {
        return false;
    }
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

/* {{=<% %>=}} */
static void delimiters(struct parser *p, const struct tag *tag)
{
    static const char space[] = " \t\r\n";
    size_t first = strcspn(tag->name, space);
    const char *second = tag->name + first + strspn(tag->name + first, space);
    if (!set_delimiter(p->opening, tag->name, first) || strpbrk(second, space) ||
        !set_delimiter(p->closing, second, strlen(second))) {
        mistake(p, tag->begin, "\"%s\" are not two delimiters", tag->name);
    }
}

/* --- text --------------------------------------------------------------------------------------------------- */

static const char *parse_find(const char *from, const char *end, const char *what)
{
    size_t length = strlen(what);
    while (from && (size_t)(end - from) >= length) {
        if (memcmp(from, what, length) == 0) {
            return from;
        }
        from = memchr(from + 1, what[0], (size_t)(end - from - 1));
    }
    return NULL;
}

/* The length of the quotes and what is in them, at the '"' that begins the value of an attribute, if they are not needed:
 * nothing but these characters, and the attribute ends there (a tag of Mustache may come first). 0: they stay. */
static size_t bare_value(const char *quote, const char *to)
{
    const char *c = quote + 1;
    while (c < to && program_is_bare(*c)) {
        c++;
    }
    bool ends = c < to && *c == '"' && (c + 1 == to || c[1] == ' ' || c[1] == '>');
    return ends && c > quote + 1 ? (size_t)(c + 1 - quote) : 0;
}

/* The length of an end tag that HTML does not need, because what follows says it, at a '<'; 0 if it is none. */
static size_t idle_end(const char *at, const char *to)
{
    static const char *const tags[] = {"</li>", "</option>"};
    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        size_t length = strlen(tags[i]);
        if ((size_t)(to - at) >= length && memcmp(at, tags[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Text between two tags of Mustache. What stands in a page for who reads the template is left out: line breaks beside
 * markup, quotes around constants, some end tags. */
static void parse_text(struct parser *p, const char *from, const char *to)
{
    for (const char *c = from; c < to; c++) {
        bool beside = c == from || c + 1 == to || c[-1] == '>' || c[1] == '<' || c[1] == '\n';
        size_t bare = *c == '"' && c > from && c[-1] == '=' ? bare_value(c, to) : 0;
        if (!p->is_page) {
            buffer_char(&p->pending, *c);
        } else if (bare) {
            buffer_add(&p->pending, c + 1, bare - 2);
            c += bare - 1;
        } else if (*c == '<' && idle_end(c, to)) {
            c += idle_end(c, to) - 1;
        } else if (*c != '\n' || !beside) {
            buffer_char(&p->pending, *c);
        }
    }
}

static bool parse_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Reads the tag at `begin`. False, with a mistake reported, if it has no end. */
static bool read_tag(struct parser *p, const char *begin, struct tag *tag)
{
    const char *inside = begin + strlen(p->opening);
    while (inside < p->end && parse_is_space(*inside)) {
        inside++;
    }
    *tag = (struct tag){.begin = begin};
    if (inside < p->end && strchr("#^/>!={&", *inside) && *inside) {
        tag->sign = *inside++;
    }
    char closing[DELIMITER_SIZE + 1] = {tag->sign == '{' ? '}' : '='};
    bool doubled = tag->sign == '{' || tag->sign == '=';
    strcpy(closing + doubled, p->closing);
    const char *stop = parse_find(inside, p->end, closing);
    if (!stop) {
        mistake(p, begin, "a tag without its \"%s\"", closing);
        return false;
    }
    tag->after = stop + strlen(closing);
    while (inside < stop && parse_is_space(*inside)) {
        inside++;
    }
    while (stop > inside && parse_is_space(stop[-1])) {
        stop--;
    }
    tag->name = arena_dup_n(p->host->arena, inside, (size_t)(stop - inside));
    return true;
}

/* True if nothing but blanks is on the tag's line (the lines of its first and last character): from `line` to
 * `next`. */
static bool is_standalone(const struct parser *p, const struct tag *tag, const char **line, const char **next)
{
    if (!tag->sign || strchr("{&", tag->sign)) {
        return false;
    }
    const char *left = tag->begin;
    while (left > p->text && (left[-1] == ' ' || left[-1] == '\t')) {
        left--;
    }
    const char *right = tag->after;
    while (right < p->end && (*right == ' ' || *right == '\t')) {
        right++;
    }
    if (right + 1 < p->end && right[0] == '\r' && right[1] == '\n') {
        right++;
    }
    if ((left > p->text && left[-1] != '\n') || (right < p->end && *right != '\n')) {
        return false;
    }
    *line = left;
    *next = right < p->end ? right + 1 : right;
    return true;
}

static void compile_tag(struct parser *p, struct tag *tag, const char *indent, size_t indent_length)
{
    switch (tag->sign) {
    case '!':
        break;
    case '#':
    case '^':
        open_section(p, tag);
        break;
    case '/':
        close_section(p, tag);
        break;
    case '>':
        parse_partial(p, tag, indent, indent_length);
        break;
    case '=':
        delimiters(p, tag);
        break;
    default:
        variable(p, tag);
        break;
    }
}

/* Compiles up to and including the next tag. False at the end of the text, or when the rest cannot be understood. */
static bool compile_next(struct parser *p)
{
    const char *begin = parse_find(p->at, p->end, p->opening);
    struct tag tag;
    if (!begin || !read_tag(p, begin, &tag)) {
        parse_text(p, p->at, p->end);
        return false;
    }
    const char *line = begin;
    const char *next = NULL; /* of a tag that is alone: behind its line */
    bool alone = is_standalone(p, &tag, &line, &next);
    parse_text(p, p->at, line);
    compile_tag(p, &tag, alone ? line : "", alone ? (size_t)(begin - line) : 0);
    p->at = alone ? next : tag.after;
    return true;
}

/* The text with the indentation before each line. */
static struct buffer indented(struct arena *a, const char *text, size_t length, const char *indent)
{
    struct buffer b = buffer_make(a);
    for (size_t i = 0; i < length; i++) {
        if (i == 0 || text[i - 1] == '\n') {
            buffer_text(&b, indent);
        }
        buffer_char(&b, text[i]);
    }
    return b;
}

bool program_parse(struct program *program, const char *text, size_t length, const struct parse_host *host)
{
    struct arena *scratch = arena_new();
    struct parser p = {.host = host, .program = program, .text = text, .opening = "{{", .closing = "}}"};
    if (program->indent[0]) {
        struct buffer b = indented(scratch, text, length, program->indent);
        p.text = buffer_string(&b);
        length = b.length;
    }
    p.end = p.text + length;
    p.at = p.text;
    p.is_page = host->is_page && strncmp(p.text, "<?xml", 5) != 0;
    p.pending = buffer_make(scratch);
    while (compile_next(&p)) {
    }
    if (p.depth > 0 && !p.failed) {
        mistake(&p, p.open[p.depth - 1].at, "{{#%s}} is not closed", p.open[p.depth - 1].name);
    }
    flush(&p);
    push(&p, OP_STOP);
    program->code = p.code;
    arena_free(scratch);
    return !p.failed;
}
