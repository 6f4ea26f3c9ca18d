/* test_confine.c - what a process that has shut itself in can still do, and what it cannot. Each attempt is made by a
 * child of its own; where the kernel has no seccomp or no Landlock, the tests that need it are skipped. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"

static char directory[64], other[64];
static int listener = -1;
static unsigned listener_port;
static struct confine_result here; /* what this machine's kernel can do */

/* --- in the child -------------------------------------------------------------------------------------------------- */

static int program = -1;

static struct confine_result shut_in(enum confine_who who)
{
    struct confine c;
    confine_begin(&c, who);
    confine_allow(&c, CONFINE_WRITE, directory);
    confine_allow(&c, CONFINE_WRITE, "/nonexistent");
    if (who == CONFINE_SERVER) {
        program = open("/proc/self/exe", O_PATH | O_CLOEXEC);
        confine_program(&c, program);
        confine_listen(&c, 0);
    }
    confine_privileges(false);
    return confine_enter(&c);
}

/* 0 or errno */
static int opened(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 ? 0 : errno;
}

static int open_passwd(void)
{
    return opened("/etc/passwd", O_RDONLY);
}

static int open_urandom(void)
{
    return opened("/dev/urandom", O_RDONLY);
}

static int read_other(void)
{
    return opened(other, O_RDONLY);
}

static int write_own(void)
{
    char from[128], deep[128], to[160];
    snprintf(from, sizeof(from), "%s/new", directory);
    snprintf(deep, sizeof(deep), "%s/deep", directory);
    snprintf(to, sizeof(to), "%s/moved", deep);
    int e = opened(from, O_RDWR | O_CREAT | O_TRUNC);
    e = e ? e : mkdir(deep, 0700) ? errno : 0;
    e = e ? e : rename(from, to) ? errno : 0; /* the engine does that with its log */
    e = e ? e : truncate(to, 0) ? errno : 0;
    e = e ? e : unlink(to) || rmdir(deep) ? errno : 0;
    return e;
}

static int make_socket_outside(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof(a.sun_path), "%s.sock", other);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int e = bind(fd, (struct sockaddr *)&a, sizeof(a)) ? errno : 0;
    unlink(a.sun_path);
    return e;
}

static int connect_out(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)listener_port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) ? errno : 0;
}

static int listen_free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) || listen(fd, 1) ? errno : 0;
}

static int make_netlink(void)
{
    return socket(AF_NETLINK, SOCK_RAW, 0) < 0 ? errno : 0;
}

static int map_code(void)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        return -1;
    }
    return mprotect(p, 4096, PROT_READ | PROT_EXEC) ? errno : 0;
}

static int new_namespace(void)
{
    long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) {
        _exit(0);
    }
    return pid < 0 ? errno : 0;
}

static void *give_back(void *argument)
{
    return argument;
}

static int threads_and_children(void)
{
    pthread_t thread;
    int status;
    if (pthread_create(&thread, NULL, give_back, NULL) || pthread_join(thread, NULL)) {
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        _exit(0);
    }
    return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : -1;
}

static int execute_shell(void)
{
    execl("/bin/true", "true", (char *)NULL);
    return errno;
}

static int trace_itself(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? errno : 0;
}

static int leave_namespace(void)
{
    return unshare(CLONE_NEWNS) ? errno : 0;
}

/* The shell by descriptor: Landlock has it not among the programs, and seccomp looks at the number. */
static int execute_by_descriptor(void)
{
    char *const arguments[] = {(char[]){"true"}, NULL};
    int fd = open("/bin/true", O_PATH | O_CLOEXEC);
    syscall(SYS_execveat, fd, "", arguments, arguments + 1, AT_EMPTY_PATH);
    return errno;
}

/* Even under the number of the program. */
static int execute_in_disguise(void)
{
    char *const arguments[] = {(char[]){"true"}, NULL};
    int fd = open("/bin/true", O_PATH | O_CLOEXEC);
    dup3(fd, program, O_CLOEXEC);
    syscall(SYS_execveat, program, "", arguments, arguments + 1, AT_EMPTY_PATH);
    return errno;
}

static int signal_parent(void)
{
    return kill(getppid(), 0) ? errno : 0;
}

/* --- the tests ----------------------------------------------------------------------------------------------------- */

