/* problem.c - see problem.h. */
#include "social/problem.h"

#include <string.h>

void problem_add(struct problems *p, const char *field, const char *rule)
{
    problem_add_numbers(p, field, rule, 0, 0, 0);
}

void problem_add_numbers(struct problems *p, const char *field, const char *rule, int64_t least, int64_t most,
                         int64_t count)
{
    for (unsigned i = 0; i < p->count; i++) {
        if (strcmp(p->items[i].field, field) == 0) {
            return;
        }
    }
    if (p->count < PROBLEMS_MAX) {
        p->items[p->count++] = (struct problem){field, rule, least, most, count};
    }
}
