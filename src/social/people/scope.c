/* scope.c - see scope.h. */
#include "social/people/scope.h"

bool scope_allows(uint64_t have, const char *words)
{
    return have != 0 && words[0] != '\0';
}
