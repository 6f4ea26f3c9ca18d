/* command.c - see command.h. Threads: the main thread. */
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"

#define NAME_SIZE 64

bool command_is_in_group(const struct command *c, const char *word)
{
    size_t length = strlen(word);
    return strncmp(c->name, word, length) == 0 && (c->name[length] == '\0' || c->name[length] == ' ');
}

static const struct command *command_named(const struct command *table, const char *name)
{
    for (; table->name; table++) {
        if (strcmp(table->name, name) == 0) {
            return table;
        }
    }
    return NULL;
}

const struct command *command_find(const struct command *table, char *const *words, int *used)
{
    char name[NAME_SIZE];
    *used = 2;
    if (words[1] && snprintf(name, sizeof(name), "%s %s", words[0], words[1]) < NAME_SIZE) {
        const struct command *found = command_named(table, name);
        if (found) {
            return found;
        }
    }
    *used = 1;
    return command_named(table, words[0]);
}

/* --- options ------------------------------------------------------------------------------------------------------- */

int command_option_index(const struct command *c, const char *name, size_t length)
{
    for (int i = 0; i < COMMAND_OPTIONS_MAX && c->options[i].name; i++) {
        if (strlen(c->options[i].name) == length && strncmp(c->options[i].name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

const char *command_option(const struct command_call *c, const char *name)
{
    int i = command_option_index(c->command, name, strlen(name));
    require(i >= 0);
    return c->values[i];
}

bool command_number(const struct command_call *c, const char *name, int64_t min, int64_t max, int64_t otherwise,
                    int64_t *out)
{
    const char *text = command_option(c, name);
    char *end = NULL;
    *out = text ? strtoll(text, &end, 10) : otherwise;
    if (text && (end == text || *end || *out < min || *out > max)) {
        fprintf(stderr, "retwis: --%s takes a number from %lld to %lld, not \"%s\"\n", name, (long long)min,
                (long long)max, text);
        return false;
    }
    return true;
}
