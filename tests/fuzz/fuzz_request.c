/* fuzz_request.c - whole connections: the bytes go through a Unix socket into a server of this process, so through
 * civetweb's parser, the guards and everything of src/http. What comes back must be answers of HTTP, each complete,
 * none after one that said it was the last, no 500; and what reaches a handler must be what http.h promises.
 *
 * Threads: the caller's, which is the client, and the server's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/log.h"
#include "config/config.h"
#include "fuzz.h"
#include "http/form.h"
#include "http/host.h"
#include "http/application.h"
#include "http/area.h"
#include "http/server.h"

#define PATIENCE_SECONDS 60 /* more than any deadline of the server: an answer that never comes is a failure */

/* --- what handlers see --------------------------------------------------------------------------------------------- */

static void check_pairs(const struct http_pairs *p)
{
    for (size_t i = 0; i < p->count; i++) {
        FUZZ_CHECK(form_is_utf8(p->items[i].name, strlen(p->items[i].name)));
        FUZZ_CHECK(form_is_utf8(p->items[i].value, strlen(p->items[i].value)));
    }
}

static void check_path(const char *path)
{
    size_t length = strlen(path);
    FUZZ_CHECK(path[0] == '/' && form_is_utf8(path, length) && !strstr(path, "//") && !strchr(path, '\\'));
    FUZZ_CHECK(length == 1 || path[length - 1] != '/');
    for (const char *p = path; p; p = strchr(p + 1, '/')) {
        FUZZ_CHECK(strncmp(p, "/./", 3) != 0 && strncmp(p, "/../", 4) != 0);
        FUZZ_CHECK(strcmp(p, "/.") != 0 && strcmp(p, "/..") != 0);
    }
}

