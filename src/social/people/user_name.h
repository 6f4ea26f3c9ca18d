/* user_name.h - whose a name is, as the process remembers it: a guess, which the record of that user proves or refutes (user.h), so
 * nothing has to be told when a name gets another owner.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_USER_NAME_H
#define SOCIAL_PEOPLE_USER_NAME_H

#include <stdint.h>

struct arena;
struct social;

/* Remembers that the user has this name. `token`: the mark of the batch that said so (cache.h). */
void user_name_put(struct social *s, const char *folded, uint64_t uid, uint64_t token);

/* Who has the (folded) name, as far as is remembered; 0: that is not. */
uint64_t user_name_guess(struct social *s, struct arena *a, const char *folded);

#endif
