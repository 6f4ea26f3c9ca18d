/* parse.h - template text to program. Private to view/: parse.c knows the syntax of Mustache, template.c which
 * files and locales there are, render.c what the instructions do.
 */
#ifndef VIEW_PARSE_H
#define VIEW_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "view/program.h"

struct arena;

/* What the parser asks while it goes through a text. */
struct parse_host {
    struct arena *arena; /* for all that the program points to; the text itself is not needed afterwards */
    FILE *report;
    void *context;

    /* The constant a name stands for, e.g. "t.title_home"; NULL if the name is looked up when rendering. Sets
     * *missing if it should be a constant and there is none. */
    const char *(*constant)(void *context, const char *name, bool *missing);

    /* The program of a partial, compiled or still to be compiled; NULL if no template has that name. */
    const struct program *(*partial)(void *context, const char *name, const char *indent);

    /* Whether there can be no more programs: partials that include each other with growing indentation multiply. */
    bool (*is_full)(const void *context);

    bool is_page;           /* HTML: line breaks beside markup are left out, and quotes that need not be */
    bool quiet;             /* no lines for mistakes of syntax: they were reported with another locale */
    const char *missing_in; /* the file in which a constant is missing */
};

/* Compiles `text` into p->code; p->name and p->indent are set. False if there was a mistake, which is on the
 * report. */
bool program_parse(struct program *p, const char *text, size_t length, const struct parse_host *host);

#endif
