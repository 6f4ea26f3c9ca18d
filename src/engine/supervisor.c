/* supervisor.c - see supervisor.h.
 *
 * One thread sits in poll() on three things: the pidfd of the child (it died), the pipe with what the child says, and
 * an eventfd (stop). What the engine says goes line by line into our own log, in its format. The child gets SIGTERM
 * from the kernel when this thread is gone (PR_SET_PDEATHSIG), so a server killed with -9 takes its engine along, and
 * SIGTERM lets the engine put its data on disk.
 *
 * Rejected: engine_main after a fork without exec, because a restart happens when there are threads; SIGCHLD, because
 * signals belong to the main program.
 *
 * Threads: see supervisor.h. `mutex` guards state, percent, on_return and last_line.
 */
#include "engine/supervisor.h"

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
#include "base/sleeper.h"
#include "engine/aof_repair.h"
#include "engine/child.h"
#include "engine/probe.h"
#include "engine/pulse.h"
#include "engine/relay.h"
#include "engine/room.h"

#define BACKOFF_FIRST_MS 100
#define BACKOFF_LAST_MS 5000            /* for an engine that dies before it is ready */
#define BACKOFF_READY_MS 400            /* for one that was ready: something outside ended it, and people wait */
#define STEADY_US (10ull * 1000 * 1000) /* having run for so long, a death is a new event */
#define PROBE_FAST_MS 5                 /* how often a starting engine is asked: at first, */
#define PROBE_SLOW_MS 250               /* and after a second */
#define PROBE_TIMEOUT_MS 1000
#define PROGRESS_MS 1000
#define DAMAGE_SIZE 1024 /* of a sentence about it */
#define PULSE_MS 250     /* how often one that is ready is looked at */

enum state { STARTING, READY, FAILED, STOPPED };

