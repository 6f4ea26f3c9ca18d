/* account.c - `retwis user ...`: accounts, by the same rules and functions as on the site.
 *
 * The words for a broken rule are those of the site's English catalogue, so there is one set of sentences.
 *
 * Threads: the main thread.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/secret.h"
#include "command/ask.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/complain.h"
#include "command/context.h"
#include "social/people/session.h"
#include "social/people/user.h"
#include "social/people/sign_up.h"

/* --- failures in words --------------------------------------------------------------------------------------------- */

/* Prints why it failed, and returns the exit status. */
static int fail(struct context *x, enum err e, const char *name, const struct problems *p)
{
    if (e == ERR_OK) {
        return COMMAND_OK;
    }
    if (e == ERR_NOT_FOUND) {
        fprintf(stderr, "retwis: there is no user \"%s\"\n", name);
    } else if (!p || p->count == 0) {
        fprintf(stderr, "retwis: %s\n", err_info(e)->help);
    } else {
        complain_problems(x->arena, p);
    }
    return COMMAND_FAILED;
}

/* --- add, passwd --------------------------------------------------------------------------------------------------- */

/* Passwords of a command, wiped when it is done. */
struct passwords {
    char first[ASK_SIZE], again[ASK_SIZE];
};

static int add(struct context *x, const char *name, bool admin, const struct passwords *words)
{
    struct problems problems = {.count = 0};
    struct sign_up form = {.name = name, .password = words->first, .password2 = words->again};
    const struct actor by = context_actor(x, 0);
    uint64_t id = 0;
    enum err e = user_sign_up(x->social, x->arena, &by, &form, &id, NULL, &problems);
    if (e != ERR_OK) {
        return fail(x, e, name, &problems);
    }
    if (admin) {
        e = user_set_admin(x->social, x->arena, &by, id, true);
    }
    if (e != ERR_OK) {
        fprintf(stderr, "retwis: %s exists now, but is no administrator: ", name);
        return fail(x, e, name, NULL);
    }
    printf("%s (%" PRIu64 ") has been added%s\n", name, id, admin ? " as administrator" : "");
    return COMMAND_OK;
}

int command_user_add(struct command_call *c)
{
    struct context x;
    struct passwords words = {.first = ""};
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = ask_password(command_option(c, "password-stdin") != NULL, words.first, words.again)
                     ? add(&x, c->arguments[0], command_option(c, "admin") != NULL, &words)
                     : COMMAND_FAILED;
    }
    secret_wipe(&words, sizeof(words));
    context_close(&x);
    return status;
}

static int change_password(struct context *x, const char *name, bool from_stdin, struct passwords *words)
{
    struct problems problems = {.count = 0};
    struct user user;
    enum err e = user_find(x->social, x->arena, name, &user, NULL, NULL);
    if (e != ERR_OK) {
        return fail(x, e, name, NULL);
    }
    if (!ask_password(from_stdin, words->first, words->again)) {
        return COMMAND_FAILED;
    }
    const struct actor by = context_actor(x, user.id);
    struct password_change change = {.name = user.name, .password = words->first, .password2 = words->again};
    e = session_change_password(x->social, x->arena, &by, &change, &problems);
    if (e == ERR_OK) {
        printf("%s has a new password; all sessions have ended\n", user.name);
    }
    return fail(x, e, name, &problems);
}

int command_user_passwd(struct command_call *c)
{
    struct context x;
    struct passwords words = {.first = ""};
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = change_password(&x, c->arguments[0], command_option(c, "password-stdin") != NULL, &words);
    }
    secret_wipe(&words, sizeof(words));
    context_close(&x);
    return status;
}

/* --- list ---------------------------------------------------------------------------------------------------------- */

/* A later version may know more of them. */
static const char *state_of(const struct user *u)
{
    return u->state < USER_STATES ? user_state_word(u->state) : "unknown";
}

/* Names are word characters only, so nothing needs an escape. */
static bool print_json(const struct user *u, const struct user_counts *n, void *context)
{
    char created[CLOCK_ISO_SIZE];
    (void)context;
    clock_iso(id_ms(u->id), created);
    printf("{\"name\":\"%s\",\"id\":\"%" PRIu64 "\",\"created\":\"%s\",\"posts\":%" PRId64 ",\"following\":%" PRId64
           ",\"followers\":%" PRId64 ",\"admin\":%s,\"state\":\"%s\"}\n",
           u->name, u->id, created, n->posts, n->following, n->followers, u->is_admin ? "true" : "false", state_of(u));
    return !ferror(stdout);
}

