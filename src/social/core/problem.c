/* problem.c - see problem.h. */
#include "social/core/problem.h"

#include <string.h>

#include "base/text.h"

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

void problem_check_text(struct problems *p, const char *text, const struct problem_text_rule *rule)
{
    size_t length = strlen(text);
    int64_t count = (int64_t)text_count(text, length);
    if (!text_is_clean(text, length) || (rule->one_line && strpbrk(text, "\n\t"))) {
        problem_add(p, rule->field, rule->unclean);
    } else if (count > rule->most) {
        problem_add_numbers(p, rule->field, rule->too_long, 0, rule->most, count);
    }
}
