/* test_http_upload.c - files that come with a form, over a real server: where they lie, and that nothing stays
 * behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"
#include "config/config.h"
#include "http/application.h"
#include "http/area.h"
#include "http/server.h"
#include "http/upload.h"
#include "unix_server.h"

#define MOST (1024 * 1024) /* of a form */

static char top[64], state_dir[96], socket_path[96];
static struct config *config;
static struct http_server *server;
static size_t descriptors; /* open before the first request */

static size_t entries_of(const char *path)
{
    size_t n = 0;
    DIR *d = opendir(path);
    assert_non_null(d);
    while (readdir(d)) {
        n++;
    }
    closedir(d);
    return n - 2; /* . and .. */
}

/* --- the site ------------------------------------------------------------------------------------------------------ */

/* Byte i of all files. */
static char pattern(size_t i)
{
    return (char)(i * 31 + i / 256 * 7);
}

static bool is_pattern(const struct http_file *f)
{
    char *bytes = mem_alloc(f->size + 1);
    bool good = f->data != NULL || pread(f->fd, bytes, f->size + 1, 0) == (ssize_t)f->size;
    for (size_t i = 0; good && i < f->size; i++) {
        good = (f->data ? f->data : bytes)[i] == pattern(i);
    }
    free(bytes);
    return good;
}

/* "a.png:300000:disk" for each file, and how much lies in the directory. */
static void keep(struct http_request *req, struct http_response *resp)
{
    for (size_t i = 0; i < req->files.count; i++) {
        const struct http_file *f = &req->files.items[i];
        buffer_printf(&resp->body, "%s:%zu:%s:%s ", f->filename, f->size, f->data ? "memory" : "disk",
                      is_pattern(f) ? "good" : "bad");
    }
    buffer_printf(&resp->body, "%zu", entries_of(state_dir));
}

static void break_down(struct http_request *req, struct http_response *resp)
{
    require(resp->status == 0 && req->files.count == 1);
}

static const struct http_route routes[] = {
    {HTTP_POST, "/keep", keep, WHO_ANYONE, .bodies = HTTP_FORM | HTTP_MULTIPART, .max_upload = MOST, .help = ""},
    {HTTP_POST, "/fail", break_down, WHO_ANYONE, .bodies = HTTP_MULTIPART, .max_upload = MOST, .help = ""},
    {HTTP_POST, "/small", keep, WHO_ANYONE, .bodies = HTTP_MULTIPART, .help = ""},
    {0},
};
static const struct http_route *const tables[] = {routes, NULL};
static const struct http_area area = {.path = "/", .tables = tables, .credential = HTTP_BEARER};
static const struct http_area *const areas[] = {&area, NULL};

static const unsigned char *secret_key(void *app)
{
    return app;
}

