/* complain.c - see complain.h. The main thread. */
#include "command/complain.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "social/core/problem.h"
#include "view/locale.h"

static void print_problem(struct arena *a, const struct locale *l, const struct problem *p)
{
    const char *sentence =
        locale_format(a, l, arena_printf(a, "error_%s", p->rule), "min", arena_printf(a, "%" PRId64, p->least), "max",
                      arena_printf(a, "%" PRId64, p->most), "count", arena_printf(a, "%" PRId64, p->count), NULL);
    fprintf(stderr, "retwis: %s: %s\n", p->field, sentence);
}

void complain_problems(struct arena *a, const struct problems *p)
{
    struct locales *locales = locales_load(NULL, stderr);
    for (unsigned i = 0; locales && i < p->count; i++) {
        print_problem(a, locales_find(locales, "en"), &p->items[i]);
    }
    locales_free(locales);
}
