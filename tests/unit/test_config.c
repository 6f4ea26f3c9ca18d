/* test_config.c - retwis.ini: every kind of mistake with its line, the environment, and that the generated file is the
 * one in the repository and means the defaults.
 *
 * RETWIS_TEST_WRITE_INI=1 makes the comparison write retwis.ini instead: that is how the file is brought up to date.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "config/config.h"

static char directory[] = "/tmp/retwis-test-config-XXXXXX";
static char file[64];

static void write_file(const char *text, size_t size)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Loads the text as a file; the report is left in `report` (the caller frees). */
static struct config *load_n(const char *text, size_t size, char **report)
{
    size_t length;
    write_file(text, size);
    FILE *out = open_memstream(report, &length);
    struct config *c = config_load(file, out);
    fclose(out);
    return c;
}

static struct config *load_good(const char *text)
{
    char *report;
    struct config *c = load_n(text, strlen(text), &report);
    assert_string_equal(report, "");
    assert_non_null(c);
    free(report);
    return c;
}

/* The text must be refused with exactly one line: "FILE:line: message...". line 0: of the file as a whole or the
 * environment, and `message` is then the beginning of the line. */
static void refuse_n(const char *text, size_t size, unsigned line, const char *message)
{
    char *report, expected[600];
    struct config *c = load_n(text, size, &report);
    if (line) {
        snprintf(expected, sizeof(expected), "%s:%u: %s", file, line, message);
    } else {
        snprintf(expected, sizeof(expected), "%s", message);
    }
    if (c || strncmp(report, expected, strlen(expected)) != 0 || strchr(report, '\n') != strrchr(report, '\n')) {
        fail_msg("of \"%s\" expected \"%s...\", got %s \"%s\"", text, expected, c ? "a configuration" : "", report);
    }
    free(report);
}

static void refuse(const char *text, unsigned line, const char *message)
{
    refuse_n(text, strlen(text), line, message);
}

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
    assert_int_equal(c->redis.memory_limit, 0);
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

static void syntax_mistakes(void **state)
{
    (void)state;
    char *report;
    refuse("[http]\n\n# c\nlisten\n", 4, "\"listen\" is not understood");
    refuse("[http]\nlisten = 80\n  , 81\n", 3, "\", 81\" is not understood");
    refuse("\n = 3\n", 2, "there is no name before the \"=\"");
    refuse("listen = 80\n", 1, "\"listen\" stands before the first section");
    refuse("[http\nlisten = bad, not looked at\n", 1, "this section header has no \"]\"");
    refuse("[http] listen = 80\n", 1, "there is something after the \"]\"");
    refuse("[htp]\nlisten = bad, not looked at\n", 1, "unknown section [htp]; did you mean [http]?");
    refuse("[HTTP]\n", 1, "unknown section [HTTP]; did you mean [http]?");
    refuse("[]\n", 1,
           "unknown section []; allowed: http, redis, timeline, posts, limits, session, log, metrics, state\n");
    refuse("[?]\nx = 1\n", 1, "unknown section [?]");
    refuse("[http]\nlisen = 80\n", 2, "unknown key \"lisen\" in [http]; did you mean \"listen\"?\n");
    refuse("[http]\nThreads = 80\n", 2, "unknown key \"Threads\" in [http]; did you mean \"threads\"?\n");
    refuse("[http]\nmode = push\n", 2, "unknown key \"mode\" in [http]; there is one in [timeline]\n");
    refuse("[log]\nwhatever = 1\n", 2, "unknown key \"whatever\" in [log]; allowed: level, format, access\n");
    refuse("[log]\nlevel = info\n[state]\n[log]\nlevel = info\n", 5,
           "log.level is there twice; the first is on line 2");
    refuse("[log]\nformat = t\x01xt\n", 2, "this line holds a control character");
    refuse("[log]\n# caf\xE9\n", 2, "this line holds a control character or is not UTF-8");
    refuse_n("[log]\nformat = text\0x\n", 21, 2, "this line holds a control character");
    char line[5000] = "[state]\ndirectory = /";
    memset(line + strlen(line), 'x', 4500);
    refuse(line, 2, "this line is longer than 4093 bytes");
    memcpy(line, "[state]\n#", 9); /* a comment may be as long as it likes */
    config_free(load_good(line));
    struct config *c = load_n("a\n[b\nc = 1\n[log]\nlevel = x\nd = 1\n", 33, &report);
    assert_null(c);
    assert_int_equal(strstr(report, ":1: ") && strstr(report, ":2: ") && strstr(report, ":5: ") &&
                         strstr(report, ":6: ") && !strstr(report, ":3: "),
                     1);
    free(report);
}

