/* test_config.c - retwis.ini: defaults, values, the environment, and that the generated file is the one in the
 * repository and means the defaults. Mistakes are in test_config_mistakes.c.
 *
 * RETWIS_TEST_WRITE_INI=1 makes the comparison write retwis.ini instead: that is how the file is brought up to date.
 */
#include "config_case.h"

#include <dirent.h>
#include <sys/stat.h>

static char *print(const struct config *c)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    config_print(c, out);
    fclose(out);
    return text;
}

static char *generated_ini(void)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    config_write_ini(out);
    fclose(out);
    return text;
}

static void defaults(void **state)
{
    (void)state;
    struct config *c = load_good("");
    assert_string_equal(c->http.listen, "8080");
    assert_string_equal(c->http.public_url, "");
    assert_int_equal(c->http.threads, 512);
    assert_int_equal(c->http.max_body, 65536);
    assert_string_equal(c->redis.url, "embedded");
    assert_int_equal(c->redis.durability, CONFIG_EVERYSEC);
    assert_int_equal(c->redis.memory_limit, CONFIG_AUTO);
    assert_int_equal(c->redis.connections, 16);
    assert_int_equal(c->redis.connect_timeout, 2000);
    assert_int_equal(c->redis.command_timeout, 3000);
    assert_int_equal(c->timeline.mode, CONFIG_PUSH);
    assert_int_equal(c->timeline.size, 800);
    assert_int_equal(c->timeline.page, 20);
    assert_int_equal(c->timeline.inline_followers, 1000);
    assert_int_equal(c->timeline.pull_per_author, 20);
    assert_int_equal(c->timeline.workers, 2);
    assert_int_equal(c->posts.cache, 32);
    assert_true(c->limits.enabled);
    assert_int_equal(c->limits.sign_in.count, 10);
    assert_int_equal(c->limits.sign_in.seconds, 300);
    assert_int_equal(c->limits.sign_in_device.count, 10);
    assert_int_equal(c->limits.sign_in_device.seconds, 3600);
    assert_int_equal(c->limits.sign_up.count, 5);
    assert_int_equal(c->limits.sign_up.seconds, 1800);
    assert_true(c->limits.follow.count >= 1000); /* a batch of 1000 names must pass */
    assert_int_equal(c->session.idle_days, 14);
    assert_int_equal(c->session.lifetime_days, 90);
    assert_int_equal(c->session.per_user, 10);
    assert_int_equal(c->log.level, CONFIG_INFO);
    assert_int_equal(c->log.format, CONFIG_TEXT);
    assert_string_equal(c->state.directory, "/var/lib/retwis");
    config_free(c);
}

