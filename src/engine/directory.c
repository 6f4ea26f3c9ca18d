/* directory.c - see directory.h. Threads: any. */
#include "engine/directory.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/panic.h"
#include "config/config.h"

#define OLD_SOCKET "engine.sock" /* up to version 0.1 */

char *directory_path(const struct config *c, const char *name)
{
    size_t size = strlen(c->state.directory) + strlen(name) + 2;
    char *path = mem_alloc(size);
    snprintf(path, size, "%s/%s", c->state.directory, name);
    return path;
}

/* This path is as long as that of earlier versions, because a socket's path has no room to spare. The old path is used
 * while it is the only one there: then a server from before an upgrade is still running. */
char *directory_socket(const struct config *c)
{
    char *path = directory_path(c, DIRECTORY_SOCKET);
    char *old = directory_path(c, OLD_SOCKET);
    if (access(path, F_OK) != 0 && access(old, F_OK) == 0) {
        free(path);
        return old;
    }
    free(old);
    return path;
}

bool directory_close(const struct config *c, const char *data, FILE *report)
{
    char *old = directory_path(c, OLD_SOCKET);
    unlink(old);
    free(old);
    if (chmod(data, 0700) == 0) {
        return true;
    }
    fprintf(report, "state.directory: %s: %s\n", data, strerror(errno));
    return false;
}

bool directory_make(const char *directory, FILE *report)
{
    char *path = mem_dup(directory);
    int failed = 0;
    for (char *p = path + 1; !failed; p++) {
        char c = *p;
        if (c == '/' || c == '\0') {
            *p = '\0';
            failed = mkdir(path, 0700) != 0 && errno != EEXIST;
            *p = c;
        }
        if (c == '\0') {
            break;
        }
    }
    if (failed) {
        fprintf(report, "state.directory: %s: %s\n", directory, strerror(errno));
    }
    free(path);
    return !failed;
}

bool directory_become_owner(const struct config *c, FILE *report)
{
    const char *directory = c->state.directory;
    struct stat s;
    if (geteuid() != 0 || stat(directory, &s) != 0 || s.st_uid == 0) {
        return true;
    }
    bool became = setgroups(0, NULL) == 0 && setgid(s.st_gid) == 0 && setuid(s.st_uid) == 0;
    if (became && setuid(0) != 0) {
        return true;
    }
    fprintf(report, "state.directory: %s: cannot become its owner: %s\n", directory,
            became ? "root could be taken back" : strerror(errno));
    return false;
}
