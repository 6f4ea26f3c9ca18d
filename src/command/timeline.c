/* timeline.c - `retwis timeline show` and `rebuild`: shows what is on somebody's home page, and makes it anew.
 *
 * Showing is a visit by the same functions as the page's, so it also builds a missing home.
 *
 * Threads: the main thread.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "command/progress.h"
#include "social/people/user.h"
#include "social/people/visit.h"
#include "social/timelines/home.h"
#include "social/timelines/rebuild.h"

#define SHOWN 20
#define SHOWN_MAX 1000000

static int timeline_fail(enum err e, const char *name)
{
    if (e == ERR_OK) {
        return COMMAND_OK;
    }
    fflush(stdout);
    if (e == ERR_NOT_FOUND) {
        fprintf(stderr, "retwis: there is no user \"%s\"\n", name);
    } else {
        fprintf(stderr, "retwis: %s\n", err_info(e)->help);
    }
    return COMMAND_FAILED;
}

/* --- show ---------------------------------------------------------------------------------------------------------- */

static void print(const struct post *p, enum home_source source)
{
    static const char *const words[] = {[HOME_CACHED] = "cache", [HOME_TAGGED] = "tag", [HOME_MERGED] = "merge"};
    char time[CLOCK_ISO_SIZE];
    clock_iso(id_ms(p->id), time);
    printf("%" PRIu64 "  %s  %-30s  %s\n", p->id, time, p->author.name, words[source]);
}

/* Prints one page and moves the cursor below it. */
static enum err show_page(struct context *x, uint64_t uid, struct timeline_query *q, bool *more)
{
    struct arena *a = arena_new();
    struct visit *v = visit_begin_as(x->social, a, uid);
    const struct home *home = home_ask(v, q);
    enum err e = visit_read(v);
    const struct timeline_page *page = &home->page;
    for (size_t i = 0; e == ERR_OK && i < page->count; i++) {
        print(&page->posts[i], home_source(home, page->posts[i].id));
        q->max_id = page->posts[i].id;
    }
    *more = e == ERR_OK && page->has_older && page->count;
    arena_free(a);
    return e;
}

static enum err timeline_show(struct context *x, const char *name, uint64_t limit, uint64_t max_id)
{
    struct user user;
    struct timeline_query q = {.max_id = max_id};
    enum err e = user_find(x->social, x->arena, name, &user, NULL, NULL);
    bool more = true;
    while (e == ERR_OK && more && limit) {
        q.limit = limit < TIMELINE_LIMIT_MAX ? (unsigned)limit : TIMELINE_LIMIT_MAX;
        limit -= q.limit;
        e = show_page(x, user.id, &q, &more);
    }
    return e;
}

int command_timeline_show(struct command_call *c)
{
    struct context x;
    int64_t limit, max_id;
    if (!command_number(c, "limit", 1, SHOWN_MAX, SHOWN, &limit) ||
        !command_number(c, "max-id", 1, INT64_MAX, 0, &max_id)) {
        return COMMAND_USAGE;
    }
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = timeline_fail(timeline_show(&x, c->arguments[0], (uint64_t)limit, (uint64_t)max_id), c->arguments[0]);
    }
    context_close(&x);
    return status;
}

/* --- rebuild ------------------------------------------------------------------------------------------------------- */

static void progress(void *context, unsigned bucket, uint64_t done)
{
    (void)done;
    progress_show(context, "homes", bucket, ID_BUCKETS);
}

static int rebuild_everybody(struct context *x)
{
    struct progress bar = progress_begin();
    uint64_t done = 0;
    enum err e = rebuild_all(x->social, progress, &bar, &done);
    progress_end(&bar);
    printf("the homes of %" PRIu64 " users have been dropped; the next visit of each builds it again\n", done);
    return timeline_fail(e, "");
}

static int rebuild_one(struct context *x, const char *name)
{
    struct user user;
    enum err e = user_find(x->social, x->arena, name, &user, NULL, NULL);
    e = e == ERR_OK ? rebuild_home(x->social, x->arena, user.id) : e;
    if (e == ERR_OK) {
        printf("the home of %s has been dropped; the next visit builds it again\n", user.name);
    }
    return timeline_fail(e, name);
}

int command_timeline_rebuild(struct command_call *c)
{
    struct context x;
    bool all = command_option(c, "all") != NULL;
    if (all == (c->count > 0)) {
        fprintf(stderr, "retwis timeline rebuild: a name, or --all\n");
        return COMMAND_USAGE;
    }
    int status = context_open_patient(&x, c);
    if (status == COMMAND_OK) {
        status = all ? rebuild_everybody(&x) : rebuild_one(&x, c->arguments[0]);
    }
    context_close(&x);
    return status;
}
