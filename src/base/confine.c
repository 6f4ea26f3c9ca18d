/* confine.c - see confine.h: privileges, and files and ports (Landlock). The system calls are in confine_calls.c.
 *
 * Debian's C library has no functions for Landlock, and its kernel headers end with the first version: the numbers of
 * later ones stand here, from linux/landlock.h of Linux 6.12. A kernel that knows less gets less.
 *
 * Builds with sanitizers are not confined: those look around in the machine and in other processes by themselves.
 */
#define _GNU_SOURCE /* O_PATH */
#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/panic.h"

#ifndef __has_feature /* how clang tells; gcc has the names below */
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer)
static const bool watched = true;
#else
static const bool watched = false;
#endif

/* Landlock up to version 1 refuses to move a file from one directory to another, which the engine must. */
#define ABI_LEAST 2
#define ABI_TRUNCATE 3
#define ABI_NET 4
#define ABI_IOCTL 5
#define ABI_SCOPE 6

#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEV (1ull << 15)
#define FS_OF_FILES                                                                                                    \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | FS_TRUNCATE)
#define FS_OF_LEAST ((LANDLOCK_ACCESS_FS_REFER << 1) - 1)
#define NET_BIND (1ull << 0)
#define NET_CONNECT (1ull << 1)
#define SCOPE_ABSTRACT_SOCKET (1ull << 0)
#define SCOPE_SIGNAL (1ull << 1)
#define RULE_NET_PORT 2

struct ruleset {
    uint64_t fs, net, scoped;
};

struct rule_port {
    uint64_t access, port;
};

static const uint64_t rights[] = {
    [CONFINE_READ] = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    [CONFINE_WRITE] = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
                      FS_TRUNCATE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                      LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                      LANDLOCK_ACCESS_FS_REFER,
    [CONFINE_SOCKETS] = LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REMOVE_FILE,
    [CONFINE_EXECUTE] = LANDLOCK_ACCESS_FS_EXECUTE,
};

/* --- privileges ---------------------------------------------------------------------------------------------------- */

void confine_umask(void)
{
    umask(077);
}

void confine_privileges(bool dumps)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (watched) {
        return;
    }
    if (!dumps) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
    }
    prctl(PR_SET_DUMPABLE, dumps, 0, 0, 0); /* until the next exec; a process that was root needs to be told both */
}

/* --- files and ports ----------------------------------------------------------------------------------------------- */

/* A service manager that is spoken to through an abstract socket must stay within reach. */
static bool has_abstract_manager(void)
{
    const char *path = getenv("NOTIFY_SOCKET");
    return path && path[0] == '@';
}

static uint64_t scopes(enum confine_who who)
{
    /* The server may have to end an engine that an earlier server left behind; the engine ends nobody. */
    return (who == CONFINE_ENGINE ? SCOPE_SIGNAL : 0) | (has_abstract_manager() ? 0 : SCOPE_ABSTRACT_SOCKET);
}

static void make_ruleset(struct confine *c)
{
    c->abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (c->abi < ABI_LEAST) {
        return;
    }
    struct ruleset all = {.fs = FS_OF_LEAST};
    all.fs |= c->abi >= ABI_TRUNCATE ? FS_TRUNCATE : 0;
    all.fs |= c->abi >= ABI_IOCTL ? FS_IOCTL_DEV : 0;
    all.net = c->abi >= ABI_NET ? NET_BIND | NET_CONNECT : 0;
    all.scoped = c->abi >= ABI_SCOPE ? scopes(c->who) : 0;
    size_t size = c->abi >= ABI_SCOPE ? sizeof(all) : c->abi >= ABI_NET ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    c->ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
}

void confine_begin(struct confine *c, enum confine_who who)
{
    static const char *const looked_at[] = {"/proc", "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm",
                                            "/dev/urandom"};
    *c = (struct confine){.who = who, .ruleset = -1, .program = -1};
    if (!watched) {
        make_ruleset(c);
    }
    for (size_t i = 0; i < sizeof(looked_at) / sizeof(looked_at[0]); i++) {
        confine_allow(c, CONFINE_READ, looked_at[i]);
    }
    confine_allow(c, CONFINE_WRITE, "/dev/null");
}

void confine_allow(struct confine *c, enum confine_access access, const char *path)
{
    struct stat s;
    int fd = c->ruleset >= 0 ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (fd >= 0 && fstat(fd, &s) == 0) {
        uint64_t known = c->abi >= ABI_TRUNCATE ? ~0ull : ~FS_TRUNCATE;
        struct landlock_path_beneath_attr rule = {
            .allowed_access = rights[access] & known & (S_ISDIR(s.st_mode) ? ~0ull : FS_OF_FILES), .parent_fd = fd};
        syscall(SYS_landlock_add_rule, c->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void allow_directory_of(struct confine *c, const char *path)
{
    char *directory = mem_dup(path);
    char *slash = strrchr(directory, '/');
    if (slash == directory) {
        confine_allow(c, CONFINE_READ, path);
    } else {
        *(slash ? slash : directory) = '\0';
        confine_allow(c, CONFINE_READ, slash ? directory : ".");
    }
    free(directory);
}

void confine_allow_beside(struct confine *c, const char *path)
{
    char *target = realpath(path, NULL);
    allow_directory_of(c, path);
    if (target) {
        allow_directory_of(c, target);
    }
    free(target);
}

static void allow_port(struct confine *c, uint64_t access, unsigned port)
{
    struct rule_port rule = {access, port};
    if (c->ruleset >= 0 && c->abi >= ABI_NET) {
        syscall(SYS_landlock_add_rule, c->ruleset, RULE_NET_PORT, &rule, 0);
    }
}

void confine_listen(struct confine *c, unsigned port)
{
    allow_port(c, NET_BIND, port);
}

void confine_connect(struct confine *c, unsigned port)
{
    allow_port(c, NET_CONNECT, port);
}

void confine_program(struct confine *c, int descriptor)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights[CONFINE_EXECUTE] | LANDLOCK_ACCESS_FS_READ_FILE,
                                              .parent_fd = descriptor};
    c->program = descriptor;
    if (c->ruleset >= 0) {
        syscall(SYS_landlock_add_rule, c->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
}

/* --- the end of it ------------------------------------------------------------------------------------------------- */

static bool enter_files(struct confine *c)
{
    bool ok = c->ruleset >= 0 && syscall(SYS_landlock_restrict_self, c->ruleset, 0) == 0;
    if (c->ruleset >= 0) {
        close(c->ruleset);
    }
    c->ruleset = -1;
    return ok;
}

struct confine_result confine_enter(struct confine *c)
{
    struct confine_result result = {0};
    if (watched) {
        result.why = "this is a build with sanitizers: neither system calls nor files are confined";
        return result;
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); /* without it the kernel lets only root go on */
    result.files = enter_files(c) ? c->abi : 0;
    result.calls = confine_calls(c->who, c->program) == 0;
    if (!result.files && !result.calls) {
        result.why = "this kernel, or a filter around this process, has neither seccomp nor Landlock: system calls and "
                     "files are not "
                     "confined";
    } else if (!result.files) {
        result.why =
            "this kernel has no Landlock (or only its first version), or a filter around this process (a container's) "
            "forbids it: files and ports are not confined";
    } else if (!result.calls) {
        result.why = "this kernel, or a filter around this process, has no seccomp: system calls are not confined";
    }
    return result;
}
