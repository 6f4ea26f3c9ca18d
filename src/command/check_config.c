/* check_config.c - `retwis check-config`: mistakes in the configuration, and things that the machine would refuse to
 * the server.
 *
 * Checks as the user that serves, because root can read everything; and with the functions that the server uses, so
 * that both say the same.
 *
 * Threads: the main thread.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/findings.h"
#include "base/log.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "config/config.h"
#include "engine/directory.h"
#include "engine/engine.h"
#include "http/server.h"
#include "store/store.h"

#define ENGINE_MS 2000

/* Where a drop-in of the service may allow low ports. */
static const char *const drop_ins[] = {"/etc/systemd/system/retwis.service.d", "/run/systemd/system/retwis.service.d",
                                       "/usr/lib/systemd/system/retwis.service.d"};

static bool file_allows_low_ports(const char *directory, const char *name)
{
    char path[4096], line[1024];
    bool found = false;
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *f = fopen(path, "re");
    while (f && !found && fgets(line, sizeof(line), f)) {
        found = strncmp(line, "AmbientCapabilities=", 20) == 0 && strstr(line, "CAP_NET_BIND_SERVICE");
    }
    if (f) {
        fclose(f);
    }
    return found;
}

static bool service_may_low(void)
{
    bool found = false;
    for (size_t i = 0; i < sizeof(drop_ins) / sizeof(*drop_ins) && !found; i++) {
        DIR *d = opendir(drop_ins[i]);
        for (struct dirent *e; d && !found && (e = readdir(d));) {
            found = strstr(e->d_name, ".conf") && file_allows_low_ports(drop_ins[i], e->d_name);
        }
        if (d) {
            closedir(d);
        }
    }
    return found;
}

static void check_state(const struct config *c, struct findings *f)
{
    const char *directory = c->state.directory;
    struct stat s;
    struct statvfs disk;
    if (stat(directory, &s) != 0) {
        if (errno == ENOENT) {
            findings_warning(f, "state.directory: %s does not exist: the server will try to make it", directory);
        } else {
            findings_error(f, "state.directory: %s: %s", directory, strerror(errno));
        }
        return;
    }
    if (!S_ISDIR(s.st_mode) || access(directory, R_OK | W_OK | X_OK) != 0) {
        findings_error(f, "state.directory: %s: uid %u cannot write there", directory, (unsigned)geteuid());
    } else if (s.st_mode & (S_IRWXG | S_IRWXO)) {
        findings_warning(f, "state.directory: %s: others can look into it: chmod 700 %s", directory, directory);
    }
    if (statvfs(directory, &disk) == 0 && engine_is_embedded(c) &&
        (uint64_t)disk.f_bavail * disk.f_frsize >> 20 < (uint64_t)c->redis.disk_reserve) {
        findings_error(f,
                       "state.directory: %s: less than redis.disk_reserve (%lld MiB) is free: nothing could be saved",
                       directory, (long long)c->redis.disk_reserve);
    }
}

static void check_web(const struct config *c, struct findings *f)
{
    if (*c->http.web_dir && access(c->http.web_dir, R_OK | X_OK) != 0) {
        findings_error(f, "http.web_dir: %s: %s", c->http.web_dir, strerror(errno));
    }
}

static void check_password_file(const struct config *c, struct findings *f)
{
    struct stat s;
    if (*c->redis.password_file && stat(c->redis.password_file, &s) == 0 && (s.st_mode & S_IRWXO)) {
        findings_warning(f, "redis.password_file: %s: everybody on this machine can read it: chmod o= %s",
                         c->redis.password_file, c->redis.password_file);
    }
}

/* "error: …" and "warning: …" lines of the store. */
static void take_lines(const char *text, struct findings *f)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, "error: ", 7) == 0) {
            findings_error(f, "redis.url: %s", line + 7);
        } else if (strncmp(line, "warning: ", 9) == 0) {
            findings_warning(f, "redis.url: %s", line + 9);
        }
    }
}

/* Judges an external engine as the server would. An engine that is away now is no mistake. */
static void check_engine(const struct config *c, struct findings *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&text, &size);
    struct store *store = report ? store_open(c, report) : NULL;
    if (report) {
        fclose(report);
    }
    if (!store) {
        findings_error(f, "%s", text ? text : "out of memory");
    } else if (!engine_is_embedded(c)) {
        struct arena *a = arena_new();
        struct buffer say = buffer_make(a);
        enum err e = store_wait_ready(store, ENGINE_MS);
        store_findings(store, &say);
        unsigned before = f->errors;
        take_lines(buffer_string(&say), f);
        if (e == ERR_CONFIG && f->errors == before) {
            findings_error(f, "redis.url: %s", err_info(e)->help);
        } else if (e != ERR_OK && e != ERR_CONFIG) {
            findings_warning(f, "redis.url: %s: the server will wait for it", err_info(e)->help);
        }
        arena_free(a);
    }
    store_close(store);
    free(text);
}

static int check_machine(const struct config *c)
{
    struct findings f = {.out = stderr};
    bool was_root = geteuid() == 0;
    log_setup(LOG_ERROR, false);
    context_setup(c);
    if (!directory_become_owner(c, stderr)) {
        return COMMAND_FAILED;
    }
    if (geteuid() == 0 && !c->process.allow_root) {
        findings_warning(&f,
                         "checked as root, but the server will not run as root: run this as the user of the server");
    }
    check_state(c, &f);
    check_web(c, &f);
    check_password_file(c, &f);
    http_server_check(c, engine_server(c) != 0, was_root && service_may_low(), &f);
    check_engine(c, &f);
    if (f.errors) {
        fprintf(stderr, "retwis: the configuration is good, but the server would not serve with it\n");
        return COMMAND_FAILED;
    }
    puts("configuration is good");
    return COMMAND_OK;
}

int command_check_config(struct command_call *c)
{
    struct config *config = config_load(c->config_file, stderr);
    if (!config) {
        return COMMAND_USAGE;
    }
    int status = COMMAND_OK;
    if (command_option(c, "print")) {
        config_print(config, stdout);
    } else {
        status = check_machine(config);
    }
    config_free(config);
    return status;
}
