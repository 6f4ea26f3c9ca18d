/* fragment.h - what was rendered once is kept: for each post (per template and language) a short program in which all
 * that never changes is text, and only what depends on the visitor or on the time is still looked up.
 *
 * A thing that is shown again and again is two objects: its whole, which is the same for everybody, and the visitor's
 * part, which pages make anew each time. The document has the visitor's part, and in it (fragment_mark) how the whole
 * is made and under which key its rendering is kept. The key holds all that the whole is made of, byte by byte, so what
 * is kept cannot be out of date: a post that was edited, counted up or renamed has another key. What nobody asks for any
 * longer is pushed out. The whole is made without knowing the visitor (decoration.c), so nothing of his can get into it.
 *
 * Templates and pages know nothing of this: render.c takes a fragment where there is one, specialise.c makes it.
 *
 * Threads: any. A document belongs to one.
 */
#ifndef VIEW_FRAGMENT_H
#define VIEW_FRAGMENT_H

#include <stddef.h>
#include <stdint.h>
#include <yyjson.h>

#include "base/kept.h"

struct arena;
struct fragments;
struct instruction;

/* A thing whose rendering is kept; in the arena of the document. */
struct fragment_item {
    const void *key; /* what the whole is made of */
    size_t key_size;
    yyjson_mut_val *(*make)(const void *from, const void *of); /* the whole, in the document */
    const void *from, *of;                                     /* what `make` gets */
    yyjson_mut_val *made;                                      /* NULL: not yet */
};

/* Makes the new, empty object the visitor's part of an item. */
void fragment_mark(yyjson_mut_doc *doc, yyjson_mut_val *object, struct fragment_item *item);

/* The item of which the value is the visitor's part; NULL: it is an ordinary value. */
struct fragment_item *fragment_of(yyjson_mut_val *value);

/* The whole of it. */
yyjson_mut_val *fragment_whole(struct fragment_item *item);

/* --- what is kept --------------------------------------------------------------------------------------------- */

/* Keeps at most `bytes`; 0: nothing, NULL. The caller ends it, after all programs that were found in it. */
struct fragments *fragments_new(size_t bytes);
void fragments_free(struct fragments *s);

/* The fragment of an item for the body of a section (its first instruction: another one for each template and language):
 * a program, ended by OP_STOP. NULL: it is not kept. Give it back with fragment_release. The arena is for the key. */
const struct instruction *fragment_find(struct fragments *s, struct arena *a, const struct instruction *body,
                                        const struct fragment_item *item);
void fragment_release(const struct instruction *code);

/* Keeps a copy of the program of `count` instructions, with its texts (not its names, which must outlive it), in place
 * of an older one. To be given back as well; NULL: it is too large to be kept. */
const struct instruction *fragment_keep(struct fragments *s, struct arena *a, const struct instruction *body,
                                        const struct fragment_item *item, const struct instruction *code, size_t count);

/* Where they are kept: for others who keep what they made (entity_kept.h). NULL: nothing is. */
struct kept *fragments_kept(struct fragments *s);

struct fragment_numbers {
    struct kept_numbers kept;
    uint64_t unfit; /* renderings for which the program kept could not be used: see render.c */
};
void fragments_count(struct fragments *s, struct fragment_numbers *out);
void fragments_unfit(struct fragments *s);

#endif
