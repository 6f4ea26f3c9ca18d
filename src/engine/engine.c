/* engine.c - see engine.h: who may run the engine of a state directory, and with which configuration.
 *
 * Locks (lock.h): a server takes SERVER and TOOL, a tool that runs its own engine takes TOOL, the engine process itself
 * holds ENGINE for as long as it lives. So a server killed with -9 is no obstacle: its SERVER lock is gone at once, and
 * if its engine still runs, the ENGINE lock shows it and it is ended.
 *
 * Threads: the main thread.
 */
#include "engine/engine.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/confine.h"
#include "base/log.h"
#include "base/panic.h"
#include "config/config.h"
#include "engine/child.h"
#include "engine/directory.h"
#include "engine/engine_check.h"
#include "engine/engine_config.h"
#include "engine/flusher.h"
#include "engine/lock.h"
#include "engine/probe.h"
#include "engine/room.h"
#include "engine/supervisor.h"

#define SOCKET_PATH_MAX 107
#define CONFIG_FILE "engine.conf"
#define SERVER_PATIENCE_MS 1000 /* for a server that is just ending */
#define TOOL_PATIENCE_MS 10000  /* for a tool to finish */
#define LEFTOVER_TERM_MS 10000  /* for an engine whose server was killed */
#define LEFTOVER_KILL_MS 5000
#define BORROW_MS 60000 /* for a running server's engine to answer */

/* The engine itself: its whole program with one name, linked into this one (packaging/deps). */
int valkey_main(int argc, char **argv);

struct engine {
    int lock;                      /* descriptor, -1 when there is nothing to lock */
    struct supervisor *supervisor; /* NULL: not ours */
    struct flusher *flusher;       /* NULL: the engine brings every write to the disk itself */
};

bool engine_is_embedded(const struct config *c)
{
    return strcmp(c->redis.url, "embedded") == 0;
}

/* Ends an engine that outlived its server. */
static bool end_leftover(int lock, FILE *report)
{
    pid_t pid = lock_holder(lock, LOCK_ENGINE);
    if (pid > 0) {
        log_warning("engine", "the engine of an earlier run (pid %d) is still there: ending it", (int)pid);
        kill(pid, SIGTERM);
        pid = lock_wait(lock, LOCK_ENGINE, LEFTOVER_TERM_MS);
    }
    if (pid > 0) {
        log_error("engine", "pid %d does not end and is killed", (int)pid);
        kill(pid, SIGKILL);
        pid = lock_wait(lock, LOCK_ENGINE, LEFTOVER_KILL_MS);
    }
    lock_release(lock, LOCK_ENGINE); /* the engine takes it itself */
    if (pid) {
        fprintf(report, "engine: another engine (pid %d) uses the data and cannot be ended\n", (int)pid);
    }
    return pid == 0;
}

/* Starts an engine; the locks are ours. */
static bool launch(struct engine *e, const struct config *c, FILE *report)
{
    bool ok = false;
    char *socket = directory_path(c, DIRECTORY_SOCKET);
    char *file = directory_path(c, CONFIG_FILE);
    char *data = directory_path(c, DIRECTORY_DATA);
    if (strlen(socket) > SOCKET_PATH_MAX) {
        fprintf(report, "state.directory: %s: the path is too long for a Unix socket (%d bytes)\n", socket,
                SOCKET_PATH_MAX);
    } else if (directory_make(data, report) && end_leftover(e->lock, report) && directory_close(c, data, report) &&
               engine_config_write(c, file, socket, data, report)) {
        const struct room room = {.directory = data,
                                  .socket_path = socket,
                                  .reserve_mib = (uint64_t)c->redis.disk_reserve,
                                  .always = c->redis.durability == CONFIG_ALWAYS};
        e->supervisor = supervisor_start(file, &room, c->process.sandbox, (unsigned)c->redis.hang_timeout);
        ok = supervisor_wait(e->supervisor, report);
        if (ok && c->redis.durability != CONFIG_ALWAYS) {
            e->flusher = flusher_start(data);
        }
    }
    free(socket);
    free(file);
    free(data);
    return ok;
}

