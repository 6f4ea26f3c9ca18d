/* render.c - runs a compiled template over a JSON document.
 *
 * One loop over the instructions and one small stack: a frame for each section that is entered, holding the value
 * that names are looked up in and, for a list, what comes after it. A partial is a recursive call that shares the
 * stack, as its names are looked up in the context of the place.
 *
 * A yyjson object is a linked list, and a post has some forty members that a template asks for again and again:
 * walking the list was most of the time of a page. So an object that is asked often gets an index (key_index.h), one
 * for each level of the stack; its memory comes from the output's arena and is used again for the next item.
 *
 * The body of a section over a thing whose rendering is kept (fragment.h) is not run: its fragment is, which is made when
 * there is none. A fragment is right as long as no section in it, over a name of the visitor's part, is entered with an
 * object or a list. If one would be, what the fragment wrote is taken back, and the body is run after all.
 *
 * Any thread.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "view/fragment.h"
#include "view/key_index.h"
#include "view/program.h"
#include "view/specialise.h"
#include "view/template.h"

#define INDEX_FROM 8  /* members: fewer are searched as quickly without */
#define INDEX_AFTER 1 /* look-ups that pay for making it */

struct frame {
    yyjson_mut_val *value;
    yyjson_mut_arr_iter rest; /* of the list this value is an item of */
    bool is_item;
    bool is_indexed;
    unsigned asked;              /* look-ups in this value so far */
    struct fragment_item *thing; /* of which the value is the visitor's part; NULL: of none */
    bool is_part;                /* its fragment runs, which knows the rest */
    struct key_index index;      /* its memory is kept from value to value */
};

struct run {
    struct buffer *out;
    struct frame frames[TEMPLATE_SECTIONS + 1]; /* the first is the document */
    size_t top;
    unsigned calls;
    struct fragments *fragments; /* NULL: nothing is kept */
    bool is_fragment;            /* one runs */
    bool is_unfit;               /* it cannot be used */
};

/* --- names -------------------------------------------------------------------------------------------------- */

static yyjson_mut_val *render_member(struct run *r, struct frame *f, const struct part *name)
{
    if (!f->is_indexed && f->asked++ == INDEX_AFTER && yyjson_mut_obj_size(f->value) >= INDEX_FROM) {
        key_index_make(&f->index, f->value, r->out->arena);
        f->is_indexed = true;
    }
    yyjson_mut_val *found = f->is_indexed ? key_index_find(&f->index, name->text, name->length, name->hash)
                                          : yyjson_mut_obj_getn(f->value, name->text, name->length);
    return found || !f->thing || f->is_part ? found
                                            : yyjson_mut_obj_getn(fragment_whole(f->thing), name->text, name->length);
}

/* The further parts of a name, which may lead into a thing. */
static yyjson_mut_val *render_within(yyjson_mut_val *object, const struct part *name)
{
    yyjson_mut_val *found = yyjson_mut_obj_getn(object, name->text, name->length);
    struct fragment_item *thing = found ? NULL : fragment_of(object);
    return thing ? yyjson_mut_obj_getn(fragment_whole(thing), name->text, name->length) : found;
}

/* A dotted name: its first part is looked up from the innermost value outwards, the others in what that gave. */
static yyjson_mut_val *render_look_up(struct run *r, const struct instruction *i)
{
    if (i->parts == 0) {
        return r->frames[r->top].value;
    }
    yyjson_mut_val *found = NULL;
    for (size_t level = r->top + 1; level-- > 0 && !found;) {
        found = render_member(r, &r->frames[level], &i->name[0]);
    }
    for (size_t n = 1; n < i->parts && found; n++) {
        found = render_within(found, &i->name[n]);
    }
    return found;
}

/* --- values ------------------------------------------------------------------------------------------------- */

bool program_is_true(yyjson_mut_val *v)
{
    switch (yyjson_mut_get_type(v)) {
    case YYJSON_TYPE_NONE:
    case YYJSON_TYPE_NULL:
        return false;
    case YYJSON_TYPE_BOOL:
        return yyjson_mut_is_true(v);
    case YYJSON_TYPE_STR:
        return yyjson_mut_get_len(v) > 0;
    case YYJSON_TYPE_ARR:
        return yyjson_mut_arr_size(v) > 0;
    default:
        return true;
    }
}

