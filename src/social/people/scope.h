/* scope.h - what a token allows. Threads: pure functions. */
#ifndef SOCIAL_PEOPLE_SCOPE_H
#define SOCIAL_PEOPLE_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether any of these words, separated by blanks, is allowed. */
bool scope_allows(uint64_t have, const char *words);

#endif
