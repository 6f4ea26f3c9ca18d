/* memory.c - see memory.h. A process in an empty chroot has neither /proc nor /sys: then only the kernel's own figure
 * counts. */
#include "base/memory.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define PATH_SIZE 4096

void memory_setup(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    mallopt(M_ARENA_MAX, cores < 1 ? 1 : (int)cores);
}

/* The number in a file; UINT64_MAX for the word "max", or without a file. */
static uint64_t memory_read_number(const char *path)
{
    uint64_t n = UINT64_MAX;
    FILE *f = fopen(path, "re");
    if (f) {
        if (fscanf(f, "%" SCNu64, &n) != 1) {
            n = UINT64_MAX;
        }
        fclose(f);
    }
    return n;
}

/* The smallest number in these files of the group and of all groups above it. A container may see only its own group,
 * at the root. */
static uint64_t smallest(const char *root, const char *group, const char *file)
{
    char path[PATH_SIZE], name[PATH_SIZE];
    uint64_t least = UINT64_MAX;
    snprintf(name, sizeof(name), "%s", group);
    for (;;) {
        char *slash = strrchr(name, '/');
        if (slash && !slash[1]) {
            *slash = '\0'; /* the root's name is "/" */
        }
        snprintf(path, sizeof(path), "%.1500s%.2000s/%s", root, name, file);
        uint64_t n = memory_read_number(path);
        least = n < least ? n : least;
        slash = strrchr(name, '/');
        if (!slash) {
            return least;
        }
        *slash = '\0';
    }
}

uint64_t memory_group_limit(const char *list, const char *root)
{
    char line[PATH_SIZE], root_1[PATH_SIZE];
    uint64_t least = UINT64_MAX;
    FILE *f = fopen(list, "re");
    if (!f) {
        return least;
    }
    snprintf(root_1, sizeof(root_1), "%.1500s/memory", root);
    while (fgets(line, sizeof(line), f)) { /* "0::/a/b" or "7:cpu,memory:/a/b" */
        line[strcspn(line, "\n")] = '\0';
        char *kinds = strchr(line, ':');
        char *group = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!group) {
            continue;
        }
        *group++ = '\0';
        uint64_t n = UINT64_MAX;
        if (strcmp(kinds, ":") == 0) {
            n = smallest(root, group, "memory.max");
        } else if (strstr(kinds, "memory")) {
            n = smallest(root_1, group, "memory.limit_in_bytes");
        }
        least = n < least ? n : least;
    }
    fclose(f);
    return least;
}

uint64_t memory_available(void)
{
    struct sysinfo s;
    uint64_t machine = sysinfo(&s) == 0 ? (uint64_t)s.totalram * s.mem_unit : UINT64_MAX;
    uint64_t group = memory_group_limit("/proc/self/cgroup", "/sys/fs/cgroup");
    return group < machine ? group : machine;
}