static void render_number(struct buffer *out, yyjson_mut_val *v)
{
    char text[32];
    if (yyjson_mut_is_uint(v)) {
        snprintf(text, sizeof(text), "%llu", (unsigned long long)yyjson_mut_get_uint(v));
    } else if (yyjson_mut_is_sint(v)) {
        snprintf(text, sizeof(text), "%lld", (long long)yyjson_mut_get_sint(v));
    } else {
        double number = yyjson_mut_get_real(v);
        snprintf(text, sizeof(text), "%.15g", number);
        if (strtod(text, NULL) != number) {
            snprintf(text, sizeof(text), "%.17g", number);
        }
    }
    buffer_text(out, text);
}

bool program_is_bare(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("-_./:#@", c));
}

bool program_needs_quotes(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && program_is_bare(text[i])) {
        i++;
    }
    return i < length || length == 0;
}

static void render_string(struct buffer *out, yyjson_mut_val *v, enum op op)
{
    const char *text = yyjson_mut_get_str(v);
    size_t length = yyjson_mut_get_len(v);
    if (op == OP_RAW) {
        buffer_add(out, text, length);
    } else if (op == OP_QUOTED && program_needs_quotes(text, length)) {
        buffer_char(out, '"');
        buffer_html(out, text, length);
        buffer_char(out, '"');
    } else {
        buffer_html(out, text, length);
    }
}

void program_write(struct buffer *out, yyjson_mut_val *v, enum op op)
{
    switch (yyjson_mut_get_type(v)) {
    case YYJSON_TYPE_STR:
        render_string(out, v, op);
        break;
    case YYJSON_TYPE_NUM:
        render_number(out, v);
        break;
    case YYJSON_TYPE_BOOL:
        buffer_text(out, yyjson_mut_is_true(v) ? "true" : "false");
        break;
    default:
        buffer_text(out, op == OP_QUOTED ? "\"\"" : "");
        break;
    }
}

/* --- sections ----------------------------------------------------------------------------------------------- */

static void set_value(struct frame *f, yyjson_mut_val *v)
{
    f->value = v;
    f->is_indexed = false;
    f->asked = 0;
    f->thing = fragment_of(v);
    f->is_part = false;
}

/* Enters a section over a true value. False when there are too many. */
static bool section_enter(struct run *r, yyjson_mut_val *v)
{
    if (r->top == TEMPLATE_SECTIONS) {
        return false;
    }
    struct frame *f = &r->frames[++r->top];
    f->is_item = yyjson_mut_is_arr(v);
    if (f->is_item) {
        yyjson_mut_arr_iter_init(v, &f->rest);
        v = yyjson_mut_arr_iter_next(&f->rest);
    }
    set_value(f, v);
    return true;
}

/* At the end of a section: true if there is another item, which is then the innermost value. */
static bool again(struct run *r)
{
    struct frame *f = &r->frames[r->top];
    if (f->is_item && yyjson_mut_arr_iter_has_next(&f->rest)) {
        set_value(f, yyjson_mut_arr_iter_next(&f->rest));
        return true;
    }
    r->top--;
    return false;
}

/* --- the loop ----------------------------------------------------------------------------------------------- */

static enum err run_code(struct run *r, const struct instruction *code, size_t from, size_t to);

static enum err call(struct run *r, const struct program *callee)
{
    if (r->calls == TEMPLATE_PARTIALS) {
        return ERR_INVALID;
    }
    r->calls++;
    enum err e = run_code(r, callee->code, 0, SIZE_MAX);
    r->calls--;
    return e;
}

/* The fragment for the body of a section over the innermost value; NULL: there can be none. */
static const struct instruction *render_fragment(struct run *r, const struct instruction *code, size_t section)
{
    struct frame *f = &r->frames[r->top];
    const struct instruction *body = &code[section + 1];
    const struct instruction *found = fragment_find(r->fragments, r->out->arena, body, f->thing);
    if (!found) {
        size_t count;
        struct instruction *rest =
            specialise(r->out->arena, code, section + 1, code[section].jump - 1, f->thing, f->value, &count);
        found = rest ? fragment_keep(r->fragments, r->out->arena, body, f->thing, rest, count) : NULL;
    }
    return found;
}

