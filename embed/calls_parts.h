/* calls_parts.h - what calls.c and calls_header.c share. */
#ifndef EMBED_CALLS_PARTS_H
#define EMBED_CALLS_PARTS_H

#include <stdbool.h>

#include "calls.h"
#include "script.h"

extern const char calls_made[]; /* the first line of each file */

char *calls_upper(const char *name);
char *calls_lower(const char *name);

bool calls_is_choice(const char *type); /* a|b|c */

/* Calls `each` for every word of it. */
void calls_each_word(const char *type, void (*each)(struct text *out, const char *word, const char *context),
                     struct text *out, const char *context);

bool calls_has_values(const struct script *s); /* some answer brings more than its word */

/* Whether an earlier answer of the script has a value of this name, which then is the same member. */
bool calls_is_again(const struct script *s, size_t answer, const struct declared_value *v);

#endif
