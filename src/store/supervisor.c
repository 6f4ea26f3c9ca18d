/* supervisor.c - see supervisor.h.
 *
 * One thread sits in poll() on three things: the pidfd of the child (it died), the pipe with what the child says, and an
 * eventfd (stop). What the engine says goes line by line into our own log, in its format. The child gets SIGTERM from the
 * kernel when this thread is gone (PR_SET_PDEATHSIG), so a server killed with -9 takes its engine along, and SIGTERM lets
 * the engine put its data on disk.
 *
 * Rejected: engine_main after a fork without exec, because a restart happens when there are threads; SIGCHLD, because
 * signals belong to the main program.
 *
 * Threads: see supervisor.h. `mutex` guards state, percent, store and last_line.
 */
#include "store/supervisor.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "store/child.h"
#include "store/probe.h"
#include "store/relay.h"
#include "store/room.h"
#include "store/store.h"

#define BACKOFF_FIRST_MS 100
#define BACKOFF_LAST_MS 5000
#define STEADY_US (10ull * 1000 * 1000) /* having run for so long, a death is a new event */
#define PROBE_FAST_MS 5                 /* how often a starting engine is asked: at first, */
#define PROBE_SLOW_MS 250               /* and after a second */
#define PROBE_TIMEOUT_MS 1000
#define PROGRESS_MS 1000

enum state { STARTING, READY, FAILED, STOPPED };

struct supervisor {
    char *config_file;
    char *socket_path, *directory;
    bool sandbox; /* the child confines itself */
    pthread_t thread;
    int wake;                 /* eventfd: stop */
    _Atomic unsigned stop_ms; /* between SIGTERM and SIGKILL; set before wake is */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum state state;
    double percent; /* loaded, while STARTING */
    struct store *store;
    struct relay relay;
    /* the thread's own */
    struct child child;
    bool stopping;
    bool was_ready; /* ever */
    uint64_t started_us;
    uint64_t kill_us; /* when SIGTERM was not enough; 0 before */
    unsigned backoff_ms;
    struct room room;
    bool could_not_write; /* why the last one ended */
};

static void set_state(struct supervisor *s, enum state state)
{
    mutex_lock(&s->mutex);
    s->state = state;
    pthread_cond_broadcast(&s->changed);
    mutex_unlock(&s->mutex);
}

static void announce_ready(struct supervisor *s)
{
    bool again = s->was_ready;
    s->was_ready = true;
    mutex_lock(&s->mutex);
    s->state = READY;
    if (again && s->store) {
        store_reset(s->store);
    }
    pthread_cond_broadcast(&s->changed);
    mutex_unlock(&s->mutex);
    if (again) {
        log_warning("engine", "running again (pid %d)", (int)s->child.pid);
    }
}

static bool is_ready(struct supervisor *s)
{
    mutex_lock(&s->mutex);
    bool ready = s->state == READY;
    mutex_unlock(&s->mutex);
    return ready;
}

static void probe(struct supervisor *s)
{
    double percent = 0;
    enum probe_result result = probe_engine(s->socket_path, PROBE_TIMEOUT_MS, &percent);
    if (result == PROBE_READY) {
        announce_ready(s);
    } else if (result == PROBE_LOADING) {
        mutex_lock(&s->mutex);
        s->percent = percent;
        mutex_unlock(&s->mutex);
    }
}

static void ask_to_end(struct supervisor *s)
{
    s->stopping = true;
    relay_hush(&s->relay);
    if (s->child.pid) {
        kill(s->child.pid, SIGTERM);
        s->kill_us = clock_monotonic_us() + s->stop_ms * 1000ull;
    }
}

static void insist(struct supervisor *s)
{
    if (s->kill_us && clock_monotonic_us() >= s->kill_us) {
        log_error("engine", "did not end within %u ms and is killed", s->stop_ms);
        kill(s->child.pid, SIGKILL);
        s->kill_us = 0;
    }
}

/* How long poll may sleep. */
static int patience(struct supervisor *s)
{
    if (s->stopping || s->child.pidfd < 0) {
        return 50;
    }
    if (is_ready(s)) {
        return ROOM_LOOK_MS;
    }
    return clock_monotonic_us() - s->started_us < 1000000 ? PROBE_FAST_MS : PROBE_SLOW_MS;
}

/* Sits by the running child until it is dead. */
static void watch(struct supervisor *s)
{
    struct pollfd p[] = {{.fd = s->wake, .events = POLLIN},
                         {.fd = s->child.output, .events = POLLIN},
                         {.fd = s->child.pidfd, .events = POLLIN}};
    while (!child_reap(&s->child)) {
        int n = poll(p, 3, patience(s));
        if (n > 0 && p[0].revents && !s->stopping) {
            ask_to_end(s);
            p[0].fd = -1;
        }
        if (n > 0 && p[1].revents && !relay_read(&s->relay, s->child.output)) {
            p[1].fd = -1; /* closed: its death follows */
        }
        insist(s);
        if (!s->stopping && !is_ready(s)) {
            probe(s);
        } else if (!s->stopping) {
            room_look(&s->room);
        }
    }
    relay_read(&s->relay, s->child.output);
}

