/* specialise.h - runs a part of a template in advance, over what of a thing is the same for everybody: the partial
 * evaluation of the textbooks (Jones, Gomard, Sestoft 1993). Private to view/.
 *
 * What is left is a program of text and of what depends on the visitor or the time. Run over the visitor's part it writes
 * exactly what the whole template writes over both.
 *
 * Threads: any.
 */
#ifndef VIEW_SPECIALISE_H
#define VIEW_SPECIALISE_H

#include <stddef.h>

struct arena;
struct fragment_item;
struct instruction;
struct yyjson_mut_val;

/* The rest of code[from] to code[to - 1], a section's body, for this item; `part` is the visitor's part that it has just
 * now. The program is in the arena, its names are those of `code`; *count gets its length with the OP_STOP at its end.
 * NULL: the body cannot be run in advance (too deep). */
struct instruction *specialise(struct arena *a, const struct instruction *code, size_t from, size_t to,
                               struct fragment_item *item, struct yyjson_mut_val *part, size_t *count);

#endif
