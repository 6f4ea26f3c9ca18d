/* documents.c - commands that only print: the configuration, the help, the man pages.
 *
 * retwis(1) is made of the command table and retwis.ini(5) of the table of keys, so they cannot be out of date; the
 * package build writes them with the hidden commands `man` and `config-man`.
 *
 * Threads: the main thread.
 */
#include <stdio.h>

#include "command/command.h"
#include "command/commands.h"
#include "command/help.h"
#include "config/config.h"

int command_config_example(struct command_call *c)
{
    (void)c;
    config_write_ini(stdout);
    return COMMAND_OK;
}

int command_help(struct command_call *c)
{
    int used;
    if (c->count == 0) {
        help_all(c->table, stdout);
        return COMMAND_OK;
    }
    const struct command *found = command_find(c->table, c->arguments, &used);
    if (found) {
        help_command(found, stdout);
        return COMMAND_OK;
    }
    if (help_group(c->table, c->arguments[0], stdout)) {
        return COMMAND_OK;
    }
    help_unknown(c->table, c->arguments[0]);
    return COMMAND_USAGE;
}

/* --- man pages ----------------------------------------------------------------------------------------------------- */

/* One line of text for roff: nothing of it acts as a request or an escape, and a hyphen can be copied as typed. */
static void print_roff(const char *text)
{
    if (*text == '.' || *text == '\'') {
        fputs("\\&", stdout);
    }
    for (; *text; text++) {
        if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
    }
}

static void print_paragraph(const char *request, const char *text)
{
    printf("%s\n", request);
    print_roff(text);
    putchar('\n');
}

/* "user add NAME [--admin]" with the words of the command in bold. */
static void print_man_synopsis(const struct command *c)
{
    fputs("\\fB", stdout);
    print_roff(c->name);
    fputs("\\fR", stdout);
    if (*c->arguments) {
        putchar(' ');
        print_roff(c->arguments);
    }
    for (int i = 0; i < COMMAND_OPTIONS_MAX && c->options[i].name; i++) {
        const char *value = c->options[i].value;
        fputs(" [\\fB\\-\\-", stdout);
        print_roff(c->options[i].name);
        printf("\\fR%s%s]", value ? " " : "", value ? value : "");
    }
    putchar('\n');
}

static void print_man_command(const struct command *c)
{
    fputs(".TP\n", stdout);
    print_man_synopsis(c);
    print_roff(c->help);
    fputs(".\n", stdout);
    for (int i = 0; i < COMMAND_OPTIONS_MAX && c->options[i].name; i++) {
        fputs(".RS\n.TP\n\\fB\\-\\-", stdout);
        print_roff(c->options[i].name);
        printf("\\fR%s%s\n", c->options[i].value ? " " : "", c->options[i].value ? c->options[i].value : "");
        print_roff(c->options[i].help);
        fputs("\n.RE\n", stdout);
    }
    if (c->details) {
        fputs(".IP\n", stdout);
        print_roff(c->details);
        putchar('\n');
    }
}

int command_man(struct command_call *c)
{
    printf(".TH RETWIS 1 \"\" \"retwis %s\" \"User Commands\"\n", RETWIS_VERSION);
    fputs(".SH NAME\nretwis \\- a microblogging site in one program\n"
          ".SH SYNOPSIS\n.B retwis\n[\\fB\\-c\\fR \\fIFILE\\fR] \\fICOMMAND\\fR [\\fIARGUMENT\\fR]...\n",
          stdout);
    print_paragraph(
        ".SH DESCRIPTION",
        "Retwis is a microblogging site: server, pages and data engine in one executable that needs nothing "
        "beside it. \"retwis serve\" runs the site; the other commands look after it, whether it runs at that "
        "moment or not, with the same configuration.");
    fputs(".SH COMMANDS\n", stdout);
    for (const struct command *row = c->table; row->name; row++) {
        if (!row->hidden) {
            print_man_command(row);
        }
    }
    fputs(".SH OPTIONS\n.TP\n\\fB\\-c\\fR \\fIFILE\\fR, \\fB\\-\\-config\\fR \\fIFILE\\fR\n", stdout);
    fputs("The configuration; without it, /etc/retwis/retwis.ini if that exists, else the defaults.\n"
          ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nWhat a command does and takes.\n",
          stdout);
    fputs(".SH EXIT STATUS\n.TP\n0\nFine.\n.TP\n1\nIt did not work.\n.TP\n2\nWrong usage or configuration.\n", stdout);
    print_paragraph(
        ".SH ENVIRONMENT",
        "RETWIS_SECTION_KEY, such as RETWIS_HTTP_LISTEN, wins over that key of the configuration. SUDO_USER "
        "goes into the history of settings. NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID are those of "
        "sd_notify(3).");
    print_paragraph(
        ".SH BACKUP AND RESTORE",
        "The state directory holds everything. Copied while the service is stopped, it is a backup; while the service "
        "runs, the script /usr/share/doc/retwis/examples/backup makes one, and cron can call it. To restore, stop the "
        "service, put the directory back, make retwis its owner (chown -R retwis: /var/lib/retwis), start the service, "
        "and "
        "let \"retwis check --homes\" say whether all is well. \"retwis engine-export\" writes the data for an engine "
        "of "
        "another make or version.");
    fputs(".SH FILES\n.TP\n.I /etc/retwis/retwis.ini\nThe configuration.\n"
          ".TP\n.I settings.db\nIn the state directory: what \"retwis settings\" changes.\n"
          ".TP\n.I engine/\nIn the state directory: the data of the embedded engine.\n"
          ".SH SEE ALSO\n.BR retwis.ini (5)\n",
          stdout);
    return COMMAND_OK;
}

int command_config_man(struct command_call *c)
{
    (void)c;
    printf(".TH RETWIS.INI 5 \"\" \"retwis %s\" \"File Formats\"\n", RETWIS_VERSION);
    fputs(".SH NAME\nretwis.ini \\- configuration of retwis\n.SH SYNOPSIS\n.I /etc/retwis/retwis.ini\n.br\n.I "
          "/etc/retwis/conf.d/*.ini\n",
          stdout);
    print_paragraph(
        ".SH DESCRIPTION",
        "Sections in brackets, and keys with their values: \"name = value\". A line that begins with # or ; is a "
        "comment. Everything has a default, so the file may be empty or missing. Unknown keys, wrong values and "
        "keys given twice are mistakes: all of them are listed, and nothing starts. \"retwis check-config\" "
        "looks for them, \"retwis check-config --print\" shows the values in effect.");
    print_paragraph(
        ".PP",
        "Files of the directory conf.d beside the configuration whose names end with .ini are read after it, in the "
        "order of their names; a key in a later file wins. They must belong to root or to the user that runs retwis, "
        "and "
        "not be writable by everybody. Upgrades of the package never touch them.");
    print_paragraph(
        ".PP",
        "Every key has an environment variable, which wins over all files: RETWIS_, the section, _ and the key, in "
        "capitals, such as RETWIS_HTTP_LISTEN=127.0.0.1:8080.");
    fputs(".SH KEYS\n", stdout);
    config_write_man(stdout);
    fputs(".SH SEE ALSO\n.BR retwis (1)\n", stdout);
    return COMMAND_OK;
}