/* What an attempt of a confined process comes to: errno, 0, or the negative number of the signal that ended it. */
static int attempt(enum confine_who who, int (*what)(void))
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        shut_in(who);
        _exit(what());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void needs_files(int version)
{
    if (here.files < version) {
        print_message("this kernel's Landlock is version %d, the test needs %d\n", here.files, version);
        skip();
    }
}

static void needs_calls(void)
{
    if (!here.calls) {
        print_message("not confined: %s\n", here.why);
        skip();
    }
}

static void test_files(void **state)
{
    (void)state;
    needs_files(1);
    assert_int_equal(attempt(CONFINE_SERVER, write_own), 0);
    assert_int_equal(attempt(CONFINE_ENGINE, write_own), 0);
    assert_int_equal(attempt(CONFINE_ENGINE, open_urandom), 0);
    assert_int_equal(attempt(CONFINE_SERVER, open_passwd), EACCES);
    assert_int_equal(attempt(CONFINE_ENGINE, open_passwd), EACCES);
    assert_int_equal(attempt(CONFINE_SERVER, read_other), EACCES);
    assert_int_equal(attempt(CONFINE_SERVER, make_socket_outside), EACCES);
    assert_int_equal(attempt(CONFINE_SERVER, execute_in_disguise), EACCES);
}

static void test_ports(void **state)
{
    (void)state;
    needs_files(4);
    assert_int_equal(attempt(CONFINE_SERVER, connect_out), EACCES);
    assert_int_equal(attempt(CONFINE_SERVER, listen_free_port), 0);
}

static void test_signals(void **state)
{
    (void)state;
    needs_files(6);
    assert_int_equal(attempt(CONFINE_ENGINE, signal_parent), EPERM);
    assert_int_equal(attempt(CONFINE_SERVER, signal_parent), 0);
}

static void test_calls(void **state)
{
    (void)state;
    needs_calls();
    for (enum confine_who who = CONFINE_SERVER; who <= CONFINE_ENGINE; who++) {
        assert_int_equal(attempt(who, threads_and_children), 0);
        assert_int_equal(attempt(who, make_netlink), EPERM);
        assert_int_equal(attempt(who, map_code), EPERM);
        assert_int_equal(attempt(who, new_namespace), EPERM);
        assert_int_equal(attempt(who, execute_shell), -SIGSYS);
        assert_int_equal(attempt(who, trace_itself), -SIGSYS);
        assert_int_equal(attempt(who, leave_namespace), -SIGSYS);
    }
    assert_int_equal(attempt(CONFINE_SERVER, execute_by_descriptor), EPERM);
    assert_int_equal(attempt(CONFINE_ENGINE, execute_by_descriptor), -SIGSYS);
    assert_int_equal(attempt(CONFINE_ENGINE, listen_free_port), EPERM);
}

static int look_at_privileges(void)
{
    struct rlimit core = {1, 1};
    getrlimit(RLIMIT_CORE, &core);
    return (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) | (prctl(PR_GET_DUMPABLE) == 0) << 1 |
           (core.rlim_max == 0) << 2;
}

static void test_privileges(void **state)
{
    (void)state;
    needs_calls(); /* not so in builds with sanitizers */
    assert_int_equal(attempt(CONFINE_SERVER, look_at_privileges), 7);
}

static int setup(void **state)
{
    (void)state;
    int ends[2];
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t size = sizeof(a);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    snprintf(directory, sizeof(directory), "/tmp/retwis-test-XXXXXX");
    snprintf(other, sizeof(other), "/tmp/retwis-other-XXXXXX");
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!mkdtemp(directory) || close(mkstemp(other)) || pipe(ends) || bind(listener, (struct sockaddr *)&a, size) ||
        listen(listener, 8) || getsockname(listener, (struct sockaddr *)&a, &size)) {
        return -1;
    }
    listener_port = ntohs(a.sin_port);
    pid_t pid = fork();
    if (pid == 0) {
        struct confine_result r = shut_in(CONFINE_SERVER);
        _exit(write(ends[1], &r, sizeof(r)) != sizeof(r));
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &here, sizeof(here)); /* the text is a constant of this program: good here too */
    close(ends[0]);
    return waitpid(pid, NULL, 0) == pid && got == sizeof(here) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    close(listener);
    return unlink(other) || rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_ports),      cmocka_unit_test(test_signals),
        cmocka_unit_test(test_calls), cmocka_unit_test(test_privileges),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
