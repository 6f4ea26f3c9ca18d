/* private_redis.c - see private_redis.h. Everything that goes wrong here ends the test program. */
#include "private_redis.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/panic.h"

#define OPTIONS_MAX 40
#define START_MS 10000

bool private_redis_embedded;

/* It is up when it answers at all: an error (no password) will do, being busy with loading will not. */
static bool answers(const char *path)
{
    char text[64] = "";
    int fd = unix_dial(path);
    if (fd < 0) {
        return false;
    }
    ssize_t n = send(fd, "PING\r\n", 6, MSG_NOSIGNAL) == 6 ? read(fd, text, sizeof(text) - 1) : 0;
    close(fd);
    return n > 0 && strncmp(text, "-LOADING", 8) != 0;
}

static void become(const struct private_redis *r, const char *const *options)
{
    const char *arguments[OPTIONS_MAX] = {
        "redis-server", "--port",       "0",       "--save",     "",        "--dir",
        r->dir,         "--unixsocket", r->socket, "--loglevel", "warning", "--enable-debug-command",
        "local",
    };
    int count = 13;
    while (options && *options && count < OPTIONS_MAX - 1) {
        arguments[count++] = *options++;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("LC_ALL", "C", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    setenv("TSAN_OPTIONS", "report_bugs=0", 1);
    if (!freopen("/dev/null", "w", stdout)) {
        _exit(1);
    }
    if (!private_redis_embedded) {
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    }
    for (int i = count; i > 0; i--) {
        arguments[i] = arguments[i - 1];
    }
    arguments[0] = "test";
    arguments[1] = "engine";
    execv("/proc/self/exe", (char *const *)(uintptr_t)arguments);
    _exit(1);
}

void private_redis_again(struct private_redis *r, const char *const *options)
{
    fflush(stdout); /* not NULL: the thread of a fake that a failed test has left holds its stream for ever */
    r->pid = fork();
    require(r->pid >= 0);
    if (r->pid == 0) {
        become(r, options);
    }
    uint64_t end = clock_monotonic_us() + START_MS * 1000;
    while (!answers(r->socket)) {
        if (clock_monotonic_us() > end || waitpid(r->pid, NULL, WNOHANG) != 0) {
            panic("the private engine does not start");
        }
        clock_sleep_ms(5);
    }
}

void private_redis_start(struct private_redis *r, const char *const *options)
{
    snprintf(r->dir, sizeof(r->dir), "/tmp/retwis-test-XXXXXX");
    require(mkdtemp(r->dir));
    snprintf(r->socket, sizeof(r->socket), "%s/redis.sock", r->dir);
    snprintf(r->url, sizeof(r->url), "unix://%s", r->socket);
    private_redis_again(r, options);
}

void private_redis_kill(struct private_redis *r)
{
    if (r->pid > 0) {
        kill(r->pid, SIGKILL);
        waitpid(r->pid, NULL, 0);
        r->pid = 0;
    }
}

static void remove_tree(const char *dir)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", dir);
    require(system(command) == 0);
}

void private_redis_stop(struct private_redis *r)
{
    private_redis_kill(r);
    remove_tree(r->dir);
}

struct config private_redis_config(const char *url)
{
    struct config c = {0};
    c.redis.url = url;
    c.redis.password_file = "";
    c.redis.tls_ca = "";
    c.redis.prefix = "";
    c.redis.accept_loss = true; /* they keep nothing on purpose: starting is quicker so */
    c.redis.connections = 8;
    c.redis.shared_connections = 2;
    c.redis.connect_timeout = 2000;
    c.redis.command_timeout = 10000;
    c.state.directory = "/nonexistent";
    return c;
}

/* One command of the protocol; false at the end. Only its first word is kept. */
static bool read_command(FILE *in, char *word, size_t size)
{
    char line[64];
    if (!fgets(line, sizeof(line), in) || line[0] != '*') {
        return false;
    }
    long count = strtol(line + 1, NULL, 10);
    for (long i = 0; i < count; i++) {
        if (!fgets(line, sizeof(line), in)) {
            return false;
        }
        size_t length = (size_t)strtol(line + 1, NULL, 10) + 2;
        char *bytes = mem_alloc(length);
        bool ok = fread(bytes, 1, length, in) == length;
        if (ok && i == 0) {
            snprintf(word, size, "%.*s", (int)length - 2, bytes);
        }
        free(bytes);
        if (!ok) {
            return false;
        }
    }
    return true;
}

static const char *answer_to(struct fake_redis *f, const char *word)
{
    if (!f->raw && strcmp(word, "HELLO") == 0) {
        return "*0\r\n";
    }
    if (!f->raw && strcmp(word, "SCRIPT") == 0) {
        return "+OK\r\n";
    }
    if (!f->raw && (strcmp(word, "INFO") == 0 || strcmp(word, "CONFIG") == 0)) { /* it may not be asked */
        return "-NOPERM\r\n";
    }
    return f->answer(word, atomic_fetch_add(&f->commands, 1));
}

static void converse(struct unix_server *server, int fd)
{
    struct fake_redis *f = server->context;
    FILE *in = fdopen(fd, "r");
    char word[32];
    require(in);
    while (!server->stopping && read_command(in, word, sizeof(word))) {
        const char *text = answer_to(f, word);
        if (!text || send(fd, text, strlen(text), MSG_NOSIGNAL) < 0) {
            break;
        }
        while (f->drip && f->commands && !server->stopping && send(fd, "x", 1, MSG_NOSIGNAL) == 1) {
            clock_sleep_ms(50);
        }
    }
    shutdown(fd, SHUT_RDWR);
    fclose(in);
}

void fake_redis_start(struct fake_redis *f, const char *(*answer)(const char *command, int nth))
{
    *f = (struct fake_redis){.answer = answer, .raw = f->raw, .drip = f->drip};
    unix_server_start(&f->server, converse, f);
    f->url = f->server.url;
}

/* The store must be closed: its connections end the conversations. */
void fake_redis_stop(struct fake_redis *f)
{
    unix_server_stop(&f->server);
}