bool engine_confine(const struct config *c, struct confine *k, FILE *report)
{
    if (!directory_make(c->state.directory, report)) {
        return false;
    }
    confine_allow(k, CONFINE_WRITE, c->state.directory);
    confine_program(k, child_remember_program());
    return true;
}

static bool take_server_locks(const struct engine *e, const char *directory, FILE *report)
{
    pid_t pid = lock_wait(e->lock, LOCK_SERVER, SERVER_PATIENCE_MS);
    if (pid) {
        fprintf(report, "state.directory: %s: another retwis server (pid %d) is using it\n", directory, (int)pid);
        return false;
    }
    pid = lock_wait(e->lock, LOCK_TOOL, TOOL_PATIENCE_MS);
    if (pid) {
        fprintf(report, "state.directory: %s: a retwis command (pid %d) is using it; try again when it is done\n",
                directory, (int)pid);
    }
    return pid == 0;
}

static struct engine *engine_new(void)
{
    struct engine *e = mem_zero(1, sizeof(*e));
    e->lock = -1;
    child_remember_program();
    return e;
}

struct engine *engine_start(const struct config *c, FILE *report)
{
    const char *directory = c->state.directory;
    struct engine *e = engine_new();
    bool ok = directory_make(directory, report) && (e->lock = lock_open(directory, report)) >= 0 &&
              take_server_locks(e, directory, report) && (!engine_is_embedded(c) || launch(e, c, report));
    if (!ok) {
        engine_stop(e);
        return NULL;
    }
    return e;
}

/* Waits until the engine of the running server answers. 1: it does; 0: no server any more; -1: it does not. */
static int use_servers(const struct engine *e, const char *socket)
{
    uint64_t end = clock_monotonic_us() + BORROW_MS * 1000ull;
    while (clock_monotonic_us() < end) {
        double percent;
        if (!lock_holder(e->lock, LOCK_SERVER)) {
            return 0;
        }
        if (probe_engine(socket, 1000, &percent) == PROBE_READY) {
            return 1;
        }
        clock_sleep_ms(20);
    }
    return -1;
}

static bool borrow(struct engine *e, const struct config *c, const char *socket, FILE *report)
{
    uint64_t end = clock_monotonic_us() + TOOL_PATIENCE_MS * 1000ull;
    for (;;) {
        if (lock_holder(e->lock, LOCK_SERVER)) {
            int found = use_servers(e, socket);
            if (found < 0) {
                fprintf(report, "engine: the running server's engine does not answer\n");
            }
            if (found) {
                return found > 0;
            }
        }
        if (lock_try(e->lock, LOCK_TOOL)) {
            if (!lock_holder(e->lock, LOCK_SERVER)) {
                return launch(e, c, report);
            }
            lock_release(e->lock, LOCK_TOOL); /* a server came first and waits for us */
        }
        if (clock_monotonic_us() >= end) {
            fprintf(report, "state.directory: %s: another retwis command (pid %d) is using it\n", c->state.directory,
                    (int)lock_holder(e->lock, LOCK_TOOL));
            return false;
        }
        clock_sleep_ms(20);
    }
}

struct engine *engine_borrow(const struct config *c, FILE *report)
{
    const char *directory = c->state.directory;
    struct engine *e = engine_new();
    if (!engine_is_embedded(c)) {
        return e;
    }
    char *socket = directory_socket(c);
    bool ok = directory_make(directory, report) && directory_become_owner(c, report) &&
              (e->lock = lock_open(directory, report)) >= 0 && borrow(e, c, socket, report);
    free(socket);
    if (!ok) {
        engine_stop(e);
        return NULL;
    }
    return e;
}

int engine_server(const struct config *c)
{
    char *path = directory_path(c, "lock");
    int fd = access(path, R_OK | W_OK) == 0 ? lock_open(c->state.directory, stderr) : -1;
    free(path);
    if (fd < 0) {
        return 0;
    }
    pid_t pid = lock_holder(fd, LOCK_SERVER);
    close(fd);
    return (int)pid;
}

