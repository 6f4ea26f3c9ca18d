/* engine_check.c - see engine_check.h: we look at the logs first (aof_repair.h); then the engine's own tool
 * (valkey-check-aof, a part of the engine that is linked in) looks at everything, including the snapshot with its
 * checksum.
 *
 * The tool is a child process, `retwis engine valkey-check-aof FILE`: it ends its process, as engines do.
 */
#include "engine/engine_check.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/panic.h"
#include "engine/aof_repair.h"
#include "engine/child.h"

/* Everything it says until it is dead. */
static void listen_to(struct child *c, FILE *words)
{
    char bytes[1024];
    struct pollfd p = {.fd = c->output, .events = POLLIN};
    for (bool open = true; open;) {
        ssize_t n = read(c->output, bytes, sizeof(bytes));
        if (n > 0) {
            fwrite(bytes, 1, (size_t)n, words);
        } else if (n < 0 && errno == EAGAIN) {
            poll(&p, 1, -1);
        } else {
            open = n < 0 && errno == EINTR;
        }
    }
    while (!child_reap(c)) {
        clock_sleep_ms(1);
    }
}

/* Runs the tool; true if it ends well. Leaves its output in *said, which the caller frees. */
static bool run_tool(const char *manifest, char **said)
{
    const char *const arguments[] = {manifest, NULL};
    struct child c;
    size_t size;
    FILE *words = open_memstream(said, &size);
    require(words);
    bool ok = child_start(&c, ENGINE_TOOL, false, arguments);
    if (ok) {
        listen_to(&c, words);
        ok = WIFEXITED(c.status) && WEXITSTATUS(c.status) == 0;
        child_clear(&c);
    } else {
        fprintf(words, "cannot be started: %s\n", strerror(errno));
    }
    fclose(words);
    return ok;
}

static void print_lines(char *text, FILE *report)
{
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (*line) {
            fprintf(report, "  %s\n", line);
        }
    }
}

bool engine_check_data(const char *data_directory, bool fix, FILE *report)
{
    char *manifest = aof_manifest_path(data_directory), *said = NULL;
    bool ok = true;
    if (!aof_has_list(data_directory, report)) {
        ok = false;
    } else if (access(manifest, F_OK) != 0) {
        fprintf(report, "%s: %s: there are no data to check\n", manifest, strerror(errno));
        ok = false;
    } else {
        enum aof_state state = aof_mend_all(data_directory, fix, report);
        ok = state == AOF_WHOLE || state == AOF_MENDED;
        if (ok && !run_tool(manifest, &said)) {
            fprintf(report,
                    "the engine's own check (" ENGINE_TOOL ") finds damage that cannot be mended here; restore a "
                    "backup (README). It says:\n");
            print_lines(said, report);
            ok = false;
        }
    }
    free(said);
    free(manifest);
    return ok;
}
