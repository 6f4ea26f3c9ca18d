/* check.c - `retwis check`: whether the data keeps its rules, one line for each kind of finding.
 *
 * A line is "error  name_orphan  2  what it is: examples". Errors are broken truth: the exit status is 1 unless
 * --repair has mended all of them. Lines of "cache" and "note" never change it: no reader sees what they are
 * about.
 *
 * Threads: the main thread.
 */
#include <inttypes.h>
#include <stdio.h>

#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "command/progress.h"
#include "upkeep/check.h"

static void check_show_progress(void *context, unsigned phase, uint64_t done, uint64_t total)
{
    static const char *const names[CHECK_PHASES] = {"keys", "names", "users", "posts and relations", "everything else"};
    char what[64];
    snprintf(what, sizeof(what), "%u/%d %-19s", phase + 1, CHECK_PHASES, names[phase]);
    progress_show(context, what, done, total);
}

static void print_kind(const struct check_report *r, enum check_kind kind, bool repair)
{
    static const char *const classes[] = {[CHECK_ERROR] = "error", [CHECK_CACHE] = "cache", [CHECK_NOTE] = "note"};
    const struct check_info *info = check_info(kind);
    uint64_t count = r->kinds[kind].count, mended = r->kinds[kind].mended;
    printf("%-5s  %-18s  %8" PRIu64 "  %s", classes[info->class], info->word, count, info->what);
    for (unsigned i = 0; i < CHECK_EXAMPLES && r->kinds[kind].examples[i]; i++) {
        printf("%s%s", i ? "; " : ": ", r->kinds[kind].examples[i]);
    }
    if (count > CHECK_EXAMPLES) {
        printf("; ...");
    }
    if (repair && *info->mended) {
        printf(" (%s: %" PRIu64 ")", info->mended, mended);
    }
    putchar('\n');
}

struct totals {
    uint64_t errors, mended, cache;
};

static struct totals print_kinds(const struct check_report *r, bool repair)
{
    struct totals t = {.errors = 0};
    for (int k = CHECK_NONE + 1; k < CHECK_KINDS; k++) {
        if (r->kinds[k].count == 0) {
            continue;
        }
        print_kind(r, (enum check_kind)k, repair);
        enum check_class class = check_info((enum check_kind)k)->class;
        t.cache += class == CHECK_CACHE ? r->kinds[k].count : 0;
        if (class == CHECK_ERROR) {
            t.errors += r->kinds[k].count;
            t.mended += r->kinds[k].mended;
        }
    }
    return t;
}

static void print_end(const struct check_report *r, const struct totals *t, bool repair, double seconds)
{
    printf("checked %" PRIu64 " keys in %.1f s: %" PRIu64 " users, %" PRIu64 " posts, %" PRIu64 " relations: ", r->keys,
           seconds, r->users, r->posts, r->relations);
    if (t->errors == 0) {
        printf("no errors%s\n", t->cache == 0 ? "" : "; the findings in the cache do no harm");
    } else if (repair) {
        printf("%" PRIu64 " errors, %" PRIu64 " mended\n", t->errors, t->mended);
    } else {
        printf("%" PRIu64 " errors; \"retwis check --repair\" mends them\n", t->errors);
    }
}

static int check(struct context *x, bool repair, bool homes)
{
    struct progress bar = progress_begin();
    struct check_report report;
    struct check_options options = {.repair = repair, .homes = homes, .progress = check_show_progress, .context = &bar};
    enum err e = check_run(x->social, x->arena, &options, &report);
    progress_end(&bar);
    struct totals t = print_kinds(&report, repair);
    if (e != ERR_OK) {
        fflush(stdout);
        fprintf(stderr, "retwis: the check was not finished: %s\n", err_info(e)->help);
        return COMMAND_FAILED;
    }
    print_end(&report, &t, repair, progress_seconds(&bar));
    return t.errors == t.mended ? COMMAND_OK : COMMAND_FAILED;
}

int command_check(struct command_call *c)
{
    struct context x;
    int status = context_open_patient(&x, c);
    if (status == COMMAND_OK) {
        status = check(&x, command_option(c, "repair") != NULL, command_option(c, "homes") != NULL);
    }
    context_close(&x);
    return status;
}