static void touch(const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", state_dir, name);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static int start(void **state)
{
    static unsigned char key[32] = "a key of thirty-two bytes, or so";
    static const struct http_application app = {.areas = areas, .app = key, .secret_key = secret_key};
    (void)state;
    snprintf(top, sizeof(top), "/tmp/retwis-test-upload-XXXXXX");
    assert_non_null(mkdtemp(top));
    snprintf(state_dir, sizeof(state_dir), "%s/state", top);
    snprintf(socket_path, sizeof(socket_path), "%s/http", top);
    assert_int_equal(mkdir(state_dir, 0700), 0);
    touch("upload-0123456789abcdef");
    touch("upload-of-somebody");
    setenv("RETWIS_STATE_DIRECTORY", state_dir, 1);
    setenv("RETWIS_HTTP_LISTEN", socket_path, 1);
    setenv("RETWIS_HTTP_THREADS", "4", 1);
    config = config_load(NULL, stderr);
    assert_non_null(config);
    server = http_server_start(config, &app, stderr);
    assert_non_null(server);
    descriptors = entries_of("/proc/self/fd");
    return 0;
}

static int stop(void **state)
{
    char path[128];
    (void)state;
    http_server_stop(server, 1000);
    config_free(config);
    snprintf(path, sizeof(path), "%s/upload-of-somebody", state_dir);
    unlink(path);
    rmdir(state_dir);
    unlink(socket_path);
    return rmdir(top);
}

/* --- asking it ----------------------------------------------------------------------------------------------------- */

static char answer[64 * 1024];

/* A form with so many files of that size. */
static struct buffer form(struct arena *a, unsigned count, size_t size)
{
    struct buffer b = buffer_make(a);
    for (unsigned f = 0; f < count; f++) {
        buffer_printf(&b, "%s--xyz\r\nContent-Disposition: form-data; name=f; filename=%u\r\n\r\n", f ? "\r\n" : "", f);
        char *room = buffer_room(&b, size);
        for (size_t i = 0; i < size; i++) {
            room[i] = pattern(i);
        }
        buffer_took(&b, size);
    }
    buffer_text(&b, "\r\n--xyz--\r\n");
    return b;
}

static int dial_and_send(struct arena *a, const char *path, const struct buffer *body, size_t part)
{
    struct buffer b = buffer_make(a);
    buffer_printf(&b,
                  "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %zu\r\n"
                  "Content-Type: multipart/form-data; boundary=xyz\r\n\r\n",
                  path, body->length);
    buffer_add(&b, body->data, part);
    int fd = unix_dial(socket_path);
    assert_true(fd >= 0);
    for (size_t sent = 0; sent < b.length;) {
        ssize_t n = send(fd, b.data + sent, b.length - sent, MSG_NOSIGNAL);
        if (n <= 0) {
            break; /* refused before it was all sent */
        }
        sent += (size_t)n;
    }
    return fd;
}

/* The status; the body is in `text`. */
static int post(const char *path, unsigned count, size_t size, const char **text)
{
    struct arena *a = arena_new();
    struct buffer body = form(a, count, size);
    int fd = dial_and_send(a, path, &body, body.length);
    size_t length = 0;
    for (ssize_t n; (n = recv(fd, answer + length, sizeof(answer) - 1 - length, 0)) > 0;) {
        length += (size_t)n;
    }
    answer[length] = '\0';
    close(fd);
    arena_free(a);
    const char *end = strstr(answer, "\r\n\r\n");
    assert_non_null(end);
    *text = end + 4;
    return atoi(answer + 9);
}

/* Waits until no more descriptors are open than before the first request. */
static void assert_closed(void)
{
    for (int i = 0; i < 1000 && entries_of("/proc/self/fd") > descriptors; i++) {
        clock_sleep_ms(10);
    }
    assert_int_equal(entries_of("/proc/self/fd"), descriptors);
}

/* --- tests --------------------------------------------------------------------------------------------------------- */

static void what_a_dead_process_left_is_gone(void **state)
{
    (void)state;
    assert_int_equal(entries_of(state_dir), 1); /* not one of ours */
}

static void small_files_stay_in_memory(void **state)
{
    const char *text;
    (void)state;
    assert_int_equal(post("/keep", 1, 0, &text), 200);
    assert_string_equal(text, "0:0:memory:good 1");
    assert_int_equal(post("/keep", 2, UPLOAD_MEMORY, &text), 200);
    assert_string_equal(text, "0:65536:memory:good 1:65536:memory:good 1");
}

static void large_files_lie_in_the_state_directory_without_a_name(void **state)
{
    const char *text;
    (void)state;
    assert_int_equal(post("/keep", 1, UPLOAD_MEMORY + 1, &text), 200);
    assert_string_equal(text, "0:65537:disk:good 1");
    assert_int_equal(post("/keep", 3, 300000, &text), 200);
    assert_string_equal(text, "0:300000:disk:good 1:300000:disk:good 2:300000:disk:good 1");
    assert_closed();
}

static void they_end_with_a_request_that_fails(void **state)
{
    const char *text;
    (void)state;
    assert_int_equal(post("/fail", 1, 300000, &text), 500);
    assert_closed();
    assert_int_equal(post("/keep", 5, 150000, &text), 400); /* too many */
    assert_non_null(strstr(text, "too many files"));
    assert_closed();
    for (size_t part = 1; part < 300000; part += 60000) { /* the client goes away */
        struct arena *a = arena_new();
        struct buffer body = form(a, 1, 300000);
        close(dial_and_send(a, "/keep", &body, part));
        arena_free(a);
    }
    assert_closed();
    assert_int_equal(entries_of(state_dir), 1);
}

static void a_row_says_how_large(void **state)
{
    const char *text;
    (void)state;
    assert_int_equal(post("/small", 1, 30000, &text), 200);
    assert_int_equal(post("/small", 1, (size_t)config->http.max_body, &text), 413);
    assert_int_equal(post("/keep", 1, MOST - 200, &text), 200);
    assert_int_equal(post("/keep", 1, MOST, &text), 413);
}

static void no_room_is_said(void **state)
{
    const char *text;
    char elsewhere[128];
    (void)state;
    snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", top);
    assert_int_equal(rename(state_dir, elsewhere), 0);
    assert_int_equal(post("/keep", 1, 300000, &text), 503);
    assert_int_equal(rename(elsewhere, state_dir), 0);
    assert_int_equal(post("/keep", 1, 300000, &text), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_dead_process_left_is_gone),
        cmocka_unit_test(small_files_stay_in_memory),
        cmocka_unit_test(large_files_lie_in_the_state_directory_without_a_name),
        cmocka_unit_test(they_end_with_a_request_that_fails),
        cmocka_unit_test(a_row_says_how_large),
        cmocka_unit_test(no_room_is_said),
    };
    secret_setup();
    log_setup(LOG_ERROR, false);
    return cmocka_run_group_tests(tests, start, stop);
}
