/* app.c - `retwis app ...`: applications and their tokens, for tests and bots, which can say what they are to be.
 *
 * Threads: the main thread.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "social/people/app.h"
#include "social/people/code.h"
#include "social/people/scope.h"
#include "social/people/token.h"
#include "social/people/user.h"
#include "social/people/visit.h"

#define USUAL_SCOPES "read write follow push"
#define OWN_NAME "command line" /* of an application that nobody has named */

static int complain(enum err e, const char *what)
{
    if (e == ERR_NOT_FOUND) {
        fprintf(stderr, "retwis: there is no %s\n", what);
    } else if (e != ERR_OK) {
        fprintf(stderr, "retwis: %s\n", err_info(e)->help);
    }
    return e == ERR_OK ? COMMAND_OK : COMMAND_FAILED;
}

/* An option of the call, or what stands for it. */
static const char *option_or(const struct command_call *c, const char *name, const char *otherwise)
{
    const char *value = command_option(c, name);
    return value ? value : otherwise;
}

/* False after a message. */
static bool check_secret(const char *secret)
{
    bool is_fit = !secret || app_secret_is_fit(secret);
    if (!is_fit) {
        fprintf(stderr, "retwis: a secret is 20 to 64 letters, digits, - and _\n");
    }
    return is_fit;
}

/* Likewise. */
static bool check_scopes(const char *words, uint64_t *scopes)
{
    bool is_known = scope_parse(words, scopes);
    if (!is_known) {
        fprintf(stderr, "retwis: there is no such scope; there are:");
        for (unsigned i = 0; i < SCOPE_COUNT; i++) {
            fprintf(stderr, " %s", scope_name(i));
        }
        fprintf(stderr, "\n");
    }
    return is_known;
}

/* --- create -------------------------------------------------------------------------------------------------------- */

/* Says which rule is broken, by its name: the sentences of the site are for its visitors. */
static int complain_of_form(enum err e, const struct problems *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        fprintf(stderr, "retwis: %s is not right\n", p->items[i].field);
    }
    if (e == ERR_TAKEN) {
        fprintf(stderr, "retwis: there is an application of this id\n");
    }
    return p->count || e == ERR_TAKEN ? COMMAND_FAILED : complain(e, "");
}

static int create_app(struct context *x, const struct command_call *c, const char *name, struct app *app)
{
    const char *id = command_option(c, "id"), *secret;
    const struct app_form form = {.name = name,
                                  .website = command_option(c, "website"),
                                  .redirects = option_or(c, "redirect-uri", APP_OUT_OF_BAND),
                                  .scopes = option_or(c, "scopes", USUAL_SCOPES),
                                  .id = id ? id_parse(id) : 0,
                                  .secret = command_option(c, "secret")};
    if (id && !form.id) {
        fprintf(stderr, "retwis: an id has %d digits\n", ID_DIGITS);
        return COMMAND_USAGE;
    }
    if (!check_secret(form.secret)) {
        return COMMAND_USAGE;
    }
    struct problems problems = {.count = 0};
    const struct actor by = context_actor(x, 0);
    enum err e = app_create(x->social, x->arena, &by, &form, app, &secret, &problems);
    if (e == ERR_OK) {
        printf("client_id %" PRIu64 "\nclient_secret %s\n", app->id, secret);
    }
    return complain_of_form(e, &problems);
}

int command_app_create(struct command_call *c)
{
    struct context x;
    struct app app;
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = create_app(&x, c, c->arguments[0], &app);
    }
    context_close(&x);
    return status;
}

/* --- token --------------------------------------------------------------------------------------------------------- */

/* The application of the call; without one, a new one. */
static enum err find_app(struct context *x, const struct command_call *c, struct app *app)
{
    const char *client_id = command_option(c, "app"), *secret;
    if (client_id) {
        return app_find(x->social, x->arena, client_id, app);
    }
    struct problems problems = {.count = 0};
    const struct app_form form = {
        .name = OWN_NAME, .redirects = APP_OUT_OF_BAND, .scopes = option_or(c, "scopes", USUAL_SCOPES)};
    const struct actor by = context_actor(x, 0);
    return app_create(x->social, x->arena, &by, &form, app, &secret, &problems);
}

static int make_token(struct context *x, const struct command_call *c)
{
    const char *name = c->arguments[0], *secret = command_option(c, "secret");
    struct user user = {.id = 0};
    struct app app;
    struct token_made made;
    struct problems problems = {.count = 0};
    struct token_grant grant = {.app = &app, .secret = secret};
    if (!check_scopes(option_or(c, "scopes", USUAL_SCOPES), &grant.scopes) || !check_secret(secret)) {
        return COMMAND_USAGE;
    }
    enum err e = name ? user_find(x->social, x->arena, name, &user, NULL, NULL) : ERR_OK;
    if (e != ERR_OK) {
        return complain(e, arena_printf(x->arena, "user \"%s\"", name));
    }
    e = find_app(x, c, &app);
    if (e == ERR_OK && !scope_covers(app.scopes, grant.scopes)) {
        fprintf(stderr, "retwis: the application may ask for no more than %s\n", scope_words(x->arena, app.scopes));
        return COMMAND_FAILED;
    }
    const struct actor by = context_actor(x, user.id);
    if (e == ERR_OK) {
        e = name ? token_create(x->social, x->arena, &by, &grant, &made)
                 : token_create_own(x->social, x->arena, &by, &grant, &made, &problems);
    }
    if (e == ERR_OK) {
        puts(made.text);
    }
    return complain(e, "such application");
}

