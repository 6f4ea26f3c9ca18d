/* help.c - see help.h. Nothing here knows a command. Threads: the main thread. */
#include "command/help.h"

#include <string.h>

#include "base/text.h"
#include "command/command.h"

#define COLUMN 34 /* where explanations begin */
#define WIDTH 78
#define WORD_MAX 32
#define NEAR 3 /* a word with more mistakes than this, or in half of its letters, is not a misspelling */

/* "user add NAME" or "invite". */
static int print_synopsis(const struct command *c, FILE *out)
{
    return fprintf(out, "%s%s%s", c->name, *c->arguments ? " " : "", c->arguments);
}

static void print_padded(FILE *out, int used, const char *text)
{
    if (used >= COLUMN) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s%s\n", COLUMN - used, "", text);
}

static void help_print_row(const struct command *c, FILE *out)
{
    print_padded(out, fprintf(out, "  ") + print_synopsis(c, out), c->help);
}

static void print_wrapped(FILE *out, const char *text)
{
    while (*text) {
        size_t length = strlen(text), end = length;
        if (length > WIDTH) {
            for (end = WIDTH; end > 0 && text[end] != ' '; end--) {
            }
            end = end ? end : strcspn(text, " ");
        }
        fprintf(out, "%.*s\n", (int)end, text);
        text += end + strspn(text + end, " ");
    }
}

void help_all(const struct command *table, FILE *out)
{
    fputs("usage: retwis [-c FILE] COMMAND [ARGUMENT]...\n\n", out);
    for (const struct command *c = table; c->name; c++) {
        if (!c->hidden) {
            help_print_row(c, out);
        }
    }
    fputs(
        "\n  -c FILE, --config FILE          the configuration; else /etc/retwis/retwis.ini if it exists\n\n"
        "\"retwis COMMAND --help\" says more about one. Environment variables such as RETWIS_HTTP_LISTEN win over the\n"
        "file, see retwis.ini(5). Exit status: 0 fine, 1 it did not work, 2 wrong usage or configuration.\n",
        out);
}

void help_usage(const struct command *c, FILE *out)
{
    fputs("usage: retwis ", out);
    print_synopsis(c, out);
    for (int i = 0; i < COMMAND_OPTIONS_MAX && c->options[i].name; i++) {
        const char *value = c->options[i].value;
        fprintf(out, " [--%s%s%s]", c->options[i].name, value ? " " : "", value ? value : "");
    }
    fputc('\n', out);
}

void help_command(const struct command *c, FILE *out)
{
    help_usage(c, out);
    fprintf(out, "\n%s.\n", c->help);
    for (int i = 0; i < COMMAND_OPTIONS_MAX && c->options[i].name; i++) {
        const char *value = c->options[i].value;
        fputs(i ? "" : "\n", out);
        print_padded(out, fprintf(out, "  --%s%s%s", c->options[i].name, value ? " " : "", value ? value : ""),
                     c->options[i].help);
    }
    if (c->details) {
        fputc('\n', out);
        print_wrapped(out, c->details);
    }
}

bool help_group(const struct command *table, const char *word, FILE *out)
{
    bool any = false;
    for (const struct command *c = table; c->name; c++) {
        if (!c->hidden && command_is_in_group(c, word)) {
            fputs(any ? "" : "usage:\n", out);
            any = true;
            help_print_row(c, out);
        }
    }
    return any;
}

/* --- what was probably meant --------------------------------------------------------------------------------------- */

/* How far a word is from one of a row's words; *name is what to suggest: the group for its first word, else the
 * whole. */
static unsigned distance_to(const struct command *c, const char *word, char name[WORD_MAX + 1])
{
    size_t first = strcspn(c->name, " ");
    snprintf(name, WORD_MAX + 1, "%.*s", (int)first, c->name);
    unsigned distance = text_distance(word, name);
    unsigned second = c->name[first] ? text_distance(word, c->name + first + 1) : WORD_MAX;
    if (second < distance) {
        snprintf(name, WORD_MAX + 1, "%s", c->name);
        return second;
    }
    return distance;
}

void help_unknown(const struct command *table, const char *word)
{
    char best[WORD_MAX + 1] = "", name[WORD_MAX + 1];
    unsigned best_distance = NEAR + 1;
    for (const struct command *c = table; c->name; c++) {
        unsigned distance = distance_to(c, word, name);
        if (!c->hidden && distance < best_distance && distance * 2 < strlen(word)) {
            memcpy(best, name, sizeof(best));
            best_distance = distance;
        }
    }
    fprintf(stderr, "retwis: there is no command \"%s\"", word);
    if (*best) {
        fprintf(stderr, "; did you mean \"%s\"?", best);
    }
    fputs("\n\"retwis --help\" lists all.\n", stderr);
}