/* Takes the directory as a server does, and waits for an engine that is just ending. */
static bool engine_reserve(struct engine *e, const struct config *c, FILE *report)
{
    const char *directory = c->state.directory;
    if (!directory_become_owner(c, report) || (e->lock = lock_open(directory, report)) < 0 ||
        !take_server_locks(e, directory, report)) {
        return false;
    }
    pid_t pid = lock_wait(e->lock, LOCK_ENGINE, LEFTOVER_TERM_MS);
    if (pid) {
        fprintf(report, "state.directory: %s: an engine (pid %d) is using it\n", directory, (int)pid);
    }
    return pid == 0;
}

bool engine_check(const struct config *c, bool fix, FILE *report)
{
    struct engine *e = engine_new();
    char *data = directory_path(c, DIRECTORY_DATA);
    bool ok = engine_reserve(e, c, report) && engine_check_data(data, fix, report);
    free(data);
    engine_stop(e);
    return ok;
}

void engine_attach(struct engine *e, void (*on_return)(void *context), void *context)
{
    if (e->supervisor) {
        supervisor_attach(e->supervisor, on_return, context);
    }
}

void engine_stop(struct engine *e)
{
    engine_stop_within(e, SUPERVISOR_STOP_MS);
}

void engine_stop_within(struct engine *e, unsigned ms)
{
    if (!e) {
        return;
    }
    supervisor_stop(e->supervisor, ms);
    flusher_stop(e->flusher);
    if (e->lock >= 0) {
        close(e->lock); /* gives all locks back */
    }
    free(e);
}

/* The engine of a state directory holds the ENGINE lock for as long as it lives. */
static bool hold_engine_lock(const char *directory)
{
    int fd = lock_open(directory, stderr);
    pid_t pid = fd >= 0 ? lock_wait(fd, LOCK_ENGINE, 1000) : -1;
    if (pid) {
        fprintf(stderr, "another engine (pid %d) uses these data\n", (int)pid);
    }
    if (fd >= 0) {
        fcntl(fd, F_SETFD, 0); /* stays open whatever comes */
    }
    return pid == 0;
}

/* Logs nothing about what the kernel lacks: the server has said it for both. */
static void confine_engine(const char *directory, const char *config_file)
{
    struct confine c;
    char *data = mem_alloc(strlen(directory) + sizeof("/" DIRECTORY_DATA));
    sprintf(data, "%s/" DIRECTORY_DATA, directory);
    confine_begin(&c, CONFINE_ENGINE);
    confine_allow(&c, CONFINE_WRITE, data);
    confine_allow(&c, CONFINE_READ, config_file);
    confine_enter(&c);
    free(data);
}

/* Only the engine of a state directory does this, not one that is started with a configuration file of somebody
 * else. */
static bool take_place(const char *config_file, bool sandbox)
{
    char *directory = mem_dup(config_file);
    char *slash = strrchr(directory, '/');
    bool ok = true;
    if (slash && strcmp(slash + 1, CONFIG_FILE) == 0) {
        *slash = '\0';
        ok = hold_engine_lock(directory);
        struct rlimit dumps = {RLIM_INFINITY, RLIM_INFINITY};
        getrlimit(RLIMIT_CORE, &dumps); /* a server without process.core_dumps has set it to 0 */
        confine_privileges(dumps.rlim_max != 0);
        if (ok && sandbox) {
            confine_engine(directory, config_file);
        }
    }
    free(directory);
    return ok;
}

int engine_main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "engine") == 0) {
        argc--; /* called with the whole command line */
        argv++;
    }
    bool sandbox = strcmp(argv[argc - 1], CHILD_OPEN) != 0;
    if (!sandbox) {
        argv[--argc] = NULL;
    }
    setenv("LC_ALL", "C", 1);
    if (argc > 1 && strcmp(argv[1], ENGINE_TOOL) == 0) {
        return valkey_main(argc - 1, argv + 1);
    }
    prctl(PR_SET_NAME, "retwis-engine");
    if (argc > 1 && !take_place(argv[1], sandbox)) {
        return 1;
    }
    return valkey_main(argc, argv);
}
