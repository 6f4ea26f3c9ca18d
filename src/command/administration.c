/* administration.c - `retwis invite` and `retwis settings ...`: decisions of an administrator while the site runs.
 *
 * Settings need no engine: they are in settings.db, and a running server notices a change within a second.
 *
 * Threads: the main thread.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "config/config.h"
#include "config/settings.h"
#include "social/core/site.h"
#include "social/people/invite.h"

/* The code, and an address that can be sent to somebody; or why there is no such address. */
static void print_invitation(const char *public_url, const char *code)
{
    puts(code);
    if (*public_url) {
        printf("%s/auth/sign_up?invite=%s\n", public_url, code);
    } else {
        fprintf(stderr,
                "retwis: the whole address cannot be printed because http.public_url is not set in retwis.ini; "
                "its end is /auth/sign_up?invite=%s\n",
                code);
    }
}

int command_invite(struct command_call *c)
{
    struct context x;
    char code[SECRET_TOKEN_SIZE];
    int64_t uses, days;
    if (!command_number(c, "uses", 1, 100000, 1, &uses) || !command_number(c, "days", 1, 3650, 7, &days)) {
        return COMMAND_USAGE;
    }
    int status = context_open(&x, c);
    if (status == COMMAND_OK) {
        const struct actor by = context_actor(&x, 0);
        enum err e = invite_create(x.social, x.arena, &by, (unsigned)uses, (unsigned)days, code);
        if (e == ERR_OK) {
            print_invitation(x.config->http.public_url, code);
        } else {
            fprintf(stderr, "retwis: %s\n", err_info(e)->help);
            status = COMMAND_FAILED;
        }
    }
    context_close(&x);
    return status;
}

/* --- settings ------------------------------------------------------------------------------------------------------ */

static int settings_fail(enum err e, const char *name)
{
    if (e == ERR_NOT_FOUND) {
        fprintf(stderr, "retwis: there is no setting \"%s\"; \"retwis settings list\" shows all\n", name);
    } else if (e != ERR_OK) {
        fprintf(stderr, "retwis: %s\n", err_info(e)->help);
    }
    return e == ERR_OK ? COMMAND_OK : COMMAND_FAILED;
}

int command_settings_list(struct command_call *c)
{
    struct context x;
    int status = context_open_settings(&x, c);
    if (status == COMMAND_OK) {
        status = settings_fail(settings_print(x.settings, NULL, command_option(c, "verbose") != NULL, stdout), "");
    }
    context_close(&x);
    return status;
}

/* Undoes the escapes of settings_print: the value as it was set, with a newline at its end. */
static void print_plain(const char *text)
{
    for (; *text; text++) {
        bool escape = text[0] == '\\' && text[1];
        text += escape;
        putchar(escape && *text == 'n' ? '\n' : *text);
    }
}

/* The bare value, for scripts. */
static int print_value(struct context *x, const char *name)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    require(memory != NULL);
    enum err e = settings_print(x->settings, name, false, memory);
    fclose(memory);
    const char *equals = strstr(text, " = ");
    if (e == ERR_OK) {
        print_plain(equals ? equals + 3 : text);
    }
    free(text);
    return settings_fail(e, name);
}

int command_settings_get(struct command_call *c)
{
    struct context x;
    int status = context_open_settings(&x, c);
    if (status == COMMAND_OK) {
        status = print_value(&x, c->arguments[0]);
    }
    context_close(&x);
    return status;
}

/* The value, or what standard input holds for "-". NULL after a message. The caller frees. */
static char *argument_value(const char *argument)
{
    size_t n = 0, capacity = 1 << 16;
    if (strcmp(argument, "-") != 0) {
        return mem_dup(argument);
    }
    char *text = mem_zero(1, capacity);
    n = fread(text, 1, capacity, stdin);
    if (n == capacity || ferror(stdin) || memchr(text, '\0', n)) {
        fprintf(stderr, "retwis: standard input is too long, not readable, or holds NUL bytes\n");
        free(text);
        return NULL;
    }
    return text;
}

int command_settings_set(struct command_call *c)
{
    struct context x;
    char why[256] = "";
    const char *name = c->arguments[0];
    char *value = argument_value(c->arguments[1]);
    if (!value) {
        return COMMAND_FAILED;
    }
    int status = context_open_settings(&x, c);
    if (status == COMMAND_OK) {
        const struct actor by = context_actor(&x, 0);
        enum err e = site_set(x.settings, &by, name, value, why, sizeof(why));
        if (e == ERR_INVALID || e == ERR_IO || e == ERR_BUSY) {
            fprintf(stderr, "retwis: %s\n", why);
            status = COMMAND_FAILED;
        } else {
            status = settings_fail(e, name);
        }
    }
    context_close(&x);
    free(value);
    return status;
}

int command_settings_history(struct command_call *c)
{
    struct context x;
    int status = context_open_settings(&x, c);
    if (status == COMMAND_OK) {
        status = settings_fail(settings_history(x.settings, stdout), "");
    }
    context_close(&x);
    return status;
}