/* Runs a fragment over the innermost value. ERR_INVALID, with is_unfit and nothing written, if it cannot be used. */
static enum err run_fragment(struct run *r, const struct instruction *kept)
{
    size_t length = r->out->length, top = r->top;
    r->frames[top].is_part = true;
    r->is_fragment = true;
    enum err e = run_code(r, kept, 0, SIZE_MAX);
    r->is_fragment = false;
    r->frames[top].is_part = false;
    if (r->is_unfit) {
        r->out->length = length;
        r->top = top;
    }
    return e;
}

/* The body of a section over a thing, the innermost value. */
static enum err run_thing(struct run *r, const struct instruction *code, size_t section)
{
    const struct instruction *kept = render_fragment(r, code, section);
    r->is_unfit = !kept;
    enum err e = kept ? run_fragment(r, kept) : ERR_INVALID;
    if (kept) {
        fragment_release(kept);
    }
    if (!r->is_unfit) {
        return e;
    }
    r->is_unfit = false;
    fragments_unfit(r->fragments);
    return run_code(r, code, section + 1, code[section].jump - 1);
}

/* Goes on in a section whose innermost value is new: things are rendered, as many as there are, up to a value that is
 * none. *next gets where to go on. */
static enum err run_items(struct run *r, const struct instruction *code, size_t section, size_t *next)
{
    *next = section + 1;
    while (r->fragments && !r->is_fragment && r->frames[r->top].thing) {
        enum err e = run_thing(r, code, section);
        if (e != ERR_OK) {
            return e;
        }
        if (!again(r)) {
            *next = code[section].jump;
            return ERR_OK;
        }
    }
    return ERR_OK;
}

static enum err run_section(struct run *r, const struct instruction *code, size_t section, size_t *next)
{
    yyjson_mut_val *v = render_look_up(r, &code[section]);
    if (!program_is_true(v)) {
        *next = code[section].jump;
        return ERR_OK;
    }
    r->is_unfit = r->is_fragment && (yyjson_mut_is_obj(v) || yyjson_mut_is_arr(v));
    if (r->is_unfit || !section_enter(r, v)) {
        return ERR_INVALID;
    }
    return run_items(r, code, section, next);
}

/* Up to `to`, or to the end of the program. */
static enum err run_code(struct run *r, const struct instruction *code, size_t from, size_t to)
{
    enum err e = ERR_OK;
    for (size_t i = from; e == ERR_OK && i < to && code[i].op != OP_STOP;) {
        size_t next = i + 1;
        switch ((enum op)code[i].op) {
        case OP_TEXT:
            buffer_add(r->out, code[i].text, code[i].length);
            break;
        case OP_VALUE:
        case OP_RAW:
        case OP_QUOTED:
            program_write(r->out, render_look_up(r, &code[i]), (enum op)code[i].op);
            break;
        case OP_SECTION:
            e = run_section(r, code, i, &next);
            break;
        case OP_INVERTED:
            next = program_is_true(render_look_up(r, &code[i])) ? code[i].jump : next;
            break;
        case OP_END:
            if (again(r)) {
                e = run_items(r, code, code[i].jump - 1, &next);
            }
            break;
        case OP_CALL:
            e = call(r, code[i].callee);
            break;
        case OP_STOP:
            break;
        }
        i = next;
    }
    return e;
}

enum err program_run(const struct program *p, struct yyjson_mut_val *root, struct fragments *fragments,
                     struct buffer *out)
{
    struct run r;
    r.out = out;
    r.top = 0;
    r.calls = 0;
    r.fragments = fragments;
    r.is_fragment = r.is_unfit = false;
    for (size_t i = 0; i <= TEMPLATE_SECTIONS; i++) {
        r.frames[i].index = (struct key_index){.capacity = 0};
    }
    r.frames[0].is_item = false;
    set_value(&r.frames[0], root);
    return run_code(&r, p->code, 0, SIZE_MAX);
}
