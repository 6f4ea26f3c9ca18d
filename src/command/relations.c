/* relations.c - `retwis follow` and `unfollow`: one account and many others, named on the command line or in a file.
 *
 * A name stands on a line of its own, or several with commas or blanks between them; # begins a comment. They go to
 * social/ in chunks of what one call takes, and each is answered with a line.
 *
 * Threads: the main thread.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/text.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "social/people/follow.h"

#define SEPARATORS " \t\r\n,"

/* All names; they live as long as the program needs them. */
struct names {
    char **items;
    size_t count, capacity;
};

static void add_name(struct names *n, const char *name)
{
    if (n->count == n->capacity) {
        n->capacity = n->capacity ? n->capacity * 2 : 64;
        n->items = mem_grow(n->items, n->capacity * sizeof(*n->items));
    }
    n->items[n->count++] = mem_dup(name + (name[0] == '@'));
}

static void free_names(struct names *n)
{
    for (size_t i = 0; i < n->count; i++) {
        free(n->items[i]);
    }
    free(n->items);
}

/* Read before the tool becomes the owner of the state directory, who may not be allowed to. */
static bool read_names(const char *path, struct names *out)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    char *line = NULL, *rest;
    size_t size = 0;
    if (!file) {
        fprintf(stderr, "retwis: %s: %s\n", path, strerror(errno));
        return false;
    }
    while (getline(&line, &size, file) >= 0) {
        line[strcspn(line, "#")] = '\0';
        for (char *name = strtok_r(line, SEPARATORS, &rest); name; name = strtok_r(NULL, SEPARATORS, &rest)) {
            add_name(out, name);
        }
    }
    bool good = !ferror(file);
    if (!good) {
        fprintf(stderr, "retwis: %s: %s\n", path, strerror(errno));
    }
    free(line);
    if (!standard) {
        fclose(file);
    }
    return good;
}

static bool collect(const struct command_call *c, struct names *out)
{
    const char *file = command_option(c, "from");
    for (size_t i = 1; i < c->count; i++) {
        add_name(out, c->arguments[i]);
    }
    if (file && !read_names(file, out)) {
        return false;
    }
    if (out->count == 0) {
        fprintf(stderr, "retwis %s: nobody is named\n", c->command->name);
    }
    return out->count > 0;
}

/* True if there is such a user, whether or not anything changed. */
static bool relations_report(const struct follow_item *item, bool on)
{
    static const char *const words[][2] = {
        [FOLLOW_CHANGED] = {"no longer followed", "followed"},
        [FOLLOW_UNCHANGED] = {"was not followed", "was followed already"},
        [FOLLOW_SELF] = {"is this account itself", "is this account itself"},
        [FOLLOW_UNKNOWN] = {"no such user", "no such user"},
    };
    printf("%s: %s\n", item->name, words[item->result][on]);
    return item->result == FOLLOW_CHANGED || item->result == FOLLOW_UNCHANGED;
}

static int relations_change(struct context *x, const struct actor *by, bool on, const struct names *names)
{
    struct problems none = {.count = 0};
    bool good = true;
    for (size_t done = 0; done < names->count;) {
        size_t n = names->count - done < FOLLOW_BATCH_MAX ? names->count - done : FOLLOW_BATCH_MAX;
        struct arena *a = arena_new();
        struct follow_item *items = arena_zero(a, n * sizeof(*items));
        for (size_t i = 0; i < n; i++) {
            items[i].name = names->items[done + i];
        }
        enum err e = follow_many(x->social, a, by, on, items, n, &none);
        for (size_t i = 0; e == ERR_OK && i < n; i++) {
            good = relations_report(&items[i], on) && good;
        }
        arena_free(a);
        if (e != ERR_OK) {
            fflush(stdout);
            fprintf(stderr, "retwis: after %zu of %zu names: %s\n", done, names->count,
                    e == ERR_CONFLICT ? "nobody may follow more than " TEXT_OF(FOLLOW_MOST) " people"
                                      : err_info(e)->help);
            return COMMAND_FAILED;
        }
        done += n;
    }
    return good ? COMMAND_OK : COMMAND_FAILED;
}

static int relations_run(struct command_call *c, bool on)
{
    struct names names = {.count = 0};
    struct context x;
    struct user user;
    if (!collect(c, &names)) {
        free_names(&names);
        return COMMAND_USAGE;
    }
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        enum err e = user_find(x.social, x.arena, c->arguments[0], &user, NULL, NULL);
        if (e == ERR_OK) {
            const struct actor by = context_actor(&x, user.id);
            status = relations_change(&x, &by, on, &names);
        } else {
            fprintf(stderr, "retwis: %s: %s\n", c->arguments[0],
                    e == ERR_NOT_FOUND ? "there is no such user" : err_info(e)->help);
            status = COMMAND_FAILED;
        }
    }
    context_close(&x);
    free_names(&names);
    return status;
}

int command_follow(struct command_call *c)
{
    return relations_run(c, true);
}

int command_unfollow(struct command_call *c)
{
    return relations_run(c, false);
}