static void check_request(const struct http_request *req)
{
    check_path(req->path);
    check_pairs(&req->query);
    check_pairs(&req->form);
    check_pairs(&req->variables);
    FUZZ_CHECK(host_is_valid(req->host, strlen(req->host)));
    FUZZ_CHECK(strncmp(req->origin, "http", 4) == 0 && strstr(req->origin, req->host));
    for (size_t i = 0; i < req->files.count; i++) {
        const struct http_file *f = &req->files.items[i];
        FUZZ_CHECK(f->filename[0] && form_is_utf8(f->filename, strlen(f->filename)) &&
                   (f->data != NULL) == (f->fd < 0));
    }
    FUZZ_CHECK(!http_header_in(req, "transfer-encoding"));
    for (size_t i = 0; i < req->headers.count; i++) {
        FUZZ_CHECK(!strpbrk(req->headers.items[i].name, " \t:ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
        FUZZ_CHECK(!strpbrk(req->headers.items[i].value, "\r\n"));
    }
    const char *next = http_safe_next(http_query(req, "next"), "/");
    FUZZ_CHECK(next[0] == '/' && next[1] != '/' && next[1] != '\\' && !strpbrk(next, "\r\n\t"));
}

static void handle(struct http_request *req, struct http_response *resp)
{
    check_request(req);
    const char *name = http_query(req, "cookie");
    if (name) {
        http_set_cookie(req, resp, "chosen", name, 60);
        FUZZ_CHECK(resp->broken || !strpbrk(name, ";, \r\n"));
        resp->broken = false;
    }
    buffer_text(&resp->body, http_csrf_token(req, resp));
}

static const unsigned char *secret_key(void *app)
{
    return app;
}

static const struct http_parameter inputs[] = {
    {"text", HTTP_TEXT, 1, 10, false, ""}, {"count", HTTP_NUMBER, -5, 5, false, ""},
    {"reply", HTTP_ID, 0, 0, false, ""},   {"name", HTTP_NAME, 0, 0, false, ""},
    {NULL, HTTP_TEXT, 0, 0, false, NULL},
};
static const struct http_route routes[] = {
    {HTTP_GET | HTTP_POST, "/", handle, WHO_ANYONE, {inputs}, .help = ""},
    {HTTP_POST, "/files", handle, WHO_ANYONE, {inputs}, .bodies = HTTP_FORM | HTTP_JSON | HTTP_MULTIPART, .help = ""},
    {HTTP_GET | HTTP_POST, "/@:name/follow", handle, WHO_ANYONE, {inputs}, .help = ""},
    {HTTP_GET | HTTP_DELETE, "/files/*rest", handle, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/mine", handle, WHO_MEMBER, {inputs}, .help = ""},
    {0},
};
static const struct http_route *const tables[] = {routes, NULL};

static enum err verify(struct http_request *req)
{
    const char *cookie = area_credential(req);
    FUZZ_CHECK(cookie != NULL);
    return cookie[0] % 2 ? ERR_OK : ERR_UNAUTHORIZED;
}

static const struct http_area area = {.path = "/", .tables = tables, .verify = verify};
static const struct http_area *const areas[] = {&area, NULL};

/* --- the server ---------------------------------------------------------------------------------------------------- */

static struct http_server *server;
static struct config *config;
static char directory[] = "/tmp/retwis-fuzz-XXXXXX";
static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void stop(void)
{
    http_server_stop(server, 1000);
    config_free(config);
    unlink(address.sun_path);
    rmdir(directory);
}

static void start(void)
{
    static unsigned char key[32] = "a key of thirty-two bytes, or so";
    static const struct http_application application = {.areas = areas, .app = key, .secret_key = secret_key};
    log_setup(LOG_ERROR, false); /* the requests of a fuzzer deserve many lines */
    FUZZ_CHECK(mkdtemp(directory));
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/http", directory);
    setenv("RETWIS_HTTP_LISTEN", address.sun_path, 1);
    setenv("RETWIS_HTTP_THREADS", "4", 1);
    setenv("RETWIS_LOG_ACCESS", "no", 1);
    char empty[64];
    snprintf(empty, sizeof(empty), "%s/empty.ini", directory);
    FILE *file = fopen(empty, "w");
    FUZZ_CHECK(file != NULL && fclose(file) == 0);
    config = config_load(empty, stderr);
    unlink(empty);
    unsetenv("RETWIS_HTTP_LISTEN"); /* not for the target of the configuration */
    unsetenv("RETWIS_HTTP_THREADS");
    unsetenv("RETWIS_LOG_ACCESS");
    FUZZ_CHECK(config != NULL);
    server = http_server_start(config, &application, stderr);
    FUZZ_CHECK(server != NULL);
    atexit(stop);
}

/* --- the client ---------------------------------------------------------------------------------------------------- */

/* Sends all and reads all. A reset, where the server did not want the rest, is an end like any other. */
static struct buffer converse(struct arena *a, const char *data, size_t size)
{
    struct buffer said = buffer_make(a);
    struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    FUZZ_CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    while (size > 0) {
        ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) { /* libFuzzer's clock; a call with a time limit is not begun again by itself */
            continue;
        }
        FUZZ_CHECK(n > 0 || errno == EPIPE || errno == ECONNRESET);
        if (n <= 0) {
            break;
        }
        data += n;
        size -= (size_t)n;
    }
    shutdown(fd, SHUT_WR);
    for (;;) {
        ssize_t n = recv(fd, buffer_room(&said, 4096), 4096, 0);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        FUZZ_CHECK(n >= 0 || errno == ECONNRESET);
        buffer_took(&said, n > 0 ? (size_t)n : 0);
        if (n <= 0) {
            break;
        }
    }
    close(fd);
    return said;
}

/* The value of a header in the head that ends at `end`; NULL if it is not there. */
static const char *header(const char *head, const char *end, const char *name)
{
    size_t n = strlen(name);
    for (const char *line = strstr(head, "\r\n") + 2; line < end; line = strstr(line, "\r\n") + 2) {
        if (strncasecmp(line, name, n) == 0 && strncmp(line + n, ": ", 2) == 0) {
            return line + n + 2;
        }
    }
    return NULL;
}

/* One answer at `at`; returns its end, NULL if nothing may follow. */
static const char *check_answer(const char *at, const char *all_end, bool maybe_head)
{
    const char *end = strstr(at, "\r\n\r\n");
    FUZZ_CHECK(strncmp(at, "HTTP/1.1 ", 9) == 0 && end);
    int status = atoi(at + 9);
    FUZZ_CHECK(status >= 100 && status < 600 && status != 500);
    for (const char *p = at; p < end; p++) {
        FUZZ_CHECK((unsigned char)*p >= 0x20 || (*p == '\r' && p[1] == '\n') || (*p == '\n' && p[-1] == '\r'));
    }
    if (status == 100) {
        return end + 4;
    }
    const char *length = header(at, end, "Content-Length");
    const char *connection = header(at, end, "Connection");
    bool last = connection && strncmp(connection, "close", 5) == 0;
    FUZZ_CHECK(header(at, end, "X-Content-Type-Options") && header(at, end, "Content-Security-Policy"));
    FUZZ_CHECK(length || status == 204 || status == 304);
    if (maybe_head) {
        return NULL;
    }
    end += 4 + (length && status != 304 ? strtoul(length, NULL, 10) : 0);
    FUZZ_CHECK(end <= all_end && (!last || end == all_end));
    return end;
}

void fuzz_request(const char *data, size_t size)
{
    if (!server) {
        start();
    }
    struct buffer said = converse(fuzz_arena(), data, size);
    const char *at = buffer_string(&said);
    const char *end = at + said.length;
    FUZZ_CHECK(strlen(at) == said.length);
    bool maybe_head = fuzz_has(data, size, "HEAD"); /* then lengths say nothing */
    while (at && at < end) {
        at = check_answer(at, end, maybe_head);
    }
}
