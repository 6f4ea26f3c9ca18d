/* confine_calls.c - see confine_calls.h: which system calls the program makes, in one table.
 *
 * A call that is not in it fails with EPERM and, where the kernel keeps an audit log, leaves a line there. A call that
 * only an attacker would make ends the process at once. The engine is a child of the server and has the server's filter
 * too, so its calls are a part of the server's. When a library makes a new call, a test fails with EPERM: then the call
 * belongs here.
 *
 * The kernel remembers which calls pass with any arguments, so the filter costs next to nothing for those (`futex`,
 * `read`, `write`, `poll` and the like). Calls whose arguments are looked at are rare.
 *
 * Not in it: clone3, whose flags a filter cannot see. ENOSYS makes the C library use clone.
 */
#define _GNU_SOURCE
#include "base/confine_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stddef.h>
#include <seccomp.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define SERVER CONFINE_SERVER
#define ENGINE CONFINE_ENGINE
#define BOTH (CONFINE_SERVER | CONFINE_ENGINE)
#define NAMESPACES                                                                                                     \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

#ifdef __s390__
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

#define CALL(name) SCMP_SYS(name)

struct call_row {
    int number;
    unsigned who;
};

/* clang-format off */
static const struct call_row allowed[] = {
    /* waiting, and talking with visitors and engine */
    {CALL(futex), BOTH}, {CALL(poll), BOTH}, {CALL(ppoll), BOTH}, {CALL(epoll_wait), BOTH}, {CALL(epoll_pwait), BOTH},
    {CALL(epoll_ctl), BOTH}, {CALL(epoll_create), BOTH}, {CALL(epoll_create1), BOTH}, {CALL(select), BOTH},
    {CALL(pselect6), BOTH}, {CALL(eventfd2), BOTH}, {CALL(read), BOTH}, {CALL(readv), BOTH}, {CALL(write), BOTH},
    {CALL(writev), BOTH}, {CALL(recvfrom), BOTH}, {CALL(recvmsg), BOTH}, {CALL(recvmmsg), SERVER}, {CALL(sendto), BOTH},
    {CALL(sendmsg), BOTH}, {CALL(sendmmsg), SERVER}, {CALL(accept), BOTH}, {CALL(accept4), BOTH}, {CALL(connect), BOTH},
    {CALL(bind), BOTH}, {CALL(listen), BOTH}, {CALL(shutdown), BOTH}, {CALL(getsockname), BOTH},
    {CALL(getpeername), BOTH}, {CALL(getsockopt), BOTH}, {CALL(setsockopt), BOTH}, {CALL(close), BOTH},
    {CALL(close_range), BOTH}, {CALL(dup), BOTH}, {CALL(dup2), BOTH}, {CALL(dup3), BOTH}, {CALL(fcntl), BOTH},
    {CALL(pipe), BOTH}, {CALL(pipe2), BOTH},
    /* files; which ones is Landlock's business */
    {CALL(open), BOTH}, {CALL(openat), BOTH}, {CALL(creat), BOTH}, {CALL(pread64), BOTH}, {CALL(pwrite64), BOTH},
    {CALL(preadv), BOTH}, {CALL(pwritev), BOTH}, {CALL(lseek), BOTH}, {CALL(stat), BOTH}, {CALL(fstat), BOTH},
    {CALL(lstat), BOTH}, {CALL(newfstatat), BOTH}, {CALL(statx), BOTH}, {CALL(statfs), BOTH}, {CALL(fstatfs), BOTH},
    {CALL(access), BOTH}, {CALL(faccessat), BOTH}, {CALL(faccessat2), BOTH}, {CALL(readlink), BOTH},
    {CALL(readlinkat), BOTH}, {CALL(getdents), BOTH}, {CALL(getdents64), BOTH}, {CALL(getcwd), BOTH}, {CALL(chdir), BOTH},
    {CALL(fchdir), BOTH}, {CALL(mkdir), BOTH}, {CALL(mkdirat), BOTH}, {CALL(rmdir), BOTH}, {CALL(unlink), BOTH},
    {CALL(unlinkat), BOTH}, {CALL(rename), BOTH}, {CALL(renameat), BOTH}, {CALL(renameat2), BOTH}, {CALL(link), SERVER},
    {CALL(linkat), SERVER}, {CALL(chmod), BOTH}, {CALL(fchmod), BOTH}, {CALL(fchmodat), BOTH}, {CALL(fchown), SERVER},
    {CALL(truncate), BOTH}, {CALL(ftruncate), BOTH}, {CALL(fallocate), BOTH}, {CALL(fsync), BOTH}, {CALL(fdatasync), BOTH},
    {CALL(sync_file_range), BOTH}, {CALL(fadvise64), BOTH}, {CALL(readahead), BOTH}, {CALL(copy_file_range), BOTH},
    {CALL(sendfile), BOTH}, {CALL(utimensat), BOTH}, {CALL(flock), BOTH}, {CALL(umask), BOTH},
    /* memory */
    {CALL(munmap), BOTH}, {CALL(mremap), BOTH}, {CALL(madvise), BOTH}, {CALL(brk), BOTH}, {CALL(mincore), BOTH},
    {CALL(msync), BOTH}, {CALL(mlock), BOTH}, {CALL(munlock), BOTH}, {CALL(membarrier), BOTH},
    /* threads and processes: those of its own, see `narrow` for clone */
    {CALL(fork), BOTH}, {CALL(wait4), BOTH}, {CALL(waitid), BOTH}, {CALL(exit), BOTH}, {CALL(exit_group), BOTH},
    {CALL(set_robust_list), BOTH}, {CALL(set_tid_address), BOTH}, {CALL(rseq), BOTH}, {CALL(arch_prctl), BOTH},
    {CALL(sched_yield), BOTH}, {CALL(sched_getaffinity), BOTH}, {CALL(sched_getparam), BOTH},
    {CALL(sched_getscheduler), BOTH}, {CALL(sched_get_priority_max), BOTH}, {CALL(sched_get_priority_min), BOTH},
    {CALL(getpid), BOTH}, {CALL(getppid), BOTH}, {CALL(gettid), BOTH}, {CALL(getpgrp), BOTH}, {CALL(getpgid), BOTH},
    {CALL(getsid), BOTH}, {CALL(setsid), BOTH}, {CALL(getuid), BOTH}, {CALL(geteuid), BOTH}, {CALL(getgid), BOTH},
    {CALL(getegid), BOTH}, {CALL(getresuid), BOTH}, {CALL(getresgid), BOTH}, {CALL(getgroups), BOTH},
    {CALL(prlimit64), BOTH}, {CALL(getrlimit), BOTH}, {CALL(setrlimit), BOTH}, {CALL(getrusage), BOTH},
    {CALL(sysinfo), BOTH}, {CALL(uname), BOTH}, {CALL(times), BOTH}, {CALL(getcpu), BOTH}, {CALL(getpriority), BOTH},
    {CALL(getrandom), BOTH}, {CALL(restart_syscall), BOTH},
    /* signals and time */
    {CALL(rt_sigaction), BOTH}, {CALL(rt_sigprocmask), BOTH}, {CALL(rt_sigpending), BOTH}, {CALL(rt_sigreturn), BOTH},
    {CALL(rt_sigsuspend), BOTH}, {CALL(rt_sigtimedwait), BOTH}, {CALL(sigaltstack), BOTH}, {CALL(kill), BOTH},
    {CALL(tgkill), BOTH}, {CALL(tkill), BOTH}, {CALL(pidfd_open), SERVER}, {CALL(pidfd_send_signal), SERVER},
    {CALL(clock_gettime), BOTH}, {CALL(clock_getres), BOTH}, {CALL(clock_nanosleep), BOTH}, {CALL(nanosleep), BOTH},
    {CALL(gettimeofday), BOTH}, {CALL(time), BOTH}, {CALL(setitimer), BOTH}, {CALL(getitimer), BOTH}, {CALL(alarm), BOTH},
    {CALL(pause), BOTH},
    /* for the engine, which the server starts and which then confines itself */
    {CALL(seccomp), SERVER}, {CALL(landlock_create_ruleset), SERVER}, {CALL(landlock_add_rule), SERVER},
    {CALL(landlock_restrict_self), SERVER},
};