static void values(void **state)
{
    (void)state;
    struct config *c = load_good("\xEF\xBB\xBF# mark of order before\r\n[http]\r\n"
                                 "listen = 127.0.0.1:80, [::1]:8443s,443s,/run/r/https ; comment\n"
                                 "  tls_certificate: /c.pem   # comment\n"
                                 "tls_key=/k.pem\n"
                                 "public_url = https://example.org:8443\n"
                                 "max_body = 1M\nrequest_timeout = 2m\nweb_dir = /a dir/x\n"
                                 "trusted_proxies = 127.0.0.1, 10.0.0.0/8,2001:db8::/32\n"
                                 "[ timeline ] # again\nmode = PULL\n[redis]\nconnect_timeout=2s\nmemory_limit=1g\n"
                                 "url = rediss://me:pa:s@w@[::1]:6380/2\n"
                                 "[http]\nthreads = 0099\n"
                                 "[limits]\nenabled=Off\npost = 7/2h\nfollow = 0/1h\nsettings=1/30d\n"
                                 "[log]\naccess = 0\nlevel = error\nformat = json\n[session]\nidle_days = 20d");
    assert_string_equal(c->http.listen, "127.0.0.1:80, [::1]:8443s,443s,/run/r/https");
    assert_string_equal(c->http.tls_certificate, "/c.pem");
    assert_string_equal(c->http.tls_key, "/k.pem");
    assert_string_equal(c->http.web_dir, "/a dir/x");
    assert_int_equal(c->http.max_body, 1048576);
    assert_int_equal(c->http.request_timeout, 120);
    assert_int_equal(c->http.threads, 99);
    assert_int_equal(c->timeline.mode, CONFIG_PULL);
    assert_int_equal(c->redis.connect_timeout, 2000);
    assert_int_equal(c->redis.memory_limit, 1024);
    assert_false(c->limits.enabled);
    assert_int_equal(c->limits.post.count, 7);
    assert_int_equal(c->limits.post.seconds, 7200);
    assert_int_equal(c->limits.follow.count, 0);
    assert_int_equal(c->limits.settings.seconds, 30 * 86400);
    assert_false(c->log.access);
    assert_int_equal(c->log.level, CONFIG_ERROR);
    assert_int_equal(c->log.format, CONFIG_JSON);
    assert_int_equal(c->session.idle_days, 20);
    char *text = print(c);
    assert_non_null(strstr(text, "redis.url = rediss://me:***@[::1]:6380/2\n"));
    assert_null(strstr(text, "s@w"));
    assert_non_null(strstr(text, "limits.post = 7/2h\n"));
    assert_non_null(strstr(text, "limits.enabled = no\n"));
    assert_non_null(strstr(text, "http.max_body = 1048576\n"));
    free(text);
    config_free(c);
}

static void password_stays_hidden(void **state)
{
    (void)state;
    char *report;
    const char *text = "[redis]\nurl = redis://me:hunter2@\n";
    assert_null(load_n(text, strlen(text), &report));
    assert_null(strstr(report, "hunter2"));
    free(report);
}

