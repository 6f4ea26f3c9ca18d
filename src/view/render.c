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
 * Any thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "view/key_index.h"
#include "view/program.h"
#include "view/template.h"

#define INDEX_FROM 8  /* members: fewer are searched as quickly without */
#define INDEX_AFTER 1 /* look-ups that pay for making it */

struct frame {
    yyjson_mut_val *value;
    yyjson_mut_arr_iter rest; /* of the list this value is an item of */
    bool is_item;
    bool is_indexed;
    unsigned asked;         /* look-ups in this value so far */
    struct key_index index; /* its memory is kept from value to value */
};

struct run {
    struct buffer *out;
    struct frame frames[TEMPLATE_SECTIONS + 1]; /* the first is the document */
    size_t top;
    unsigned calls;
};

/* --- names -------------------------------------------------------------------------------------------------- */

static yyjson_mut_val *render_member(struct run *r, struct frame *f, const struct part *name)
{
    if (!f->is_indexed && f->asked++ == INDEX_AFTER && yyjson_mut_obj_size(f->value) >= INDEX_FROM) {
        key_index_make(&f->index, f->value, r->out->arena);
        f->is_indexed = true;
    }
    return f->is_indexed ? key_index_find(&f->index, name->text, name->length, name->hash)
                         : yyjson_mut_obj_getn(f->value, name->text, name->length);
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
        found = yyjson_mut_obj_getn(found, i->name[n].text, i->name[n].length);
    }
    return found;
}

/* --- values ------------------------------------------------------------------------------------------------- */

static bool is_true(yyjson_mut_val *v)
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

/* Lists and objects have no text. */
static void write_value(struct buffer *out, yyjson_mut_val *v, bool escape)
{
    switch (yyjson_mut_get_type(v)) {
    case YYJSON_TYPE_STR:
        if (escape) {
            buffer_html(out, yyjson_mut_get_str(v), yyjson_mut_get_len(v));
        } else {
            buffer_add(out, yyjson_mut_get_str(v), yyjson_mut_get_len(v));
        }
        break;
    case YYJSON_TYPE_NUM:
        render_number(out, v);
        break;
    case YYJSON_TYPE_BOOL:
        buffer_text(out, yyjson_mut_is_true(v) ? "true" : "false");
        break;
    default:
        break;
    }
}

/* --- sections ----------------------------------------------------------------------------------------------- */

static void set_value(struct frame *f, yyjson_mut_val *v)
{
    f->value = v;
    f->is_indexed = false;
    f->asked = 0;
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

static enum err run_code(struct run *r, const struct instruction *code);

static enum err call(struct run *r, const struct program *callee)
{
    if (r->calls == TEMPLATE_PARTIALS) {
        return ERR_INVALID;
    }
    r->calls++;
    enum err e = run_code(r, callee->code);
    r->calls--;
    return e;
}

static enum err run_code(struct run *r, const struct instruction *code)
{
    const struct instruction *i = code;
    for (;;) {
        const struct instruction *next = i + 1;
        enum err e = ERR_OK;
        yyjson_mut_val *v;
        switch ((enum op)i->op) {
        case OP_TEXT:
            buffer_add(r->out, i->text, i->length);
            break;
        case OP_VALUE:
        case OP_RAW:
            write_value(r->out, render_look_up(r, i), i->op == OP_VALUE);
            break;
        case OP_SECTION:
            v = render_look_up(r, i);
            if (!is_true(v)) {
                next = code + i->jump;
            } else if (!section_enter(r, v)) {
                e = ERR_INVALID;
            }
            break;
        case OP_INVERTED:
            if (is_true(render_look_up(r, i))) {
                next = code + i->jump;
            }
            break;
        case OP_END:
            if (again(r)) {
                next = code + i->jump;
            }
            break;
        case OP_CALL:
            e = call(r, i->callee);
            break;
        case OP_STOP:
            return ERR_OK;
        }
        if (e != ERR_OK) {
            return e;
        }
        i = next;
    }
}

enum err program_run(const struct program *p, struct yyjson_mut_val *root, struct buffer *out)
{
    struct run r;
    r.out = out;
    r.top = 0;
    r.calls = 0;
    for (size_t i = 0; i <= TEMPLATE_SECTIONS; i++) {
        r.frames[i].index = (struct key_index){.capacity = 0};
    }
    r.frames[0].is_item = false;
    set_value(&r.frames[0], root);
    return run_code(&r, p->code);
}