/* Waits before the next start; true if a stop came meanwhile. */
static bool rest(struct supervisor *s)
{
    struct pollfd p = {.fd = s->wake, .events = POLLIN};
    return poll(&p, 1, (int)s->backoff_ms) > 0;
}

/* After an unexpected death: whether to start again. */
static bool go_on(struct supervisor *s)
{
    char how[64];
    child_describe_end(&s->child, how, sizeof(how));
    if (!s->was_ready) {
        return false;
    }
    s->could_not_write = strstr(relay_last(&s->relay), "policy is 'always'") != NULL;
    relay_forget(&s->relay);
    bool steady = clock_monotonic_us() - s->started_us > STEADY_US;
    s->backoff_ms = steady || !s->backoff_ms ? BACKOFF_FIRST_MS : s->backoff_ms * 2;
    s->backoff_ms = s->backoff_ms > BACKOFF_LAST_MS ? BACKOFF_LAST_MS : s->backoff_ms;
    log_error("engine", "ended unexpectedly (%s); starting it again in %u ms", how, s->backoff_ms);
    return !rest(s);
}

static void *supervise(void *argument)
{
    struct supervisor *s = argument;
    for (bool again = true; again;) {
        s->started_us = clock_monotonic_us();
        set_state(s, STARTING);
        if (child_start(&s->child, s->config_file, s->sandbox, room_before_start(&s->room, s->could_not_write))) {
            watch(s);
            child_clear(&s->child);
        } else {
            log_error("engine", "cannot be started: %s", strerror(errno));
        }
        again = !s->stopping && go_on(s);
    }
    set_state(s, s->stopping || s->was_ready ? STOPPED : FAILED);
    return NULL;
}

struct supervisor *supervisor_start(const char *config_file, const struct room *room, bool sandbox)
{
    struct supervisor *s = mem_zero(1, sizeof(*s));
    s->config_file = mem_dup(config_file);
    s->socket_path = mem_dup(room->socket_path);
    s->directory = mem_dup(room->directory);
    s->sandbox = sandbox;
    s->room = *room;
    s->room.socket_path = s->socket_path;
    s->room.directory = s->directory;
    s->wake = eventfd(0, EFD_CLOEXEC);
    require(s->wake >= 0);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    /* Signals are the main thread's business. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&s->thread, NULL, supervise, s) != 0) {
        panic("cannot start a thread");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s;
}

/* A long load must not make the program deaf: its main thread has signals blocked and looks for them later. */
static bool asked_to_end(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGTERM) || sigismember(&pending, SIGINT);
}

static void wait_change(struct supervisor *s, uint64_t ms)
{
    uint64_t until = clock_monotonic_us() + ms * 1000;
    struct timespec t = {.tv_sec = (time_t)(until / 1000000), .tv_nsec = (long)(until % 1000000) * 1000};
    pthread_cond_timedwait(&s->changed, &s->mutex, &t);
}

bool supervisor_wait(struct supervisor *s, FILE *report)
{
    uint64_t next_line = clock_monotonic_us() + PROGRESS_MS * 1000ull;
    bool interrupted = false;
    mutex_lock(&s->mutex);
    while (s->state == STARTING && !(interrupted = asked_to_end())) {
        wait_change(s, 100);
        if (s->state == STARTING && clock_monotonic_us() >= next_line) {
            log_info("engine", "loading data: %.0f %%", s->percent);
            next_line += PROGRESS_MS * 1000ull;
        }
    }
    bool ready = s->state == READY;
    mutex_unlock(&s->mutex);
    if (interrupted) {
        fprintf(report, "engine: told to end while the data were being loaded\n");
    } else if (!ready) {
        fprintf(report, "engine: it ended before it was ready: %s\n", relay_last(&s->relay));
    }
    return ready;
}

void supervisor_attach(struct supervisor *s, struct store *store)
{
    mutex_lock(&s->mutex);
    s->store = store;
    mutex_unlock(&s->mutex);
}

void supervisor_stop(struct supervisor *s, unsigned patience_ms)
{
    if (!s) {
        return;
    }
    uint64_t one = 1;
    s->stop_ms = patience_ms;
    ssize_t written = write(s->wake, &one, sizeof(one));
    require(written == sizeof(one));
    pthread_join(s->thread, NULL);
    close(s->wake);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->mutex);
    free(s->config_file);
    free(s->socket_path);
    free(s->directory);
    free(s);
}