static void environment(void **state)
{
    (void)state;
    setenv("RETWIS", "x", 1);
    setenv("RETWIS_MIRROR", "x", 1);
    setenv("RETWIS_TEST_ANYTHING", "x", 1);
    setenv("RETWIS_HTTP", "x", 1);
    setenv("RETWIS_UNKNOWN_KEY", "x", 1);
    setenv("RETWIS_HTTP_LISTEN", "127.0.0.1:8123", 1);
    setenv("RETWIS_STATE_DIRECTORY", "/tmp/x", 1);
    setenv("RETWIS_LIMITS_SIGN_UP", "6/31m", 1);
    setenv("RETWIS_LIMITS_ENABLED", "no", 1);
    setenv("RETWIS_TIMELINE_MODE", "pull", 1);
    struct config *c = load_good("[http]\nlisten = 81\n");
    assert_string_equal(c->http.listen, "127.0.0.1:8123");
    assert_string_equal(c->state.directory, "/tmp/x");
    assert_int_equal(c->limits.sign_up.count, 6);
    assert_int_equal(c->limits.sign_up.seconds, 1860);
    assert_false(c->limits.enabled);
    assert_int_equal(c->timeline.mode, CONFIG_PULL);
    config_free(c);
    refuse("[http]\nlisten = bad\n", 2, "http.listen \"bad\" is not a port"); /* overridden, and still wrong */
    unsetenv("RETWIS_HTTP_LISTEN");

    static const char *const wrong[][3] = {
        {"RETWIS_HTTP_LISEN", "80",
         "environment: RETWIS_HTTP_LISEN: unknown key \"lisen\" in [http]; did you mean \"listen\"?"},
        {"RETWIS_HTTP_THREADS", "x", "environment: RETWIS_HTTP_THREADS: http.threads must be a number from 4 to 16384"},
        {"RETWIS_HTTP_THREADS", "", "environment: RETWIS_HTTP_THREADS: http.threads must be"},
        {"RETWIS_HTTP_TLS_KEY", "/k", "environment: RETWIS_HTTP_TLS_KEY: http.tls_key needs http.tls_certificate"},
        {"RETWIS_STATE_DIRECTORY", "a\nb", "environment: RETWIS_STATE_DIRECTORY: state.directory holds a control"},
        {"RETWIS_LOG_", "x", "environment: RETWIS_LOG_: unknown key \"\" in [log]"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        setenv(wrong[i][0], wrong[i][1], 1);
        refuse("", 0, wrong[i][2]);
        unsetenv(wrong[i][0]);
    }
    unsetenv("RETWIS_LIMITS_SIGN_UP");
    unsetenv("RETWIS_LIMITS_ENABLED");
    unsetenv("RETWIS_TIMELINE_MODE");
}

/* retwis.ini at the top of the checkout: named by RETWIS_TEST_INI, or else found from where the tests run. */
static const char *ini_path(void)
{
    const char *path = getenv("RETWIS_TEST_INI");
    return path ? path : "retwis.ini";
}

static void generated_file_is_current(void **state)
{
    (void)state;
    char *text = generated_ini();
    if (getenv("RETWIS_TEST_WRITE_INI")) {
        FILE *out = fopen(ini_path(), "w");
        assert_non_null(out);
        fputs(text, out);
        assert_int_equal(fclose(out), 0);
    }
    FILE *f = fopen(ini_path(), "r");
    if (!f) {
        fail_msg("%s is not there", ini_path());
    }
    static char there[100000];
    size_t n = fread(there, 1, sizeof(there) - 1, f);
    fclose(f);
    there[n] = '\0';
    if (strcmp(there, text) != 0) {
        fail_msg("%s is not what the table says; RETWIS_TEST_WRITE_INI=1 makes this test write it", ini_path());
    }
    free(text);
}

/* Commented out it is the defaults, and with every setting uncommented too. */
static void generated_file_means_defaults(void **state)
{
    (void)state;
    char *text = generated_ini();
    struct config *c = load_good("");
    char *expected = print(c);
    config_free(c);
    c = load_good(text);
    char *as_is = print(c);
    config_free(c);
    assert_string_equal(as_is, expected);
    int uncommented = 0, columns = 0;
    for (char *p = text; *p; p++, columns++) {
        columns = *p == '\n' ? -1 : columns - ((*p & 0xC0) == 0x80);
        assert_true(columns < 80);
        if (*p == '#' && (p == text || p[-1] == '\n') && p[1] >= 'a' && p[1] <= 'z') {
            *p = ' ';
            uncommented++;
        }
    }
    c = load_good(text);
    char *all = print(c);
    config_free(c);
    assert_string_equal(all, expected);
    int keys = 0;
    for (char *p = expected; *p; p++) {
        keys += *p == '\n';
    }
    assert_int_equal(uncommented, keys);
    free(text);
    free(expected);
    free(as_is);
    free(all);
}

static void man_page(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    config_write_man(out);
    fclose(out);
    assert_non_null(strstr(text, ".SS [http]\n"));
    assert_non_null(strstr(text, ".TP\n.B listen\n"));
    assert_non_null(strstr(text, "X\\-Forwarded\\-For"));
    assert_null(strstr(text, "\xE2\x80\xA6")); /* no byte outside ASCII */
    free(text);
}

/* --- conf.d --------------------------------------------------------------------------------------------------------- */

/* Makes conf.d/NAME beside the file of the test. */
static void write_part(const char *name, const char *text, unsigned mode)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/conf.d", directory);
    mkdir(path, 0755);
    snprintf(path, sizeof(path), "%s/conf.d/%s", directory, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(path, mode), 0);
}

static int remove_parts(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof(path), "%s/conf.d", directory);
    DIR *d = opendir(path);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        snprintf(path, sizeof(path), "%s/conf.d/%s", directory, entry->d_name);
        unlink(path);
    }
    closedir(d);
    snprintf(path, sizeof(path), "%s/conf.d", directory);
    return rmdir(path);
}

