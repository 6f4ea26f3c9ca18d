/* script.h - a server-side script as the generator knows it: what its head declares, and its text as the engine gets
 * it.
 *
 * src/store/scripts/README.md describes the declarations. Every mistake ends the build with file and line: an unknown
 * word, a declared name that is not used, a name that is used and not declared.
 */
#ifndef EMBED_SCRIPT_H
#define EMBED_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "words.h"

#define SCRIPT_ROWS 32
#define SCRIPT_VALUES 10

struct declared_key {
    const char *name;          /* the Lua local */
    const struct key_row *key; /* NULL: the caller gives it whole */
    const char *of[2];         /* arguments that it is made of, in the order of its shape */
    bool may_idle;             /* of an included file: it need not be used */
    bool used;                 /* in Lua; else it is not sent */
};

/* An argument, or a value of an answer. */
struct declared_value {
    const char *name; /* may be group.member */
    const char
        *type; /* id number hex packed text flag prefix bucket any, words with | between them, or the id of a record */
    const char *note;
    bool may_idle, used; /* as above */
};

struct declared_answer {
    const char *id; /* of ANSWER_TABLE; NULL for `returns` */
    struct declared_value values[SCRIPT_VALUES];
    size_t count;
    bool used;
};

struct script {
    const char *path, *name; /* src/store/scripts/x.lua, x */
    const char *says;        /* the comment at its head */
    const char *shape;       /* struct script_<shape>: its own name, or that which it shares with another */
    bool typed;              /* declares anything at all */
    struct declared_key keys[SCRIPT_ROWS];
    size_t key_count;
    struct declared_value arguments[SCRIPT_ROWS];
    size_t argument_count;
    struct declared_value tail; /* the list at the end; name NULL: none. type: ids texts numbers fields rows */
    const char *tail_of;        /* the record of fields */
    struct declared_value columns[SCRIPT_VALUES]; /* of rows */
    size_t column_count;
    struct declared_answer answers[SCRIPT_ROWS];
    size_t answer_count;
    char *text; /* as the engine gets it */
};

struct script *script_read(const char *path);

/* NULL if there is no such argument. */
struct declared_value *script_argument(struct script *s, const char *name);
const char *script_local(const char *name); /* group.member is group_member in Lua */

#endif
