/* calls.h - writes the C side of the scripts: build/generated/store/calls.h and .c, with structs and functions for
 * each. */
#ifndef EMBED_CALLS_H
#define EMBED_CALLS_H

#include <stddef.h>

struct script;
struct text;

void calls_write_ids(struct text *out, struct script *const *scripts, size_t count);    /* script_ids.h */
void calls_write_header(struct text *out, struct script *const *scripts, size_t count); /* calls.h */
void calls_write_source(struct text *out, struct script *const *scripts, size_t count); /* calls.c */

#endif
