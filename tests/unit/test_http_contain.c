/* test_http_contain.c - a broken invariant ends one request: the whole site over real connections, and beside its pages
 * some whose handlers are wrong. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "base/metric.h"
#include "base/mutex.h"
#include "config/config.h"
#include "config/settings.h"
#include "http/application.h"
#include "http/area.h"
#include "http/server.h"
#include "pages/pages.h"
#include "social/core/social.h"
#include "store_case.h"
#include "social/product.h"

#define CLIENTS 3
#define ROUNDS 100

/* --- pages that are wrong ------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What ended the first release: the number of a reply, kept beyond its batch. */
static void break_batch(struct http_request *req, struct http_response *resp)
{
    struct store_batch *first = store_batch_new(store, req->arena), *second = store_batch_new(store, req->arena);
    size_t reply = store_command(first, 0, "PING", NULL);
    store_run(first);
    store_run(second);
    http_header(resp, "X-Begun", "yes");
    buffer_text(&resp->body, store_text(store_reply(second, reply)));
}

static void break_later(void *context)
{
    require(context == NULL);
}

static void break_after(struct http_request *req, struct http_response *resp)
{
    buffer_text(&resp->body, "good");
    http_after(req, break_later, resp);
}

static void break_behind(struct http_request *req, struct http_response *resp)
{
    mutex_lock(&lock);
    mutex_unlock(&lock);
    require(req == NULL);
    (void)resp;
}

static void break_with_lock(struct http_request *req, struct http_response *resp)
{
    mutex_lock(&lock);
    break_batch(req, resp);
}

static void break_with_connection(struct http_request *req, struct http_response *resp)
{
    struct store_batch *b = store_batch_new(store, req->arena);
    store_command(b, 0, "PING", NULL);
    store_start(b);
    require(b == NULL);
    (void)resp;
}

static void keep_lock(struct http_request *req, struct http_response *resp)
{
    (void)req;
    (void)resp;
    mutex_lock(&lock);
}

static const struct http_route routes[] = {
    {HTTP_GET, "/break/batch", break_batch, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/break/page", break_batch, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/break/after", break_after, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/break/behind", break_behind, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/break/lock", break_with_lock, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/break/connection", break_with_connection, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/break/kept", keep_lock, WHO_ANYONE, .help = ""},
    {0},
};

/* --- the site ------------------------------------------------------------------------------------------------------- */

static struct {
    char directory[64], socket[96], watched[96]; /* the second for who runs the site */
    struct config *config;
    struct settings_store *settings;
    struct social *social;
    struct site *pages;
    struct http_server *http;
} site;

static void on_error(struct http_request *req, struct http_response *resp, int status, const char *text)
{
    require(strcmp(req->path, "/break/page") != 0);
    pages_area.error(req, resp, status, text);
}

static struct http_area area; /* that of the pages, with the routes above and an error page that breaks */
static const struct http_area *const areas[] = {&area, NULL};

/* An engine and a directory. */
static int prepare(void **state)
{
    setup(state);
    snprintf(site.directory, sizeof(site.directory), "/tmp/retwis-test-contain-XXXXXX");
    return mkdtemp(site.directory) ? 0 : -1;
}

static void open_site(void)
{
    snprintf(site.socket, sizeof(site.socket), "%s/http.sock", site.directory);
    snprintf(site.watched, sizeof(site.watched), "%s/metrics.sock", site.directory);
    setenv("RETWIS_STATE_DIRECTORY", site.directory, 1);
    setenv("RETWIS_REDIS_URL", redis.url, 1);
    setenv("RETWIS_HTTP_LISTEN", site.socket, 1);
    setenv("RETWIS_METRICS_LISTEN", site.watched, 1);
    setenv("RETWIS_HTTP_THREADS", "4", 1);
    site.config = config_load(NULL, stderr);
    assert_non_null(site.config);
    site.settings = settings_open(site.directory, stderr);
    site.social = product_open(site.config, site.settings, store);
    assert_int_equal(product_enter(site.social, true), ERR_OK);
    site.pages = pages_open(site.config, site.settings, site.social, stderr);
    assert_non_null(site.pages);
    static const struct http_route *tables[32] = {routes};
    for (size_t i = 0; pages_area.tables[i]; i++) {
        tables[i + 1] = pages_area.tables[i];
    }
    area = pages_area;
    area.tables = tables;
    area.error = on_error;
    struct http_application app;
    pages_application(site.pages, areas, &app);
    site.http = http_server_start(site.config, &app, stderr);
    assert_non_null(site.http);
}

static int start_site(void **state)
{
    int result = prepare(state);
    open_site();
    return result;
}

static void remove_in_directory(const char *name)
{
    char path[160];
    snprintf(path, sizeof(path), "%s/%s", site.directory, name);
    remove(path);
}

static int clean_up(void **state)
{
    remove_in_directory("settings.db");
    remove_in_directory("settings.db-wal");
    remove_in_directory("settings.db-shm");
    remove_in_directory("http.sock");
    remove_in_directory("metrics.sock");
    remove_in_directory("");
    return teardown(state);
}

static int stop_site(void **state)
{
    http_server_stop(site.http, 1000);
    pages_close(site.pages);
    product_close(site.social);
    settings_close(site.settings);
    config_free(site.config);
    return clean_up(state);
}

/* --- asking it ------------------------------------------------------------------------------------------------------ */