static void value_mistakes(void **state)
{
    (void)state;
    static const char *const numbers[] = {"",  "many",  "-5",  "+5",  "5.0", "0x10",
                                          "3", "16385", "10k", "1 0", "1e3", "99999999999999999999999999"};
    char text[200], message[200];
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        snprintf(text, sizeof(text), "[http]\nthreads = %s\n", numbers[i]);
        snprintf(message, sizeof(message), "http.threads must be a number from 4 to 16384, not \"%s\"\n", numbers[i]);
        refuse(text, 2, message);
    }
    refuse("[http]\nrequest_timeout = 11m\n", 2,
           "http.request_timeout must be a number of seconds from 1 to 600 (or such as 30s, 2m), not \"11m\"\n");
    refuse("[http]\nmax_body = 9999999999999999k\n", 2, "http.max_body must be a number of bytes");
    refuse("[redis]\nconnections = 0\n", 2, "redis.connections must be a number from 1 to 256, not \"0\"\n");
    refuse("[redis]\nconnections = 257\n", 2, "redis.connections must be a number from 1 to 256, not \"257\"\n");
    refuse("[timeline]\nmode = pusch\n", 2, "timeline.mode must be push, pull or hybrid, not \"pusch\"\n");
    refuse("[log]\nlevel =\n", 2, "log.level must be debug, info, warning or error, not \"\"\n");
    refuse("[log]\naccess = maybe\n", 2, "log.access must be yes or no, not \"maybe\"\n");
    refuse("[state]\ndirectory =\n", 2, "state.directory must not be empty\n");
    refuse("[redis]\nprefix = a{b\n", 2, "redis.prefix holds a character that is not allowed at position 2");
    refuse("[redis]\nprefix = 0123456789012345678901234567890123456789012345678901234567890123x\n", 2,
           "redis.prefix is longer than 64 bytes");
}

static void limit_mistakes(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",      "5",      "5/",    "5/30",       "/30m",
                                        "5/m",   "-1/30m", "5/30x", "5/30mm",     "5/0m",
                                        "5/31d", "5 / 3m", "x/3m",  "1000001/1h", "1/99999999999999999999m"};
    char text[200], message[200];
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        snprintf(text, sizeof(text), "[limits]\npost = %s\n", wrong[i]);
        snprintf(message, sizeof(message),
                 "limits.post must be count/time such as 5/30m, at most 1000000/30d, not \"%s\"\n", wrong[i]);
        refuse(text, 2, message);
    }
}

static void refuse_value(const char *section, const char *key, const char *const *wrong)
{
    char text[400], message[100];
    for (; *wrong; wrong++) {
        snprintf(text, sizeof(text), "[%s]\n%s = %s\n", section, key, *wrong);
        snprintf(message, sizeof(message), "%s.%s ", section, key);
        refuse(text, 2, message);
    }
}

static void accept_value(const char *section, const char *key, const char *const *right)
{
    char text[400];
    for (; *right; right++) {
        snprintf(text, sizeof(text), "[http]\ntls_certificate=c\ntls_key=k\n[%s]\n%s = %s\n", section, key, *right);
        config_free(load_good(text));
    }
}

