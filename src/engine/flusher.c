/* flusher.c - see flusher.h. A thread that sleeps but for one look a second; it says once when the disk fails. */
#include "engine/flusher.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "engine/room.h"

#define FILES "appendonlydir" /* where the engine keeps them, below its data directory */
#define SUFFIX ".incr.aof"
#define PATH_SIZE 4096

struct flusher {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stopping;
    char directory[PATH_SIZE];
    bool failed;
    off_t size; /* of the file when it was last brought to the disk */
    ino_t inode;
};

static bool is_log(const char *name)
{
    size_t n = strlen(name), s = sizeof(SUFFIX) - 1;
    return n > s && strcmp(name + n - s, SUFFIX) == 0;
}

static void tell(struct flusher *f, const char *name, bool ok)
{
    if (!ok && !f->failed) {
        log_error("engine", "%s cannot be brought to the disk: %s", name, strerror(errno));
    }
    f->failed = !ok;
    room_note_flush(ok);
}

static void flush_file(struct flusher *f, const char *name)
{
    char path[PATH_SIZE + 256];
    struct stat st;
    snprintf(path, sizeof(path), "%s/%s", f->directory, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return; /* rewritten at this moment: its successor is looked at in a second */
    }
    if (fstat(fd, &st) == 0 && (st.st_size != f->size || st.st_ino != f->inode)) {
        bool ok = fdatasync(fd) == 0;
        tell(f, name, ok);
        if (ok) {
            f->size = st.st_size;
            f->inode = st.st_ino;
        }
    }
    close(fd);
}

/* During a rewrite there are two files for a moment; both are flushed. */
static void flush_all(struct flusher *f)
{
    DIR *d = opendir(f->directory);
    if (!d) {
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        if (is_log(e->d_name)) {
            flush_file(f, e->d_name);
        }
    }
    closedir(d);
}

static void *work(void *argument)
{
    struct flusher *f = argument;
    bool stopping = false;
    while (!stopping) {
        struct timespec until = clock_until(1000);
        mutex_lock(&f->mutex);
        int result = 0;
        while (!f->stopping && result == 0) {
            result = pthread_cond_timedwait(&f->changed, &f->mutex, &until);
        }
        stopping = f->stopping;
        mutex_unlock(&f->mutex);
        flush_all(f);
    }
    return NULL;
}

struct flusher *flusher_start(const char *data_directory)
{
    struct flusher *f = mem_zero(1, sizeof(*f));
    snprintf(f->directory, sizeof(f->directory), "%s/" FILES, data_directory);
    pthread_mutex_init(&f->mutex, NULL);
    clock_condition(&f->changed);
    sigset_t all, before; /* signals are the main thread's business */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&f->thread, NULL, work, f) != 0) {
        panic("cannot start a thread");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return f;
}

void flusher_stop(struct flusher *f)
{
    if (!f) {
        return;
    }
    mutex_lock(&f->mutex);
    f->stopping = true;
    pthread_cond_signal(&f->changed);
    mutex_unlock(&f->mutex);
    pthread_join(f->thread, NULL);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->mutex);
    free(f);
}
