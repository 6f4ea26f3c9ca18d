/* upload.c - see upload.h. */
#include "http/upload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/secret.h"

#define PREFIX "upload-"
#define NAME_SIZE (sizeof(PREFIX) + 16)

static const char *spool; /* NULL: none */

void upload_setup(const char *directory)
{
    spool = directory && *directory ? directory : NULL;
    DIR *d = spool ? opendir(spool) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        bool ours = strncmp(e->d_name, PREFIX, strlen(PREFIX)) == 0 && strlen(e->d_name) == NAME_SIZE - 1;
        if (ours && unlinkat(dirfd(d), e->d_name, 0) == 0) {
            log_info("http", "%s/%s was left by a process that died, and is removed", spool, e->d_name);
        }
    }
    if (d) {
        closedir(d);
    }
}

/* A new file without a name; -1 with errno. */
static int open_nameless(void)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), PREFIX "%016llx", (unsigned long long)secret_random_u64());
    int directory = spool ? open(spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (directory < 0) {
        return -1;
    }
    int fd = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && unlinkat(directory, name, 0) != 0) {
        close(fd);
        fd = -1;
    }
    close(directory);
    return fd;
}

static bool write_file(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        data += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* From memory to a file. */
static bool spill(struct upload *u)
{
    u->file->fd = open_nameless();
    return u->file->fd >= 0 && write_file(u->file->fd, u->bytes.data, u->bytes.length);
}

struct upload upload_begin(struct arena *a, struct http_file *file)
{
    file->fd = -1;
    file->data = NULL;
    file->size = 0;
    return (struct upload){.file = file, .bytes = buffer_make(a)};
}

int upload_add(struct upload *u, const char *data, size_t size, const char **why)
{
    bool in_memory = u->file->fd < 0;
    u->file->size += size;
    if (in_memory && u->file->size <= UPLOAD_MEMORY) {
        buffer_add(&u->bytes, data, size);
        return 0;
    }
    if ((in_memory && !spill(u)) || !write_file(u->file->fd, data, size)) {
        log_error("http", "a file that was sent cannot be kept in the state directory: %s", strerror(errno));
        *why = "there is no room for the file";
        return 503;
    }
    return 0;
}

void upload_end(struct upload *u)
{
    u->file->data = u->file->fd < 0 ? buffer_string(&u->bytes) : NULL;
}

void upload_close(struct http_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        if (files->items[i].fd >= 0) {
            close(files->items[i].fd);
        }
    }
    files->count = 0;
}