struct http_answer {
    int status; /* 0: none came */
    char text[32 * 1024];
    char *body;
};

static int dial(const char *path)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct timeval patience = {.tv_sec = 60};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    if (connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static int get_by(const char *socket_path, const char *path, struct http_answer *a)
{
    char request[512];
    size_t n = 0;
    int fd = dial(socket_path);
    snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n", path);
    if (fd >= 0 && send(fd, request, strlen(request), MSG_NOSIGNAL) > 0) {
        for (ssize_t got; n < sizeof(a->text) - 1 && (got = read(fd, a->text + n, sizeof(a->text) - 1 - n)) > 0;) {
            n += (size_t)got;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    a->text[n] = '\0';
    char *end = strstr(a->text, "\r\n\r\n");
    a->body = end ? end + 4 : a->text + n;
    a->status = end && strncmp(a->text, "HTTP/1.1 ", 9) == 0 ? atoi(a->text + 9) : 0;
    return a->status;
}

static int get(const char *path, struct http_answer *a)
{
    return get_by(site.socket, path, a);
}

/* --- tests ---------------------------------------------------------------------------------------------------------- */

static void the_request_gets_500(void **state)
{
    (void)state;
    static struct http_answer a;
    assert_int_equal(get("/break/batch", &a), 500);
    assert_non_null(strstr(a.body, "<html"));
    assert_non_null(strstr(a.text, "\r\nConnection: close\r\n"));
    assert_null(strstr(a.text, "X-Begun"));
    assert_int_equal(get("/break/page", &a), 500); /* not even the page for it */
    assert_null(strstr(a.body, "<html"));
    assert_int_equal(get("/break/after", &a), 200);
    assert_string_equal(a.body, "good");
    assert_int_equal(get("/break/behind", &a), 500); /* the lock was given back */
    assert_int_equal(get("/about", &a), 200);
}

static void health_says_so(void **state)
{
    (void)state;
    static struct http_answer a;
    uint64_t before = metric_get(METRIC_BROKEN_REQUESTS);
    assert_int_equal(get("/break/batch", &a), 500);
    assert_int_equal(get("/break/page", &a), 500); /* twice: the handler and its error page */
    assert_int_equal(get("/break/after", &a), 200);
    assert_int_equal(get("/health", &a), 200);
    for (int i = 0; i < 100 && metric_get(METRIC_BROKEN_REQUESTS) != before + 4; i++) {
        clock_sleep_ms(20); /* what comes after the answer comes after it */
    }
    assert_int_equal(metric_get(METRIC_BROKEN_REQUESTS), before + 4);
    assert_int_equal(get("/health", &a), 200);
    assert_string_equal(a.body, "OK"); /* which helps nobody to find a way to do it */
    assert_int_equal(get_by(site.watched, "/health", &a), 200);
    char line[64];
    snprintf(line, sizeof(line), "\n%llu requests were ended by a fault", (unsigned long long)before + 4);
    assert_non_null(strstr(a.body, line));
}

/* Standard error of one request, as a file. */
static char *words_of(const char *path)
{
    static struct http_answer a;
    static char text[8192];
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    get(path, &a);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void the_log_says_where_once(void **state)
{
    (void)state;
    const char *first = words_of("/break/batch"), *place = strstr(first, "src/store/batch.c:");
    assert_non_null(place);
    assert_non_null(strstr(place, "broken invariant: b->replies && i < b->count"));
    assert_null(strstr(place + 1, "broken invariant: b->replies && i < b->count: "));
    assert_string_equal(words_of("/break/batch"), ""); /* a line a minute for each place */
}

static void *read_pages(void *context)
{
    static const char *const paths[] = {"/about", "/public", "/health", "/auth/sign_in"};
    struct http_answer *a = mem_alloc(sizeof(*a));
    int *bad = context;
    for (int i = 0; i < ROUNDS; i++) {
        *bad += get(paths[i % 4], a) != 200;
    }
    free(a);
    return NULL;
}

static void nobody_else_notices(void **state)
{
    (void)state;
    static struct http_answer a;
    pthread_t clients[CLIENTS];
    int bad[CLIENTS] = {0};
    for (size_t i = 0; i < CLIENTS; i++) {
        assert_int_equal(pthread_create(&clients[i], NULL, read_pages, &bad[i]), 0);
    }
    for (int i = 0; i < ROUNDS; i++) {
        assert_int_equal(get(i % 2 ? "/break/batch" : "/break/page", &a), 500);
    }
    for (size_t i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i], NULL);
        assert_int_equal(bad[i], 0);
    }
}

/* --- what must end the process all the same ------------------------------------------------------------------------- */

static void end_of_a_process_that_gets(const char *path)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static struct http_answer a;
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        open_site();
        get(path, &a);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void shared_things_end_the_process(void **state)
{
    (void)state;
    end_of_a_process_that_gets("/break/lock");
    end_of_a_process_that_gets("/break/connection");
    end_of_a_process_that_gets("/break/kept");
}

#define site_test(f) cmocka_unit_test_setup_teardown(f, start_site, stop_site)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shared_things_end_the_process, prepare, clean_up),
        site_test(the_log_says_where_once),
        site_test(the_request_gets_500),
        site_test(health_says_so),
        site_test(nobody_else_notices),
    };
    int status;
    return begin_tests(argc, argv, &status) ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