/* Later files win, file by file in the order of their names; the environment wins over all. */
static void parts_win_in_order(void **state)
{
    (void)state;
    write_part("20-more.ini", "[timeline]\npage = 12\n[log]\nformat = json\n", 0644);
    write_part("10-first.ini", "[timeline]\npage = 11\nsize = 500\n", 0644);
    write_part("README", "not a configuration\n", 0644);
    write_part(".hidden.ini", "not a configuration\n", 0644);
    setenv("RETWIS_LOG_FORMAT", "text", 1);
    struct config *c = load_good("[timeline]\npage = 10\nsize = 400\nworkers = 3\n");
    unsetenv("RETWIS_LOG_FORMAT");
    assert_int_equal(c->timeline.page, 12);
    assert_int_equal(c->timeline.size, 500);
    assert_int_equal(c->timeline.workers, 3);
    assert_int_equal(c->log.format, CONFIG_TEXT);
    config_free(c);
}

/* A mistake is told with the file in which it stands, and a rule between keys of two files with the right one. */
static void parts_and_mistakes(void **state)
{
    (void)state;
    char expected[160];
    write_part("10.ini", "\n[timeline]\npage = 0\n", 0644);
    snprintf(expected, sizeof(expected), "%s/conf.d/10.ini:3: timeline.page", directory);
    refuse("[timeline]\nsize = 400\n", 0, expected);
    write_part("10.ini", "[timeline]\n\npage = 40\n", 0644);
    snprintf(expected, sizeof(expected), "%s/conf.d/10.ini:3: timeline.page", directory);
    refuse("[timeline]\nsize = 30\n", 0, expected);
    write_part("10.ini", "[timeline]\npage = 20\npage = 20\n", 0644);
    snprintf(expected, sizeof(expected), "%s/conf.d/10.ini:3: timeline.page is there twice; the first is on line 2",
             directory);
    refuse("[timeline]\npage = 30\n", 0, expected);
}

/* What somebody else could have put there is not believed. */
static void parts_of_others(void **state)
{
    (void)state;
    char expected[160], path[128];
    write_part("10.ini", "[timeline]\npage = 20\n", 0646);
    snprintf(expected, sizeof(expected), "%s/conf.d/10.ini: is not read: can be written by everybody", directory);
    refuse("", 0, expected);
    write_part("10.ini", "[timeline]\npage = 20\n", 0644);
    snprintf(path, sizeof(path), "%s/conf.d", directory);
    assert_int_equal(chmod(path, 0757), 0);
    snprintf(expected, sizeof(expected), "%s/conf.d: is not read: can be written by everybody", directory);
    refuse("", 0, expected);
    if (geteuid() == 0) {
        assert_int_equal(chmod(path, 0755), 0);
        assert_int_equal(chown(path, 4711, 4711), 0);
        snprintf(expected, sizeof(expected), "%s/conf.d: is not read: belongs neither", directory);
        refuse("", 0, expected);
    }
}

/* Which keys a running server does not take from a new file: those without `reload`, if they differ. */
static void restart_keys(void **state)
{
    (void)state;
    struct config *now = load_good("[redis]\nurl = redis://:one@127.0.0.1:1\n[limits]\npost = 3/1m\n");
    struct config *fresh = load_good("[redis]\nurl = redis://:two@127.0.0.1:1\n[log]\nlevel = debug\naccess = no\n");
    char *keys = config_restart_keys(now, fresh), *none = config_restart_keys(now, now);
    assert_string_equal(keys, "redis.url, limits.post");
    assert_string_equal(none, "");
    free(keys);
    free(none);
    config_free(now);
    config_free(fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(values),
        cmocka_unit_test(password_stays_hidden),
        cmocka_unit_test(environment),
        cmocka_unit_test(generated_file_is_current),
        cmocka_unit_test(generated_file_means_defaults),
        cmocka_unit_test(man_page),
        cmocka_unit_test_teardown(parts_win_in_order, remove_parts),
        cmocka_unit_test_teardown(parts_and_mistakes, remove_parts),
        cmocka_unit_test_teardown(parts_of_others, remove_parts),
        cmocka_unit_test(restart_keys),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