static bool print_row(const struct user *u, const struct user_counts *n, void *context)
{
    char created[CLOCK_ISO_SIZE];
    (void)context;
    clock_iso(id_ms(u->id), created);
    printf("%-30s %-18" PRIu64 " %s %8" PRId64 " %9" PRId64 " %9" PRId64 " %s%s%s\n", u->name, u->id, created, n->posts,
           n->following, n->followers, state_of(u), *state_of(u) ? " " : "", u->is_admin ? "yes" : "no");
    return !ferror(stdout);
}

int command_user_list(struct command_call *c)
{
    struct context x;
    bool json = command_option(c, "json") != NULL;
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        if (!json) {
            printf("%-30s %-18s %-24s %8s %9s %9s %s\n", "name", "id", "created", "posts", "following", "followers",
                   "admin");
        }
        status = fail(&x, user_each(x.social, json ? print_json : print_row, NULL), "", NULL);
    }
    context_close(&x);
    return status;
}

/* --- promote, demote ----------------------------------------------------------------------------------------------- */

/* What is done to an account that is named on the command line, and what is said when it is done. */
struct account_change {
    enum err (*make)(struct context *x, const struct actor *by, uint64_t id, int value);
    int value;
    const char *said; /* behind "NAME is " */
};

static int change_account(struct command_call *c, const struct account_change *change)
{
    struct context x;
    struct user user;
    const char *name = c->arguments[0];
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        enum err e = user_find(x.social, x.arena, name, &user, NULL, NULL);
        const struct actor by = context_actor(&x, 0);
        e = e == ERR_OK ? change->make(&x, &by, user.id, change->value) : e;
        if (e == ERR_OK) {
            printf("%s is %s\n", user.name, change->said);
        }
        status = fail(&x, e, name, NULL);
    }
    context_close(&x);
    return status;
}

static enum err make_admin(struct context *x, const struct actor *by, uint64_t id, int is_admin)
{
    return user_set_admin(x->social, x->arena, by, id, is_admin);
}

static enum err make_state(struct context *x, const struct actor *by, uint64_t id, int state)
{
    return user_set_state(x->social, x->arena, by, id, (enum user_state)state);
}

int command_user_promote(struct command_call *c)
{
    return change_account(c, &(struct account_change){make_admin, true, "now administrator"});
}

int command_user_demote(struct command_call *c)
{
    return change_account(c, &(struct account_change){make_admin, false, "no longer administrator"});
}

/* --- limit, suspend, restore --------------------------------------------------------------------------------------- */

int command_user_limit(struct command_call *c)
{
    return change_account(c, &(struct account_change){make_state, USER_STATE_LIMITED, "limited"});
}

int command_user_suspend(struct command_call *c)
{
    return change_account(c, &(struct account_change){make_state, USER_STATE_SUSPENDED, "suspended"});
}

int command_user_restore(struct command_call *c)
{
    return change_account(c, &(struct account_change){make_state, USER_STATE_FREE, "as everybody"});
}

/* --- delete -------------------------------------------------------------------------------------------------------- */

/* COMMAND_OK: the answer is yes. */
static int confirm(struct context *x, const char *name, bool sure)
{
    if (sure) {
        return COMMAND_OK;
    }
    if (!ask_possible()) {
        fprintf(stderr, "retwis: there is no terminal to ask whether to delete %s; confirm with --yes\n", name);
        return COMMAND_USAGE;
    }
    if (ask_yes(arena_printf(x->arena, "Delete %s and everything of this account? It cannot be undone.", name))) {
        return COMMAND_OK;
    }
    fprintf(stderr, "retwis: nothing has been deleted\n");
    return COMMAND_FAILED;
}

static int delete_user(struct context *x, const char *name, bool sure)
{
    struct user user;
    enum err e = user_find(x->social, x->arena, name, &user, NULL, NULL);
    if (e != ERR_OK) {
        return fail(x, e, name, NULL);
    }
    int status = confirm(x, user.name, sure);
    if (status != COMMAND_OK) {
        return status;
    }
    const struct actor by = context_actor(x, 0);
    e = user_delete(x->social, x->arena, &by, user.id);
    if (e == ERR_OK) {
        printf("%s has been deleted\n", user.name);
    }
    return fail(x, e, name, NULL);
}

int command_user_delete(struct command_call *c)
{
    struct context x;
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = delete_user(&x, c->arguments[0], command_option(c, "yes") != NULL);
    }
    context_close(&x);
    return status;
}
