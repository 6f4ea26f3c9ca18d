/* program.h - a compiled template: what parse.c makes and render.c runs. Private to view/.
 *
 * A program is a flat array of instructions ended by OP_STOP. Names are split at their dots at compile time. A
 * partial is a call of another program, so recursion works; a partial that stands alone on an indented line is a
 * program of its own for that indentation.
 */
#ifndef VIEW_PROGRAM_H
#define VIEW_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct buffer;
struct fragments;
struct program;
struct yyjson_mut_val;

enum op {
    OP_TEXT,     /* copy bytes */
    OP_VALUE,    /* a value, escaped */
    OP_RAW,      /* a value as it is */
    OP_QUOTED,   /* a value of an attribute, escaped, in quotes if it needs them */
    OP_SECTION,  /* enter if the value is true, else go to jump */
    OP_INVERTED, /* go on if the value is false, else go to jump */
    OP_END,      /* of a section: next item from jump, or leave. Inverted sections have none */
    OP_CALL,     /* a partial */
    OP_STOP,
};

/* One part of a dotted name. */
struct part {
    const char *text;
    size_t length;
    size_t hash; /* key_index_hash of it */
};

struct instruction {
    uint16_t op;
    uint16_t parts; /* of the name; 0 is {{.}} */
    uint32_t jump;  /* index of an instruction */
    union {
        const struct part *name;
        const char *text;
        const struct program *callee;
    };
    size_t length; /* of text */
};

struct program {
    const char *name;   /* of the template */
    const char *indent; /* before each of its lines; "" for all but standalone partials */
    const struct instruction *code;
};

/* Runs a program over a document. See template_render. What is rendered once is kept in `fragments`; NULL: nothing is. */
enum err program_run(const struct program *p, struct yyjson_mut_val *root, struct fragments *fragments,
                     struct buffer *out);

/* Whether a section over this value is entered. */
bool program_is_true(struct yyjson_mut_val *v);

/* What a variable of this kind (OP_VALUE, OP_RAW, OP_QUOTED) writes. Lists and objects have no text. */
void program_write(struct buffer *out, struct yyjson_mut_val *v, enum op op);

/* Whether the value of an attribute may have this character without quotes around it, and whether this text needs them. */
bool program_is_bare(char c);
bool program_needs_quotes(const char *text, size_t length);

#endif
