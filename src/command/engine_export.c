/* engine_export.c - `retwis engine-export FILE`: the data of the embedded engine in the form that every engine reads.
 *
 * The engine keeps its base as a snapshot in its own version of the RDB format, which older engines refuse: Redis 7.0
 * "can't handle RDB format version 11". But an engine can also write its base as the commands that make the data, and
 * those are the wire protocol itself: `redis-cli --pipe` sends them to whatever is at the other end. So the embedded
 * engine is asked to rewrite its file once in that form, and the base is copied. The rewriting forks, so it is a
 * picture of one moment. A running server goes on meanwhile; later writes are not in it.
 *
 * Threads: the main thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "config/config.h"
#include "engine/engine.h"
#include "store/store.h"

#define POLL_MS 50
#define MANIFEST "engine/appendonlydir/appendonly.aof.manifest"
#define COPY_SIZE (256 * 1024)

static int export_fail(const char *what, const char *why)
{
    fprintf(stderr, "retwis: %s: %s\n", what, why);
    return COMMAND_FAILED;
}

/* --- the engine ---------------------------------------------------------------------------------------------------- */

static enum err export_ask(struct context *x, const char *const *words, size_t count, const struct store_reply **reply)
{
    struct store_batch *b = store_batch_new(x->store, x->arena);
    size_t at = store_command_v(b, KEY_GLOBAL_BUCKET, count, words);
    enum err e = store_run(b);
    *reply = store_reply(b, at);
    return e;
}

static enum err export_set(struct context *x, const char *name, const char *value)
{
    const struct store_reply *reply;
    const char *words[] = {"CONFIG", "SET", name, value};
    return export_ask(x, words, 4, &reply);
}

/* Waits until no rewriting is under way; *good says how the last one ended. */
static enum err wait_for_rewriting(struct context *x, bool *good)
{
    const char *words[] = {"INFO", "persistence"};
    const struct store_reply *reply;
    enum err e;
    bool busy = true;
    while ((e = export_ask(x, words, 2, &reply)) == ERR_OK && busy) {
        const char *text = store_text(reply);
        busy = !strstr(text, "aof_rewrite_in_progress:0") || !strstr(text, "aof_rewrite_scheduled:0");
        *good = strstr(text, "aof_last_bgrewrite_status:ok") != NULL;
        if (busy) {
            clock_sleep_ms(POLL_MS);
        }
    }
    return e;
}

/* A base of commands, without the time stamps between them, which are no commands. */
static enum err set_form(struct context *x, bool plain, const char *stamps)
{
    enum err e = export_set(x, "aof-use-rdb-preamble", plain ? "no" : "yes");
    return e == ERR_OK ? export_set(x, "aof-timestamp-enabled", plain ? "no" : stamps) : e;
}

static enum err rewrite(struct context *x, bool *good)
{
    const struct store_reply *reply;
    const char *words[] = {"BGREWRITEAOF"};
    enum err e = wait_for_rewriting(x, good);
    if (e != ERR_OK || (e = set_form(x, true, NULL)) != ERR_OK || (e = export_ask(x, words, 1, &reply)) != ERR_OK) {
        return e;
    }
    return wait_for_rewriting(x, good);
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

/* The base that the manifest names, opened: it stays readable when the engine replaces it. -1 after a message. */
static int open_base(struct context *x)
{
    const char *directory = x->config->state.directory;
    const char *path = arena_printf(x->arena, "%s/" MANIFEST, directory);
    char line[512], name[256] = "", type = 0;
    FILE *manifest = fopen(path, "re");
    while (manifest && type != 'b' && fgets(line, sizeof(line), manifest)) {
        if (sscanf(line, "file %255s seq %*u type %c", name, &type) != 2 || strchr(name, '/')) {
            type = 0;
        }
    }
    if (manifest) {
        fclose(manifest);
    }
    const char *base = arena_printf(x->arena, "%s/engine/appendonlydir/%s", directory, name);
    int fd = type == 'b' ? open(base, O_RDONLY | O_CLOEXEC) : -1;
    char first = 0;
    if (fd < 0) {
        export_fail(type == 'b' ? base : path, type == 'b' ? strerror(errno) : "names no base file");
    } else if (pread(fd, &first, 1, 0) == 1 && first != '*') {
        export_fail(
            base,
            "is not in the form of commands, because something else made the engine rewrite it; please try again");
        close(fd);
        fd = -1;
    }
    return fd;
}

static int export_write(int to, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(to, data, size);
        if (n < 0 && errno != EINTR) {
            return -1;
        }
        data += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int copy(struct context *x, int from, const char *path)
{
    bool is_output = strcmp(path, "-") == 0;
    int to = is_output ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0) {
        return export_fail(path, strerror(errno));
    }
    char *part = arena_alloc(x->arena, COPY_SIZE);
    ssize_t n;
    while ((n = read(from, part, COPY_SIZE)) > 0 && export_write(to, part, (size_t)n) == 0) {
    }
    bool good = n == 0 && (is_output || fsync(to) == 0);
    int status = good ? COMMAND_OK : export_fail(is_output ? "standard output" : path, strerror(errno));
    if (!is_output) {
        close(to);
        if (!good) {
            unlink(path);
        }
    }
    return status;
}

/* --- the command --------------------------------------------------------------------------------------------------- */

static int export_data(struct context *x, const char *path)
{
    bool good = false;
    const struct store_reply *before;
    const char *words[] = {"CONFIG", "GET", "aof-timestamp-enabled"};
    enum err e = export_ask(x, words, 3, &before);
    if (e != ERR_OK) {
        return export_fail("the engine", err_info(e)->help);
    }
    e = rewrite(x, &good);
    int base = e == ERR_OK && good ? open_base(x) : -1;
    enum err back = set_form(x, false, store_text(store_item(before, 1)));
    if (e != ERR_OK || back != ERR_OK) {
        return export_fail("the engine", err_info(e != ERR_OK ? e : back)->help);
    }
    if (!good) {
        return export_fail("the engine",
                           "could not write its file anew; its log says why (the disk needs as much room again)");
    }
    int status = base < 0 ? COMMAND_FAILED : copy(x, base, path);
    if (base >= 0) {
        close(base);
    }
    return status;
}

int command_engine_export(struct command_call *c)
{
    struct context x;
    int status = context_open_patient(&x, c);
    if (status == COMMAND_OK && !engine_is_embedded(x.config)) {
        status = export_fail("redis.url", "names an engine of its own, whose own tools copy its data");
    }
    if (status == COMMAND_OK) {
        status = export_data(&x, c->arguments[0]);
    }
    context_close(&x);
    return status;
}
