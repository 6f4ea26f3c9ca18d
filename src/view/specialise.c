/* specialise.c - see specialise.h.
 *
 * A name is known when the whole has it, or what lies within the whole; it is open when it will be looked up in the
 * visitor's part or further out. A section over an open name stays one, and what is known inside of it becomes text all
 * the same: that is right as long as its value is no object or list, in which names would be looked up first. render.c
 * sees to that each time.
 *
 * Any thread.
 */
#include "view/specialise.h"

#include <string.h>
#include <yyjson.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "view/fragment.h"
#include "view/program.h"
#include "view/template_limits.h"

struct specialiser {
    struct arena *arena;
    struct instruction *out;
    size_t count, capacity;
    struct buffer text;                           /* of which there is no instruction yet */
    yyjson_mut_val *part;                         /* what it has is open */
    yyjson_mut_val *stack[TEMPLATE_SECTIONS + 1]; /* the whole and what is within; NULL: of an open section */
    size_t top;
    unsigned calls;
};

/* --- what is left --------------------------------------------------------------------------------------------- */

static struct instruction *leave_one(struct specialiser *s, struct instruction i)
{
    if (s->count == s->capacity) {
        size_t size = sizeof(*s->out);
        s->out = arena_grow(s->arena, s->out, s->capacity * size, (s->capacity + 32) * size);
        s->capacity += 32;
    }
    s->out[s->count] = i;
    return &s->out[s->count++];
}

static void leave_text(struct specialiser *s)
{
    if (s->text.length > 0) {
        const char *text = arena_dup_n(s->arena, s->text.data, s->text.length);
        leave_one(s, (struct instruction){.op = OP_TEXT, .text = text, .length = s->text.length});
        s->text.length = 0;
    }
}

/* An instruction over an open name; where it stands. */
static size_t leave_open(struct specialiser *s, const struct instruction *i)
{
    leave_text(s);
    leave_one(s, *i);
    return s->count - 1;
}

/* --- names ---------------------------------------------------------------------------------------------------- */

/* Whether the name is known, and its value, NULL where there is none. */
static bool name_is_known(const struct specialiser *s, const struct instruction *i, yyjson_mut_val **value)
{
    *value = s->stack[s->top];
    if (i->parts == 0) {
        return *value != NULL;
    }
    const struct part *name = &i->name[0];
    *value = NULL;
    for (size_t level = s->top + 1; level-- > 0 && !*value;) {
        *value = yyjson_mut_obj_getn(s->stack[level], name->text, name->length);
        if (level == 0 && yyjson_mut_obj_getn(s->part, name->text, name->length)) {
            return false; /* the visitor's part comes first */
        }
    }
    if (!*value) {
        return false;
    }
    for (size_t n = 1; n < i->parts && *value; n++) {
        *value = yyjson_mut_obj_getn(*value, i->name[n].text, i->name[n].length);
    }
    return true;
}

/* --- instructions --------------------------------------------------------------------------------------------- */

static bool special_range(struct specialiser *s, const struct instruction *code, size_t from, size_t to);

/* The body of a section over one value; NULL: an open one. */
static bool special_body(struct specialiser *s, yyjson_mut_val *value, const struct instruction *code, size_t from)
{
    if (s->top == TEMPLATE_SECTIONS) {
        return false;
    }
    s->stack[++s->top] = value;
    bool good = special_range(s, code, from + 1, code[from].jump - 1);
    s->top--;
    return good;
}

/* A section that is entered: for each item of a list. */
static bool special_known(struct specialiser *s, yyjson_mut_val *value, const struct instruction *code, size_t at)
{
    if (!yyjson_mut_is_arr(value)) {
        return special_body(s, value, code, at);
    }
    bool good = true;
    yyjson_mut_arr_iter items;
    yyjson_mut_arr_iter_init(value, &items);
    for (yyjson_mut_val *one; good && (one = yyjson_mut_arr_iter_next(&items));) {
        good = special_body(s, one, code, at);
    }
    return good;
}

static bool special_open(struct specialiser *s, const struct instruction *code, size_t at)
{
    size_t section = leave_open(s, &code[at]);
    bool good = special_body(s, NULL, code, at);
    leave_text(s);
    leave_one(s, (struct instruction){.op = OP_END, .jump = (uint32_t)section + 1});
    s->out[section].jump = (uint32_t)s->count;
    return good;
}

static bool special_section(struct specialiser *s, const struct instruction *code, size_t at)
{
    yyjson_mut_val *value;
    if (!name_is_known(s, &code[at], &value)) {
        return special_open(s, code, at);
    }
    return !program_is_true(value) || special_known(s, value, code, at);
}

static bool special_inverted(struct specialiser *s, const struct instruction *code, size_t at)
{
    yyjson_mut_val *value;
    if (name_is_known(s, &code[at], &value)) {
        return program_is_true(value) || special_range(s, code, at + 1, code[at].jump);
    }
    size_t section = leave_open(s, &code[at]);
    bool good = special_range(s, code, at + 1, code[at].jump);
    leave_text(s);
    s->out[section].jump = (uint32_t)s->count;
    return good;
}

static void special_value(struct specialiser *s, const struct instruction *i)
{
    yyjson_mut_val *value;
    if (name_is_known(s, i, &value)) {
        program_write(&s->text, value, (enum op)i->op);
    } else {
        leave_open(s, i);
    }
}

static bool special_call(struct specialiser *s, const struct program *callee)
{
    if (s->calls == TEMPLATE_PARTIALS) {
        return false;
    }
    s->calls++;
    bool good = special_range(s, callee->code, 0, SIZE_MAX);
    s->calls--;
    return good;
}

/* Up to `to`, or to the end of the program. */
static bool special_range(struct specialiser *s, const struct instruction *code, size_t from, size_t to)
{
    bool good = true;
    for (size_t i = from; good && i < to && code[i].op != OP_STOP;) {
        size_t next = i + 1;
        switch ((enum op)code[i].op) {
        case OP_TEXT:
            buffer_add(&s->text, code[i].text, code[i].length);
            break;
        case OP_VALUE:
        case OP_RAW:
        case OP_QUOTED:
            special_value(s, &code[i]);
            break;
        case OP_SECTION:
            good = special_section(s, code, i);
            next = code[i].jump;
            break;
        case OP_INVERTED:
            good = special_inverted(s, code, i);
            next = code[i].jump;
            break;
        case OP_CALL:
            good = special_call(s, code[i].callee);
            break;
        case OP_END:
        case OP_STOP:
            break;
        }
        i = next;
    }
    return good;
}

struct instruction *specialise(struct arena *a, const struct instruction *code, size_t from, size_t to,
                               struct fragment_item *item, struct yyjson_mut_val *part, size_t *count)
{
    struct specialiser s = {.arena = a, .text = buffer_make(a), .part = part};
    s.stack[0] = fragment_whole(item);
    if (!special_range(&s, code, from, to)) {
        return NULL;
    }
    leave_text(&s);
    leave_one(&s, (struct instruction){.op = OP_STOP});
    *count = s.count;
    return s.out;
}