int command_app_token(struct command_call *c)
{
    struct context x;
    if (!c->arguments[0] && !command_option(c, "app")) {
        fprintf(stderr, "retwis: whose token it is to be has to be said: a name, or --app\n");
        return COMMAND_USAGE;
    }
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = make_token(&x, c);
    }
    context_close(&x);
    return status;
}

/* --- code ---------------------------------------------------------------------------------------------------------- */

/* COMMAND_OK if the application may be given such a code. */
static int check_code(struct context *x, const struct code_grant *grant)
{
    if (!scope_covers(grant->app->scopes, grant->scopes)) {
        fprintf(stderr, "retwis: the application may ask for no more than %s\n",
                scope_words(x->arena, grant->app->scopes));
        return COMMAND_FAILED;
    }
    if (!app_has_redirect(grant->app, grant->redirect)) {
        fprintf(stderr, "retwis: the application has not registered %s\n", grant->redirect);
        return COMMAND_FAILED;
    }
    if (grant->challenge && !code_challenge_is_fit(grant->challenge)) {
        fprintf(stderr, "retwis: a challenge is 43 letters, digits, - and _\n");
        return COMMAND_USAGE;
    }
    return COMMAND_OK;
}

static int make_code(struct context *x, const struct command_call *c)
{
    struct user user;
    struct app app;
    const char *code;
    struct code_grant grant = {.app = &app,
                               .redirect = option_or(c, "redirect-uri", APP_OUT_OF_BAND),
                               .challenge = command_option(c, "challenge")};
    if (!check_scopes(option_or(c, "scopes", USUAL_SCOPES), &grant.scopes)) {
        return COMMAND_USAGE;
    }
    enum err e = user_find(x->social, x->arena, c->arguments[0], &user, NULL, NULL);
    if (e != ERR_OK) {
        return complain(e, arena_printf(x->arena, "user \"%s\"", c->arguments[0]));
    }
    e = app_find(x->social, x->arena, c->arguments[1], &app);
    int status = e == ERR_OK ? check_code(x, &grant) : COMMAND_OK;
    if (e == ERR_OK && status == COMMAND_OK) {
        const struct actor by = context_actor(x, user.id);
        e = code_create(x->social, x->arena, &by, &grant, &code);
        if (e == ERR_OK) {
            puts(code);
        }
    }
    return status == COMMAND_OK ? complain(e, "such application") : status;
}

int command_app_code(struct command_call *c)
{
    struct context x;
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = make_code(&x, c);
    }
    context_close(&x);
    return status;
}

/* --- list, revoke -------------------------------------------------------------------------------------------------- */

static void print_token(struct context *x, uint64_t uid, const struct token *t)
{
    char created[CLOCK_ISO_SIZE], seen[CLOCK_ISO_SIZE];
    clock_iso(t->created_ms, created);
    clock_iso(t->seen_ms, seen);
    printf("%" PRIu64 ":%s\t%" PRIu64 "\t%s\t%s\t%s\t%s\n", uid, t->id, t->app_id, created, seen,
           scope_words(x->arena, t->scopes), t->app_name);
}

int command_app_list(struct command_call *c)
{
    struct context x;
    struct user user;
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        enum err e = user_find(x.social, x.arena, c->arguments[0], &user, NULL, NULL);
        struct visit *v = visit_begin_as(x.social, x.arena, user.id);
        const struct token_list *list = e == ERR_OK ? token_list_ask(v) : NULL;
        e = e == ERR_OK ? visit_read(v) : e;
        for (size_t i = 0; e == ERR_OK && i < list->count; i++) {
            print_token(&x, user.id, &list->tokens[i]);
        }
        status = complain(e, arena_printf(x.arena, "user \"%s\"", c->arguments[0]));
    }
    context_close(&x);
    return status;
}

/* A token, the name of one as the list has it, or an application. */
static enum err revoke(struct context *x, const char *what)
{
    char hash[SECRET_HASH_SIZE];
    uint64_t id;
    size_t ended = 1;
    enum err e;
    if (token_parse(what, &id, hash)) {
        const struct actor by = context_actor(x, 0);
        e = token_revoke(x->social, x->arena, &by, what, 0);
    } else if (strlen(what) > ID_DIGITS && what[ID_DIGITS] == ':') {
        const struct actor owner = context_actor(x, id_parse_n(what, ID_DIGITS));
        e = token_end(x->social, x->arena, &owner, what + ID_DIGITS + 1, &ended);
    } else {
        const struct actor by = context_actor(x, 0);
        id = id_parse(what);
        e = id ? app_end(x->social, x->arena, &by, id) : ERR_NOT_FOUND;
    }
    return e == ERR_OK && ended == 0 ? ERR_NOT_FOUND : e;
}

int command_app_revoke(struct command_call *c)
{
    struct context x;
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        status = complain(revoke(&x, c->arguments[0]), "such token or application");
    }
    context_close(&x);
    return status;
}