/* This program never makes these: only an attacker who has taken it over would. */
static const struct call_row deadly[] = {
    {CALL(execve), BOTH}, {CALL(execveat), ENGINE}, {CALL(ptrace), BOTH}, {CALL(process_vm_readv), BOTH},
    {CALL(process_vm_writev), BOTH}, {CALL(pidfd_getfd), BOTH}, {CALL(kcmp), BOTH}, {CALL(bpf), BOTH},
    {CALL(perf_event_open), BOTH}, {CALL(userfaultfd), BOTH}, {CALL(io_uring_setup), BOTH}, {CALL(add_key), BOTH},
    {CALL(keyctl), BOTH}, {CALL(request_key), BOTH}, {CALL(kexec_load), BOTH}, {CALL(kexec_file_load), BOTH},
    {CALL(init_module), BOTH}, {CALL(finit_module), BOTH}, {CALL(delete_module), BOTH}, {CALL(mount), BOTH},
    {CALL(umount2), BOTH}, {CALL(pivot_root), BOTH}, {CALL(chroot), BOTH}, {CALL(fsopen), BOTH}, {CALL(fsmount), BOTH},
    {CALL(move_mount), BOTH}, {CALL(open_tree), BOTH}, {CALL(mount_setattr), BOTH}, {CALL(unshare), BOTH},
    {CALL(setns), BOTH}, {CALL(reboot), BOTH}, {CALL(swapon), BOTH}, {CALL(swapoff), BOTH}, {CALL(iopl), BOTH},
    {CALL(ioperm), BOTH}, {CALL(open_by_handle_at), BOTH}, {CALL(settimeofday), BOTH}, {CALL(clock_settime), BOTH},
    {CALL(sethostname), BOTH}, {CALL(setdomainname), BOTH}, {CALL(acct), BOTH}, {CALL(quotactl), BOTH},
};