struct supervisor {
    char *config_file;
    char *socket_path, *directory;
    bool sandbox; /* the child confines itself */
    struct sleeper *sleeper;
    int wake;                 /* eventfd: stop */
    _Atomic unsigned stop_ms; /* between SIGTERM and SIGKILL; set before wake is */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum state state;
    double percent;                   /* loaded, while STARTING */
    void (*on_return)(void *context); /* told that the engine is ready again; NULL: nobody is */
    void *context;
    struct relay relay;
    /* the thread's own */
    struct child child;
    bool stopping;
    bool was_ready;      /* ever */
    bool was_ready_once; /* this one, since it was started */
    uint64_t started_us;
    uint64_t kill_us; /* when SIGTERM was not enough; 0 before */
    unsigned backoff_ms;
    struct room room;
    bool could_not_write;     /* why the last one ended */
    char damage[DAMAGE_SIZE]; /* of the data; empty: none that is known */
    struct pulse pulse;
    uint64_t hang_us;      /* after so much silence it is replaced; 0: never */
    bool told_of_the_disk; /* that it is silent because it waits for the disk */
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
    s->was_ready = s->was_ready_once = true;
    mutex_lock(&s->mutex);
    s->state = READY;
    if (again && s->on_return) {
        s->on_return(s->context);
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

/* Ends an engine that answers nothing. One that waits for the disk is left alone: it cannot be killed, and the next one
 * would wait as well. */
static void end_if_it_hangs(struct supervisor *s)
{
    uint64_t silent_us = pulse_look(&s->pulse);
    if (!s->hang_us || silent_us < s->hang_us) {
        s->told_of_the_disk = s->told_of_the_disk && silent_us;
        return;
    }
    if (child_waits_for_disk(&s->child)) {
        if (!s->told_of_the_disk) {
            log_error("engine", "has not answered for %u s: it waits for the disk", (unsigned)(silent_us / 1000000));
        }
        s->told_of_the_disk = true;
        return;
    }
    log_error("engine", "pid %d has not answered for %u s (redis.hang_timeout) and is killed", (int)s->child.pid,
              (unsigned)(silent_us / 1000000));
    kill(s->child.pid, SIGKILL);
    pulse_end(&s->pulse);
    pulse_begin(&s->pulse, s->socket_path);
}

/* How long poll may sleep. */
static int patience(struct supervisor *s)
{
    if (s->stopping || s->child.pidfd < 0) {
        return 50;
    }
    if (is_ready(s)) {
        return ROOM_LOOK_MS < PULSE_MS ? ROOM_LOOK_MS : PULSE_MS;
    }
    return clock_monotonic_us() - s->started_us < 1000000 ? PROBE_FAST_MS : PROBE_SLOW_MS;
}

/* Sits by the running child until it is dead. */
static void supervisor_watch(struct supervisor *s)
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
        if (s->stopping) {
            continue;
        }
        end_if_it_hangs(s);
        if (!is_ready(s)) {
            probe(s);
        } else {
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

/* How long to wait after a death. */
static unsigned next_backoff(const struct supervisor *s)
{
    bool steady = clock_monotonic_us() - s->started_us > STEADY_US;
    unsigned most = s->was_ready_once ? BACKOFF_READY_MS : BACKOFF_LAST_MS;
    unsigned ms = steady || !s->backoff_ms ? BACKOFF_FIRST_MS : s->backoff_ms * 2;
    return ms > most ? most : ms;
}

/* What is wrong with the data: for the log, and for supervisor_wait. */
static void note_damage(struct supervisor *s, const char *said)
{
    log_error("engine", "%s", said);
    snprintf(s->damage, sizeof(s->damage), "%s", said);
}

/* Starts the child, unless its data must not be touched. */
static bool supervisor_begin(struct supervisor *s)
{
    char *said = NULL;
    size_t size;
    FILE *report = open_memstream(&said, &size);
    require(report);
    bool ok = aof_has_list(s->directory, report);
    fclose(report);
    said[strcspn(said, "\n")] = '\0';
    if (!ok) {
        note_damage(s, said);
    } else if (!child_start(&s->child, s->config_file, s->sandbox, room_before_start(&s->room, s->could_not_write))) {
        log_error("engine", "cannot be started: %s", strerror(errno));
        ok = false;
    }
    free(said);
    return ok;
}

/* After a start that failed: true if the data were the reason and have been mended. */
static bool mend_data(struct supervisor *s)
{
    char *said = NULL;
    size_t size;
    if (s->was_ready_once || !WIFEXITED(s->child.status)) {
        return false;
    }
    FILE *report = open_memstream(&said, &size);
    require(report);
    enum aof_state state = aof_mend_tail(s->directory, report);
    fclose(report);
    said[strcspn(said, "\n")] = '\0';
    if (state == AOF_MENDED) {
        log_warning("engine", "%s", said);
        relay_forget(&s->relay);
    } else if (*said) {
        note_damage(s, said);
    }
    free(said);
    return state == AOF_MENDED;
}

/* After an unexpected death: whether to start again. */
static bool supervisor_goes_on(struct supervisor *s)
{
    char how[64];
    child_describe_end(&s->child, how, sizeof(how));
    if (mend_data(s)) {
        return true;
    }
    if (!s->was_ready) {
        return false;
    }
    s->could_not_write = room_ended_it(relay_last(&s->relay));
    relay_forget(&s->relay);
    s->backoff_ms = next_backoff(s);
    log_error("engine", "ended unexpectedly (%s); starting it again in %u ms", how, s->backoff_ms);
    return !rest(s);
}

/* It sleeps in poll, and wakes by s->wake. */
static void supervise(struct sleeper *unused, void *supervisor)
{
    (void)unused;
    struct supervisor *s = supervisor;
    for (bool again = true; again;) {
        s->started_us = clock_monotonic_us();
        s->was_ready_once = false;
        set_state(s, STARTING);
        pulse_begin(&s->pulse, s->socket_path);
        if (supervisor_begin(s)) {
            supervisor_watch(s);
            pulse_end(&s->pulse);
            child_clear(&s->child);
        }
        again = !s->stopping && supervisor_goes_on(s);
    }
    set_state(s, s->stopping || s->was_ready ? STOPPED : FAILED);
}

struct supervisor *supervisor_start(const char *config_file, const struct room *room, bool sandbox,
                                    unsigned hang_seconds)
{
    struct supervisor *s = mem_zero(1, sizeof(*s));
    s->config_file = mem_dup(config_file);
    s->socket_path = mem_dup(room->socket_path);
    s->directory = mem_dup(room->directory);
    s->sandbox = sandbox;
    s->hang_us = hang_seconds * 1000000ull;
    s->room = *room;
    s->room.socket_path = s->socket_path;
    s->room.directory = s->directory;
    s->wake = eventfd(0, EFD_CLOEXEC);
    require(s->wake >= 0);
    pthread_mutex_init(&s->mutex, NULL);
    clock_condition(&s->changed);
    s->sleeper = sleeper_start(supervise, s);
    return s;
}

/* A long load must not make the program deaf to signals: its main thread blocks them and looks for them here. */
static bool asked_to_end(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGTERM) || sigismember(&pending, SIGINT);
}

static void wait_change(struct supervisor *s, uint64_t ms)
{
    struct timespec until = clock_until(ms);
    pthread_cond_timedwait(&s->changed, &s->mutex, &until);
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
    } else if (!ready && s->damage[0]) {
        fprintf(report, "engine: the data cannot be read: %s\n", s->damage);
    } else if (!ready) {
        fprintf(report, "engine: it ended before it was ready: %s\n", relay_last(&s->relay));
    }
    return ready;
}

void supervisor_attach(struct supervisor *s, void (*on_return)(void *context), void *context)
{
    mutex_lock(&s->mutex);
    s->on_return = on_return;
    s->context = context;
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
    sleeper_end(s->sleeper);
    close(s->wake);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->mutex);
    free(s->config_file);
    free(s->socket_path);
    free(s->directory);
    free(s);
}
