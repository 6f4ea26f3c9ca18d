/* test_config_mistakes.c - retwis.ini: every kind of mistake is told with its line. */
#include "config_case.h"

#include <sys/stat.h>

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
           "unknown section []; allowed: http, stream, redis, timeline, posts, cache, search, limits, session, log, "
           "metrics, "
           "process, "
           "state\n");
    refuse("[?]\nx = 1\n", 1, "unknown section [?]");
    refuse("[http]\nlisen = 80\n", 2, "unknown key \"lisen\" in [http]; did you mean \"listen\"?\n");
    refuse("[http]\nThreads = 80\n", 2, "unknown key \"Threads\" in [http]; did you mean \"threads\"?\n");
    refuse("[http]\nmode = push\n", 2, "unknown key \"mode\" in [http]; there is one in [timeline]\n");
    refuse("[log]\nwhatever = 1\n", 2,
           "unknown key \"whatever\" in [log]; allowed: level, format, access, access_rate\n");
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
    refuse("[redis]\nmemory_limit = automatic\n", 2,
           "redis.memory_limit must be auto or a number of MiB from 0 to 16777216 (or such as 512m, 4g), not "
           "\"automatic\"\n");
    refuse("[redis]\nconnections = auto\n", 2, "redis.connections must be a number from 1 to 256, not \"auto\"\n");
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
    refuse_value("limits", "read_exempt", bad_networks);
    accept_value("limits", "read_exempt", good_networks);
    refuse_value("metrics", "listen", bad_listen + 1); /* empty is none */
    accept_value("metrics", "listen", good_listen);
    refuse_value("http", "public_url", bad_site);
    accept_value("http", "public_url", good_site);
}

static void rules(void **state)
{
    (void)state;
    refuse("[http]\nlisten = 80,81s\n", 2, "http.listen has an entry with s (HTTPS)");
    refuse("[metrics]\nlisten = 81s\n", 2, "metrics.listen has an entry with s (HTTPS)");
    refuse("[http]\ntls_certificate = /c\n", 2, "http.tls_certificate needs http.tls_key as well\n");
    refuse("[http]\ntls_certificate =\ntls_key = /k\n", 3, "http.tls_key needs http.tls_certificate as well\n");
    refuse("[timeline]\nsize = 15\n", 0, "default: timeline.page must not be more than timeline.size\n");
    refuse("[timeline]\nsize = 15\npage = 16\n", 3, "timeline.page must not be more than timeline.size\n");
    refuse("[session]\nidle_days = 100\n", 2, "session.idle_days must not be more than session.lifetime_days\n");
    refuse("[timeline]\npage = 50\nsize = wrong\n", 3, "timeline.size must be"); /* and no second line */
    config_free(load_good("[http]\nlisten = /run/https\n"));
}

/* What is no ordinary file may never end, or never begin. */
static void files(void **state)
{
    (void)state;
    char *report, pipe_path[80], large[80];
    size_t length;
    snprintf(pipe_path, sizeof(pipe_path), "%s/pipe", directory);
    snprintf(large, sizeof(large), "%s/large", directory);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    FILE *f = fopen(large, "w");
    assert_non_null(f);
    assert_int_equal(ftruncate(fileno(f), (1 << 20) + 1), 0);
    fclose(f);
    const char *const cases[][2] = {
        {"/nonexistent/retwis.ini", "/nonexistent/retwis.ini: cannot be opened: No such file or directory\n"},
        {directory, ": cannot be read: it is a directory\n"},
        {"/dev/zero", "/dev/zero: cannot be read: it is no ordinary file\n"},
        {pipe_path, "/pipe: cannot be read: it is no ordinary file\n"},
        {large, "/large: cannot be read: it is larger than 1 MiB\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        FILE *out = open_memstream(&report, &length);
        assert_null(config_load(cases[i][0], out));
        fclose(out);
        assert_non_null(strstr(report, cases[i][1]));
        free(report);
    }
    unlink(pipe_path);
    unlink(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_mistakes), cmocka_unit_test(value_mistakes), cmocka_unit_test(limit_mistakes),
        cmocka_unit_test(texts),           cmocka_unit_test(rules),          cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