static void texts(void **state)
{
    (void)state;
    static const char *const bad_listen[] = {
        "",        "x",       "80x",          "65536",        "-1",       "80 81",         ",80",
        "80,",     "80,,81",  "localhost:80", "1.2.3:80",     "1.2.3.4:", "1.2.3.4",       "[::1]",
        "[::1]80", "[::1:80", "::1:80",       "[1.2.3.4]:80", "[::g]:80", "1.2.3.4:99999", "s",
        ":80",     NULL};
    static const char *const good_listen[] = {
        "80", "0", "1.2.3.4:80", "[::]:80", "80s", "[::1]:80s", "/run/x.socks", "80 , 81,  1.2.3.4:82s", NULL};
    static const char *const bad_url[] = {"",           "redis",       "embedded2",     "http://x",
                                          "redis://",   "redis://:80", "redis://h:0",   "redis://h:65536",
                                          "redis://h:", "redis://h/x", "redis://[::1",  "redis://h x",
                                          "unix://x",   "unix:///",    "unix:///a?x=1", "redis://u:p@",
                                          NULL};
    static const char *const good_url[] = {"embedded",
                                           "redis://h",
                                           "redis://h/",
                                           "redis://h:1/3",
                                           "rediss://u:p@h.x:1",
                                           "redis://:p@1.2.3.4",
                                           "redis://[::1]:1",
                                           "unix:///run/x",
                                           "unix:///x?db=2",
                                           "unix://u:p@/x@y",
                                           NULL};
    static const char *const bad_networks[] = {"x",          "1.2.3", "1.2.3.4/33", "1.2.3.4/",        "::1/129",
                                               "1.2.3.4/-1", "::g",   "1.2.3.4,",   "1.2.3.4 5.6.7.8", NULL};
    static const char *const good_networks[] = {"", "1.2.3.4", "::1", "10.0.0.0/8, ::/0", NULL};
    static const char *const bad_site[] = {"example.org", "ftp://x",     "https://",    "https://x/", "https://x/y",
                                           "https://x:y", "https://a b", "https://u@h", NULL};
    static const char *const good_site[] = {"", "http://localhost:8080", "https://example.org", "https://[::1]:1",
                                            NULL};
    refuse_value("http", "listen", bad_listen);
    accept_value("http", "listen", good_listen);
    refuse_value("redis", "url", bad_url);
    accept_value("redis", "url", good_url);
    refuse_value("http", "trusted_proxies", bad_networks);
    accept_value("http", "trusted_proxies", good_networks);
    refuse_value("http", "public_url", bad_site);
    accept_value("http", "public_url", good_site);
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

static void rules(void **state)
{
    (void)state;
    refuse("[http]\nlisten = 80,81s\n", 2, "http.listen has an entry with s (HTTPS)");
    refuse("[http]\ntls_certificate = /c\n", 2, "http.tls_certificate needs http.tls_key as well\n");
    refuse("[http]\ntls_certificate =\ntls_key = /k\n", 3, "http.tls_key needs http.tls_certificate as well\n");
    refuse("[timeline]\nsize = 15\n", 0, "default: timeline.page must not be more than timeline.size\n");
    refuse("[timeline]\nsize = 15\npage = 16\n", 3, "timeline.page must not be more than timeline.size\n");
    refuse("[session]\nidle_days = 100\n", 2, "session.idle_days must not be more than session.lifetime_days\n");
    refuse("[timeline]\npage = 50\nsize = wrong\n", 3, "timeline.size must be"); /* and no second line */
    config_free(load_good("[http]\nlisten = /run/https\n"));
}

static void files(void **state)
{
    (void)state;
    char *report;
    size_t length;
    const char *const paths[] = {"/nonexistent/retwis.ini", directory};
    const char *const messages[] = {"/nonexistent/retwis.ini: cannot be opened: No such file or directory\n",
                                    ": cannot be read: Is a directory\n"};
    for (int i = 0; i < 2; i++) {
        FILE *out = open_memstream(&report, &length);
        assert_null(config_load(paths[i], out));
        fclose(out);
        assert_non_null(strstr(report, messages[i]));
        free(report);
    }
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

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(directory)) {
        return -1;
    }
    snprintf(file, sizeof(file), "%s/retwis.ini", directory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(values),
        cmocka_unit_test(syntax_mistakes),
        cmocka_unit_test(value_mistakes),
        cmocka_unit_test(limit_mistakes),
        cmocka_unit_test(texts),
        cmocka_unit_test(password_stays_hidden),
        cmocka_unit_test(rules),
        cmocka_unit_test(files),
        cmocka_unit_test(environment),
        cmocka_unit_test(generated_file_is_current),
        cmocka_unit_test(generated_file_means_defaults),
        cmocka_unit_test(man_page),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
