/* command_line.c - see command_line.h.
 *
 * Written by hand because getopt knows neither rows nor options behind arguments in POSIX mode, and its messages do not
 * say where to read on. Options may stand anywhere after the command's name, -c also before it; after "--" everything
 * is an argument.
 *
 * Threads: the main thread.
 */
#include "command/command_line.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/panic.h"
#include "command/command.h"
#include "command/help.h"

#define ARGUMENTS_MANY 1000000

/* Takes -c FILE, -cFILE, --config FILE or --config=FILE at *p and moves it on. 1: taken; 0: is something else; -1: said
 * what is wrong. */
static int take_config(char ***p, const char **file)
{
    char *word = **p;
    if (strncmp(word, "--config=", 9) == 0) {
        *file = word + 9;
    } else if (strncmp(word, "-c", 2) == 0 && word[2]) {
        *file = word + 2;
    } else if (strcmp(word, "-c") != 0 && strcmp(word, "--config") != 0) {
        return 0;
    } else if (!(*p)[1]) {
        fprintf(stderr, "retwis: %s needs the name of a file\n", word);
        return -1;
    } else {
        *file = *++*p;
    }
    ++*p;
    return 1;
}

/* Takes the option at *p and moves it on. False: said what is wrong. */
static bool take_option(struct command_call *c, char ***p)
{
    const char *name = **p + 2;
    size_t length = strcspn(name, "=");
    int i = strncmp(**p, "--", 2) == 0 ? command_option_index(c->command, name, length) : -1;
    const struct command_option *o = i < 0 ? NULL : &c->command->options[i];
    if (!o || (!o->value && name[length])) {
        fprintf(stderr, "retwis %s: unknown option %s; see retwis %s --help\n", c->command->name, **p,
                c->command->name);
        return false;
    }
    if (!o->value) {
        c->values[i] = "";
    } else if (name[length]) {
        c->values[i] = name + length + 1;
    } else if ((*p)[1]) {
        c->values[i] = *++*p;
    } else {
        fprintf(stderr, "retwis %s: --%s needs a value: %s\n", c->command->name, o->name, o->value);
        return false;
    }
    ++*p;
    return true;
}

/* --- arguments ----------------------------------------------------------------------------------------------------- */

static bool count_is_right(const struct command_call *c)
{
    size_t least = 0, most = 0;
    for (const char *p = c->command->arguments; *p; p += strspn(p, " ")) {
        size_t length = strcspn(p, " ");
        const char *dots = strstr(p, "...");
        least += *p != '[';
        most += dots && dots < p + length ? ARGUMENTS_MANY : 1;
        p += length;
    }
    if (c->count >= least && c->count <= most) {
        return true;
    }
    fprintf(stderr, "retwis %s: %s\n", c->command->name,
            c->count < least ? "something is missing" : "too many arguments");
    help_usage(c->command, stderr);
    return false;
}

/* What follows the command's name. False: it is settled, *status says how. */
static bool parse(struct command_call *c, char **p, int *status)
{
    bool options = true;
    *status = COMMAND_USAGE;
    while (*p) {
        int config = options ? take_config(&p, &c->config_file) : 0;
        if (config < 0) {
            return false;
        }
        if (config > 0) {
            continue;
        }
        if (options && (strcmp(*p, "--help") == 0 || strcmp(*p, "-h") == 0)) {
            help_command(c->command, stdout);
            *status = COMMAND_OK;
            return false;
        }
        if (options && strcmp(*p, "--") == 0) {
            options = false;
            p++;
        } else if (options && (*p)[0] == '-' && (*p)[1]) {
            if (!take_option(c, &p)) {
                return false;
            }
        } else {
            c->arguments[c->count++] = *p++;
        }
    }
    return count_is_right(c);
}

/* A full disk is an error, not a short answer. So is a closed pipe, but that (`| head`) needs no words. */
static bool finish_output(void)
{
    int error = fflush(stdout) != 0 ? errno : 0;
    if (!error && !ferror(stdout)) {
        return true;
    }
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) != 1 || !(out.revents & POLLERR)) {
        fprintf(stderr, "retwis: standard output: %s\n", error ? strerror(error) : "could not be written");
    }
    return false;
}

static int line_run(struct command_call *c, char **rest, int argc)
{
    int status = COMMAND_OK;
    if (c->command->raw) {
        c->arguments = rest;
        while (rest[c->count]) {
            c->count++;
        }
        return c->command->run(c);
    }
    c->arguments = mem_zero((size_t)argc + 1, sizeof(char *));
    if (parse(c, rest, &status)) {
        status = c->command->run(c);
    }
    free(c->arguments);
    return finish_output() || status != COMMAND_OK ? status : COMMAND_FAILED;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int command_line_run(const struct command *table, int argc, char **argv)
{
    struct command_call c = {.table = table};
    char **p = argv + (argc > 0);
    int config = 1;
    while (*p && config > 0) {
        config = take_config(&p, &c.config_file);
        if (config < 0) {
            return COMMAND_USAGE;
        }
    }
    if (!*p) {
        help_all(table, stderr);
        return COMMAND_USAGE;
    }
    if (is_help(*p)) {
        help_all(table, stdout);
        return COMMAND_OK;
    }
    static char version[] = "version";
    if (strcmp(*p, "--version") == 0 || strcmp(*p, "-V") == 0) {
        *p = version;
    }
    int used;
    c.command = command_find(table, p, &used);
    if (c.command) {
        return line_run(&c, p + used, argc);
    }
    bool help = p[1] && is_help(p[1]);
    if (help_group(table, p[0], help ? stdout : stderr)) {
        return help ? COMMAND_OK : COMMAND_USAGE;
    }
    help_unknown(table, p[0]);
    return COMMAND_USAGE;
}
