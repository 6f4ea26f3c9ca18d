/* flusher.c - see flusher.h. A thread that looks once a second and sleeps in between; it logs once when the disk
 * fails. */
#include "engine/flusher.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/panic.h"
#include "base/sleeper.h"
#include "engine/room.h"

#define FILES "appendonlydir" /* where the engine keeps them, below its data directory */
#define SUFFIX ".incr.aof"
#define PATH_SIZE 4096
#define PERIOD_MS 1000

struct flusher {
    struct sleeper *sleeper;
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

static void flusher_tell(struct flusher *f, const char *name, bool ok)
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
        flusher_tell(f, name, ok);
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

/* Once more at the end. */
static void flush_now_and_then(struct sleeper *sleeper, void *flusher)
{
    bool again;
    do {
        again = sleeper_sleep(sleeper, PERIOD_MS);
        flush_all(flusher);
    } while (again);
}

struct flusher *flusher_start(const char *data_directory)
{
    struct flusher *f = mem_zero(1, sizeof(*f));
    snprintf(f->directory, sizeof(f->directory), "%s/" FILES, data_directory);
    f->sleeper = sleeper_start(flush_now_and_then, f);
    return f;
}

void flusher_stop(struct flusher *f)
{
    if (f) {
        sleeper_end(f->sleeper);
        free(f);
    }
}
