/* log_batch.c - see log_batch.h.
 *
 * Who finds the buffer full writes it himself, so nothing is lost and a flood of lines is as slow as whoever reads them.
 * The lock is held while the buffer is written: the next lines would have to wait for that anyhow.
 */
#include "base/log_batch.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/panic.h"

#define ROOM (64 * 1024)

static struct {
    pthread_mutex_t lock;
    pthread_cond_t told; /* something waits, or the thread is to end */
    pthread_t thread;
    bool runs, ends;
    uint64_t written_us; /* when the last write was made */
    size_t length;
    char text[ROOM];
} batch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Nobody to tell if standard error is gone. */
static void pour_bytes(const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(STDERR_FILENO, text, size);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return;
        }
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
}

static void pour(void)
{
    pour_bytes(batch.text, batch.length);
    batch.length = 0;
    batch.written_us = clock_monotonic_us();
}

static void append_line(const char *line, size_t size)
{
    if (size > ROOM - batch.length) {
        pour();
    }
    size = size > ROOM ? ROOM : size;
    memcpy(batch.text + batch.length, line, size);
    batch.length += size;
}

void log_batch_write(const char *line, size_t size)
{
    mutex_lock(&batch.lock);
    append_line(line, size);
    pour();
    mutex_unlock(&batch.lock);
}

void log_batch_later(const char *line, size_t size)
{
    mutex_lock(&batch.lock);
    bool first = batch.length == 0;
    append_line(line, size);
    if (!batch.runs || (first && clock_monotonic_us() - batch.written_us >= LOG_BATCH_MS * 1000)) {
        pour();
    } else if (first) {
        pthread_cond_signal(&batch.told);
    }
    mutex_unlock(&batch.lock);
}

/* Gives lines that come the time to gather behind the first. */
static void gather_lines(void)
{
    struct timespec until = clock_until(LOG_BATCH_MS);
    int result = 0;
    while (!batch.ends && result == 0) {
        result = pthread_cond_timedwait(&batch.told, &batch.lock, &until);
    }
}

static void *batch_run(void *unused)
{
    (void)unused;
    mutex_lock(&batch.lock);
    while (!batch.ends) {
        if (batch.length == 0) {
            mutex_wait(&batch.told, &batch.lock);
        } else {
            gather_lines();
            pour();
        }
    }
    mutex_unlock(&batch.lock);
    return NULL;
}

void log_batch_start(void)
{
    sigset_t all, before;
    clock_condition(&batch.told);
    batch.ends = false;
    sigfillset(&all); /* they are the main thread's business */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&batch.thread, NULL, batch_run, NULL) != 0) {
        panic("cannot start a thread");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    mutex_lock(&batch.lock);
    batch.runs = true;
    mutex_unlock(&batch.lock);
}

void log_batch_end(void)
{
    mutex_lock(&batch.lock);
    bool runs = batch.runs;
    batch.runs = false;
    batch.ends = true;
    pthread_cond_signal(&batch.told);
    pour();
    mutex_unlock(&batch.lock);
    if (runs) {
        pthread_join(batch.thread, NULL);
        pthread_cond_destroy(&batch.told);
    }
}
