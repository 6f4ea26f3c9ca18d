/* problem_words.c - see problem_words.h. */
#include "view/problem_words.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "social/core/problem.h"
#include "view/locale.h"

const char *wait_words(struct arena *a, const struct locale *l, enum wait_words what, uint64_t seconds)
{
    static const struct {
        uint64_t from, size; /* seconds */
        const char *keys[WAIT_WORDS_KINDS];
    } units[] = {{2 * 3600, 3600, {"retry_in_hours", "error_rate_limit_hours"}},
                 {120, 60, {"retry_in_minutes", "error_rate_limit_minutes"}},
                 {0, 1, {"retry_in", "error_rate_limit"}}};
    size_t i = 0;
    while (seconds < units[i].from) {
        i++;
    }
    return locale_plural(a, l, units[i].keys[what], (seconds + units[i].size - 1) / units[i].size, NULL);
}

const char *problem_words(struct arena *a, const struct locale *l, const struct problem *problem)
{
    if (strcmp(problem->rule, RULE_WAIT) == 0) {
        return wait_words(a, l, WAIT_WORDS_LIMIT, (uint64_t)problem->count);
    }
    const char *key = arena_printf(a, "error_%s", problem->rule);
    const char *least = arena_printf(a, "%lld", (long long)problem->least);
    const char *most = arena_printf(a, "%lld", (long long)problem->most);
    if (!locale_find(l, key)) {
        return locale_plural(a, l, key, (uint64_t)problem->count, "min", least, "max", most, NULL);
    }
    const char *count = arena_printf(a, "%lld", (long long)problem->count);
    return locale_format(a, l, key, "min", least, "max", most, "count", count, NULL);
}
