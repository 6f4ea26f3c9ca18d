/* engine_config.c - see engine_config.h. Written anew at every start: it is output, not something to edit.
 *
 * A file rather than arguments, so that an administrator can read what the engine runs with.
 */
#include "engine/engine_config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "config/config.h"

#define MEMORY_AUTO_MIN_MIB 16
#define MEMORY_AUTO_MAX_MIB (UINT64_MAX >> 22) /* the system did not say: no limit */

/* What never depends on retwis.ini. */
static const char fixed[] = "# Written by retwis at every start; changes are lost. See retwis.ini(5).\n"
                            "# Only this machine, only through a socket in a directory of this user.\n"
                            "port 0\n"
                            "unixsocketperm 700\n"
                            "daemonize no\n"
                            "enable-debug-command no\n"
                            "enable-module-command no\n"
                            "enable-protected-configs no\n"
                            "# Every write goes into the append-only file; no snapshots beside it.\n"
                            "appendonly yes\n"
                            "aof-use-rdb-preamble yes\n"
                            "# retwis cuts a torn end off, keeps a copy, and logs until when the data are whole.\n"
                            "aof-load-truncated no\n"
                            "aof-timestamp-enabled yes\n"
                            "save \"\"\n"
                            "# Data are never thrown away to make room.\n"
                            "maxmemory-policy noeviction\n"
                            "# A post with its text stays one compact block.\n"
                            "hash-max-listpack-value 4096\n"
                            "hash-max-listpack-entries 128\n"
                            "lazyfree-lazy-expire yes\n"
                            "lazyfree-lazy-server-del yes\n"
                            "lazyfree-lazy-user-del yes\n"
                            "lazyfree-lazy-user-flush yes\n"
                            "io-threads 1\n"
                            "timeout 0\n"
                            "loglevel warning\n"
                            "logfile \"\"\n"
                            "always-show-logo no\n"
                            "set-proc-title no\n";

/* A value in double quotes, as the engine's parser wants it. */
static void put_quoted(FILE *f, const char *key, const char *value)
{
    fprintf(f, "%s \"", key);
    for (const unsigned char *p = (const unsigned char *)value; *p; p++) {
        if (*p < 0x20 || *p == '"' || *p == '\\') {
            fprintf(f, "\\x%02x", *p);
        } else {
            fputc(*p, f);
        }
    }
    fputs("\"\n", f);
}

/* `auto` is half of what there is: while the append-only file is rewritten, a second copy of what changes meanwhile is
 * in memory too. */
static int64_t memory_limit_mib(const struct config *c)
{
    if (c->redis.memory_limit != CONFIG_AUTO) {
        return c->redis.memory_limit;
    }
    uint64_t half = memory_available() / 2 >> 20;
    int64_t limit = half >= MEMORY_AUTO_MAX_MIB ? 0 : half < MEMORY_AUTO_MIN_MIB ? MEMORY_AUTO_MIN_MIB : (int64_t)half;
    log_info("engine", "redis.memory_limit is auto: %lld MiB", (long long)limit);
    return limit;
}

static void engine_config_put(FILE *f, const struct config *c, const char *socket, const char *data)
{
    fputs(fixed, f);
    put_quoted(f, "unixsocket", socket);
    put_quoted(f, "dir", data);
    /* everysec is the work of flusher.c, which explains why */
    fprintf(f, "appendfsync %s\n", c->redis.durability == CONFIG_ALWAYS ? "always" : "no");
    fprintf(f, "maxmemory %lldmb\n", (long long)memory_limit_mib(c));
    fprintf(f, "maxclients %lld\n", (long long)c->redis.connections * 2 + 64);
}

bool engine_config_write(const struct config *c, const char *file, const char *socket, const char *data, FILE *report)
{
    unlink(file);
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = f != NULL;
    if (ok) {
        engine_config_put(f, c, socket, data);
        ok = !ferror(f);
        ok = fclose(f) == 0 && ok;
    } else if (fd >= 0) {
        close(fd);
    }
    if (!ok) {
        fprintf(report, "state.directory: %s: %s\n", file, strerror(errno));
    }
    return ok;
}
