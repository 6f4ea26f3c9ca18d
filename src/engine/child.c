/* child.c - see child.h.
 *
 * The executable is opened once at start and executed by descriptor, so a restart of the engine works without /proc
 * (empty chroot), after a chdir, and while a package upgrade replaces the file: the old server keeps its old engine.
 *
 * Between fork and exec only async-signal-safe calls are made: other threads exist.
 *
 * Threads: the supervisor's; child_remember_program the main thread's.
 */
#define _GNU_SOURCE
#include "engine/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/panic.h"

#define CANNOT_EXEC 127
#define CLOSE_LAST 65536

static int program = -1;

int child_remember_program(void)
{
    if (program < 0) {
        program = open("/proc/self/exe", O_PATH | O_CLOEXEC);
    }
    if (program < 0) {
        const char *path = (const char *)getauxval(AT_EXECFN);
        program = path ? open(path, O_PATH | O_CLOEXEC) : -1;
    }
    return program;
}

/* Our environment with LC_ALL=C: the engine refuses a locale it cannot find. The caller frees the array only. */
static char **environment(void)
{
    static char locale[] = "LC_ALL=C";
    size_t count = 0, n = 0;
    while (environ && environ[count]) {
        count++;
    }
    char **out = mem_zero(count + 2, sizeof(*out));
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "LC_", 3) != 0 && strncmp(environ[i], "LANG", 4) != 0) {
            out[n++] = environ[i];
        }
    }
    out[n] = locale;
    return out;
}

/* The engine inherits no descriptor of the server but standard input, even where O_CLOEXEC was forgotten. */
static void close_the_rest(void)
{
    if (syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */) == 0) {
        return;
    }
    for (int fd = 3; fd < CLOSE_LAST; fd++) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
}

static _Noreturn void become_engine(pid_t parent, int output, char *const *arguments, char *const *env)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid(); /* Ctrl-C is for the server, which then stops the engine in its turn */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(CANNOT_EXEC);
    }
    confine_umask();
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close_the_rest();
    syscall(SYS_execveat, program, "", arguments, env, AT_EMPTY_PATH);
    static const char why[] = "this program cannot be executed again\n";
    ssize_t ignored = write(STDERR_FILENO, why, sizeof(why) - 1);
    (void)ignored;
    _exit(CANNOT_EXEC);
}

bool child_start(struct child *c, const char *config_file, bool sandbox, const char *const *more)
{
    int ends[2];
    char *path = mem_dup(config_file);
    char *arguments[3 + CHILD_MORE + 2] = {(char[]){"retwis"}, (char[]){"engine"}, path};
    size_t count = 0;
    for (; count < CHILD_MORE && more[count]; count++) {
        arguments[3 + count] = (char *)(uintptr_t)more[count]; /* execve(2) only reads them */
    }
    arguments[3 + count] = sandbox ? NULL : (char[]){CHILD_OPEN};
    char **env = environment();
    pid_t parent = getpid();
    *c = (struct child){.pidfd = -1, .output = -1};
    if (pipe2(ends, O_CLOEXEC) == 0) {
        c->pid = fork();
        if (c->pid == 0) {
            become_engine(parent, ends[1], arguments, env);
        }
        close(ends[1]);
        c->output = ends[0];
        fcntl(c->output, F_SETFL, O_NONBLOCK);
    }
    bool started = c->output >= 0 && c->pid > 0;
    int saved = errno;
    if (started) {
        c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
    } else {
        child_clear(c);
    }
    free(env);
    free(path);
    errno = saved;
    return started;
}

bool child_waits_for_disk(const struct child *c)
{
    char path[64], text[256];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)c->pid); /* pid (name) state */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;
    if (fd >= 0) {
        close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    const char *end = strrchr(text, ')');
    return end && strncmp(end, ") D", 3) == 0;
}

bool child_reap(struct child *c)
{
    return c->pid <= 0 || waitpid(c->pid, &c->status, WNOHANG) != 0;
}

void child_describe_end(const struct child *c, char *out, size_t size)
{
    if (WIFSIGNALED(c->status)) {
        snprintf(out, size, "signal %d (%s)", WTERMSIG(c->status), strsignal(WTERMSIG(c->status)));
    } else {
        snprintf(out, size, "exit status %d", WEXITSTATUS(c->status));
    }
}

void child_clear(struct child *c)
{
    if (c->output >= 0) {
        close(c->output);
    }
    if (c->pidfd >= 0) {
        close(c->pidfd);
    }
    c->pid = 0;
    c->output = c->pidfd = -1;
}
