/* completion.c - `retwis completion`: what bash needs to complete a command line, made of the command table.
 *
 * The rows are data of the script, one line each: "NAME|OPTIONS|OPTIONS WITH A FILE". The function below them is the
 * same for every table. The package puts it where bash looks for it.
 *
 * Threads: the main thread.
 */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/commands.h"

static const char *const function = "_retwis()\n"
                                    "{\n"
                                    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                                    "    local typed='' i row name options files words=''\n"
                                    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                                    "        case ${COMP_WORDS[i]} in\n"
                                    "        -c | --config) ((i++)) ;;\n"
                                    "        -*) ;;\n"
                                    "        *) typed+=\"${typed:+ }${COMP_WORDS[i]}\" ;;\n"
                                    "        esac\n"
                                    "    done\n"
                                    "    COMPREPLY=()\n"
                                    "    if [[ $before == -c || $before == --config ]]; then\n"
                                    "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
                                    "        return\n"
                                    "    fi\n"
                                    "    while IFS='|' read -r name options files; do\n"
                                    "        if [[ \"$typed \" == \"$name \"* ]]; then\n"
                                    "            if [[ \" $files \" == *\" $before \"* ]]; then\n"
                                    "                mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
                                    "                return\n"
                                    "            fi\n"
                                    "            [[ $word == -* ]] && words=\"$options --help\"\n"
                                    "            break\n"
                                    "        elif [[ -z $typed ]]; then\n"
                                    "            words+=\" ${name%% *}\"\n"
                                    "        elif [[ $name == \"$typed \"* ]]; then\n"
                                    "            words+=\" ${name#\"$typed \"}\"\n"
                                    "        fi\n"
                                    "    done <<<\"${_retwis_commands%$'\\n'}\"\n"
                                    "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\" | sort -u)\n"
                                    "}\n"
                                    "complete -F _retwis retwis\n";

/* " --name" of each option; of those that take a file, if that is asked for. */
static void print_options(const struct command *c, bool files)
{
    for (int i = 0; i < COMMAND_OPTIONS_MAX && c->options[i].name; i++) {
        const char *value = c->options[i].value;
        if (!files || (value && strcmp(value, "FILE") == 0)) {
            printf(" --%s", c->options[i].name);
        }
    }
}

int command_completion(struct command_call *c)
{
    fputs("# bash completion for retwis(1), made by \"retwis completion\".\n_retwis_commands='", stdout);
    for (const struct command *row = c->table; row->name; row++) {
        if (!row->hidden) {
            printf("%s|", row->name);
            print_options(row, false);
            putchar('|');
            print_options(row, true);
            putchar('\n');
        }
    }
    printf("'\n\n%s", function);
    return COMMAND_OK;
}