/* Allowed with some arguments only: the first test, and the second if it has one, must hold. */
struct narrow_row {
    int number;
    unsigned who;
    struct scmp_arg_cmp tests[2];
    unsigned count;
};

#define IS(name, who, argument, value) {CALL(name), who, {SCMP_CMP(argument, SCMP_CMP_EQ, value)}, 1}
#define WITHOUT(name, who, argument, bits) {CALL(name), who, {SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bits, 0)}, 1}

static const struct narrow_row narrow[] = {
    WITHOUT(clone, BOTH, CLONE_FLAGS, NAMESPACES),
    /* no memory that can be both written and executed, and none that becomes executable */
    WITHOUT(mmap, BOTH, 2, PROT_EXEC), WITHOUT(mprotect, BOTH, 2, PROT_EXEC),
    IS(socket, BOTH, 0, AF_UNIX), IS(socket, SERVER, 0, AF_INET), IS(socket, SERVER, 0, AF_INET6),
    IS(socketpair, SERVER, 0, AF_UNIX),
    IS(ioctl, BOTH, 1, TCGETS), IS(ioctl, BOTH, 1, FIONREAD), IS(ioctl, BOTH, 1, FIONBIO),
    IS(prctl, BOTH, 0, PR_SET_NAME), IS(prctl, BOTH, 0, PR_GET_NAME), IS(prctl, BOTH, 0, PR_SET_DUMPABLE),
    IS(prctl, BOTH, 0, PR_GET_DUMPABLE), IS(prctl, BOTH, 0, PR_SET_NO_NEW_PRIVS), IS(prctl, BOTH, 0, PR_GET_NO_NEW_PRIVS),
    IS(prctl, BOTH, 0, PR_GET_SECCOMP),
    IS(prctl, BOTH, 0, PR_SET_THP_DISABLE), IS(prctl, SERVER, 0, PR_SET_PDEATHSIG), IS(prctl, SERVER, 0, PR_SET_SECCOMP),
};
/* clang-format on */

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static int add_rows(scmp_filter_ctx filter, const struct call_row *rows, size_t count, unsigned who, uint32_t action)
{
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++) {
        error = rows[i].who & who ? seccomp_rule_add(filter, action, rows[i].number, 0) : 0;
    }
    return error;
}

static int add_narrow(scmp_filter_ctx filter, enum confine_who who, int program)
{
    int error = 0;
    for (size_t i = 0; i < COUNT(narrow) && error == 0; i++) {
        const struct narrow_row *n = &narrow[i];
        error = n->who & who ? seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, n->number, n->count, n->tests) : 0;
    }
    if (error == 0 && program >= 0) {
        const struct scmp_arg_cmp itself[] = {SCMP_CMP(0, SCMP_CMP_EQ, (scmp_datum_t)program),
                                              SCMP_CMP(4, SCMP_CMP_EQ, AT_EMPTY_PATH)};
        error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, CALL(execveat), 2, itself);
    }
    return error ? error : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), CALL(clone3), 0);
}

static int filter_fill(scmp_filter_ctx filter, enum confine_who who, int program)
{
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree instead of one comparison after the other */
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_LOG, 1);
    int error = add_rows(filter, allowed, COUNT(allowed), who, SCMP_ACT_ALLOW);
    if (!error) {
        error = add_rows(filter, deadly, COUNT(deadly), who, SCMP_ACT_KILL_PROCESS);
    }
    return error ? error : add_narrow(filter, who, program);
}

int confine_calls(enum confine_who who, int program)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) {
        return -ENOMEM;
    }
    int error = filter_fill(filter, who, program);
    if (!error) {
        error = seccomp_load(filter);
    }
    seccomp_release(filter);
    return error;
}

const char *confine_library(void)
{
    static char text[32];
    const struct scmp_version *v = seccomp_version();
    snprintf(text, sizeof(text), "%u.%u.%u", v->major, v->minor, v->micro);
    return text;
}
