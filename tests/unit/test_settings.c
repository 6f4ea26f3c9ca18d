/* test_settings.c - settings.db: values and their rules, history, changes seen by others, and that damage is refused with
 * a message and never becomes a default.
 *
 * Each test has a directory of its own. sqlite3 is used here to look at the file and to break it.
 */
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/clock.h"
#include "base/secret.h"
#include "config/settings.h"
#include "config/settings_table.h"

static char directory[64];
static char why[200];

static void path_of(const char *name, char out[128])
{
    snprintf(out, 128, "%s/%s", directory, name);
}

static struct settings_store *open_good(void)
{
    struct settings_store *s = settings_open(directory, stderr);
    assert_non_null(s);
    return s;
}

/* Opening must fail with a report that holds the text. */
static void refuse(const char *expected)
{
    char *report;
    size_t size;
    FILE *out = open_memstream(&report, &size);
    struct settings_store *s = settings_open(directory, out);
    fclose(out);
    if (s || !strstr(report, expected)) {
        fail_msg("expected \"%s\", got %s \"%s\"", expected, s ? "a store" : "", report);
    }
    free(report);
}

static void exec(const char *sql)
{
    char path[128];
    sqlite3 *db;
    path_of("settings.db", path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void set(struct settings_store *s, const char *name, const char *value)
{
    why[0] = '\0';
    if (settings_set(s, name, value, "test", why, sizeof(why)) != ERR_OK) {
        fail_msg("%s = %s: %s", name, value, why);
    }
}

static char *print(struct settings_store *s, const char *name, bool verbose)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    enum err e = settings_print(s, name, verbose, out);
    fclose(out);
    assert_int_equal(e, ERR_OK);
    return text;
}

static char *history(struct settings_store *s)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    enum err e = settings_history(s, out);
    fclose(out);
    assert_int_equal(e, ERR_OK);
    return text;
}

static void defaults(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    const struct settings *v = settings_get(s);
    assert_string_equal(v->site_name, "Retwis");
    assert_string_equal(v->site_description, "");
    assert_string_equal(v->rules, "");
    assert_string_equal(v->default_locale, "en");
    assert_int_equal(v->registration, REGISTRATION_OPEN);
    assert_int_equal(v->post_length, 500);
    static const unsigned char zero[32];
    assert_memory_not_equal(v->secret_key, zero, sizeof(zero));
    settings_release(s, v);
    char *text = history(s);
    assert_string_equal(text, "");
    free(text);
    settings_close(s);
    settings_close(NULL);

    struct stat st;
    char path[128];
    path_of("settings.db", path);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    path_of("settings.db-wal", path);
    assert_int_equal(stat(path, &st), -1); /* all is in the file once the last has closed it */
}

static void set_and_reopen(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    const struct settings *before = settings_get(s);
    unsigned char key[32];
    memcpy(key, before->secret_key, sizeof(key));
    set(s, "site.name", "  Caf\xC3\xA9  ");
    set(s, "registration", "invite");
    set(s, "posts.length", "0280");
    set(s, "site.rules", "Be kind.\r\nNo \\ spam.\r\n");
    set(s, "site.locale", "zh-CN");
    assert_string_equal(before->site_name, "Retwis"); /* who holds the old snapshot keeps it */
    settings_release(s, before);
    for (int turn = 0; turn < 2; turn++) {
        const struct settings *v = settings_get(s);
        assert_string_equal(v->site_name, "Caf\xC3\xA9");
        assert_int_equal(v->registration, REGISTRATION_INVITE);
        assert_int_equal(v->post_length, 280);
        assert_string_equal(v->rules, "Be kind.\nNo \\ spam.");
        assert_string_equal(v->default_locale, "zh-CN");
        assert_memory_equal(v->secret_key, key, sizeof(key));
        settings_release(s, v);
        settings_close(s);
        s = open_good();
    }
    settings_close(s);
}

static void invalid(void **state)
{
    (void)state;
    static char long_text[6000];
    memset(long_text, 'x', sizeof(long_text) - 1);
    const struct {
        const char *name, *value, *why;
    } cases[] = {
        {"posts.length", "0", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "5001", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "many", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "-1", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "99999999999999999999", "posts.length must be a number from 1 to 5000"},
        {"registration", "Open", "registration must be open, invite or closed"},
        {"site.name", "", "site.name must be one line of 1 to 64 characters"},
        {"site.name", " \n ", "site.name must be one line of 1 to 64 characters"},
        {"site.name", "a\nb", "site.name must be one line of 1 to 64 characters"},
        {"site.name", "a\x1b[31m", "site.name must be one line"},
        {"site.name", "a\xE2\x80\xAE", "site.name must be one line"}, /* bidirectional override */
        {"site.name", "\xC3", "site.name must be one line"},
        {"site.name", long_text, "site.name must be one line"},
        {"site.rules", long_text, "site.rules must be lines of 0 to 5000 characters"},
        {"site.locale", "tlh", "site.locale must be en or zh-CN"},
        {"site.secret_key", "x", "site.secret_key is made by the program and cannot be set"},
    };
    struct settings_store *s = open_good();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(settings_set(s, cases[i].name, cases[i].value, "test", why, sizeof(why)), ERR_INVALID);
        assert_int_equal(strncmp(why, cases[i].why, strlen(cases[i].why)), 0);
    }
    assert_int_equal(settings_set(s, "nothing", "x", "test", why, sizeof(why)), ERR_NOT_FOUND);
    char *text = history(s);
    assert_string_equal(text, "");
    free(text);
    settings_close(s);
}

/* The longest values fit: lengths count characters, not bytes. */
static void longest(void **state)
{
    (void)state;
    static char text[5000 * 4 + 1];
    struct settings_store *s = open_good();
    for (int i = 0; i < 5000; i++) {
        memcpy(text + 4 * (size_t)i, "\xF0\x9F\x98\x80", 5);
    }
    set(s, "site.rules", text);
    const struct settings *v = settings_get(s);
    assert_string_equal(v->rules, text);
    settings_release(s, v);
    text[64 * 4] = '\0';
    set(s, "site.name", text);
    settings_close(s);
    s = open_good();
    v = settings_get(s);
    assert_string_equal(v->site_name, text);
    settings_release(s, v);
    settings_close(s);
}

/* site.locale can be each language that the site has, and no other. Runs at the top of the checkout. */
static void locales_are_those_of_the_site(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    DIR *d = opendir("web/locales");
    assert_non_null(d);
    int files = 0, choices = 0;
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        char *end = strstr(e->d_name, ".json");
        if (end && !end[5]) {
            *end = '\0';
            set(s, "site.locale", e->d_name);
            files++;
        }
    }
    closedir(d);
    for (const char *const *choice = setting_find("site.locale")->choices; *choice; choice++) {
        choices++;
    }
    assert_int_equal(files, choices);
    settings_close(s);
}

static void printing(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    set(s, "site.rules", "One.\nTwo \\ three.");
    char *text = print(s, NULL, false);
    assert_string_equal(text,
                        "site.name = Retwis\nsite.description = \nsite.rules = One.\\nTwo \\\\ three.\n"
                        "site.locale = en\nregistration = open\nposts.length = 500\nsite.secret_key = (hidden)\n");
    free(text);
    text = print(s, "posts.length", false);
    assert_string_equal(text, "posts.length = 500\n");
    free(text);
    text = print(s, "posts.length", true);
    assert_non_null(strstr(text, "# Default: 500. Allowed: a number from 1 to 5000.\nposts.length = 500\n"));
    free(text);
    assert_int_equal(settings_print(s, "nothing", false, stderr), ERR_NOT_FOUND);
    settings_close(s);
}

static void history_is_kept(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    set(s, "posts.length", "280");
    set(s, "posts.length", "280"); /* no change, no line */
    assert_int_equal(settings_set(s, "site.rules", "a\nb", "forged\nline", why, sizeof(why)), ERR_OK);
    assert_int_equal(settings_set(s, "posts.length", "500", NULL, why, sizeof(why)), ERR_OK);
    settings_close(s);
    s = open_good();
    char *text = history(s);
    static const char *const lines[] = {" ? posts.length: 280 -> 500\n", " ? site.rules:  -> a\\nb\n",
                                        " test posts.length: 500 -> 280\n"};
    char *p = text;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(p[10], 'T'); /* a time at the beginning */
        p += CLOCK_ISO_SIZE - 1;
        assert_int_equal(strncmp(p, lines[i], strlen(lines[i])), 0);
        p += strlen(lines[i]);
    }
    assert_string_equal(p, "");
    free(text);
    settings_close(s);
}

/* Waits until the post length is n, at most a second; returns whether it came. */
static bool sees(struct settings_store *s, int64_t n)
{
    uint64_t until = clock_monotonic_us() + 1000000;
    do {
        const struct settings *v = settings_get(s);
        int64_t length = v->post_length;
        settings_release(s, v);
        if (length == n) {
            return true;
        }
        clock_sleep_ms(10);
    } while (clock_monotonic_us() < until);
    return false;
}

/* Another process that changes the post length when told to by a byte on the pipe. It is made before SQLite is used here,
 * because SQLite's locks do not survive a fork. */
static pid_t start_other(int *tell)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        bool told = read(ends[0], &byte, 1) == 1;
        struct settings_store *s = told ? settings_open(directory, stderr) : NULL;
        bool good = s && settings_set(s, "posts.length", "282", "other", why, sizeof(why)) == ERR_OK;
        settings_close(s);
        _exit(good ? 0 : 1);
    }
    assert_true(child > 0);
    close(ends[0]);
    *tell = ends[1];
    return child;
}

static void change_is_seen(void **state)
{
    (void)state;
    int tell, status;
    pid_t other = start_other(&tell);
    struct settings_store *server = open_good();
    settings_watch(server);
    struct settings_store *tool = open_good();
    set(tool, "posts.length", "281");
    assert_true(sees(server, 281));
    settings_close(tool);
    assert_int_equal(write(tell, "x", 1), 1);
    close(tell);
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
    assert_true(sees(server, 282));
    set(server, "posts.length", "283"); /* its own at once */
    const struct settings *v = settings_get(server);
    assert_int_equal(v->post_length, 283);
    settings_release(server, v);
    /* A wrong value written past us: the old ones stay. */
    exec("UPDATE settings SET value = '0' WHERE name = 'posts.length'");
    clock_sleep_ms(700);
    assert_true(sees(server, 283));
    exec("UPDATE settings SET value = '284' WHERE name = 'posts.length'");
    assert_true(sees(server, 284));
    settings_close(server);
}

static void overwrite(const char *name, long offset, const char *bytes, size_t size)
{
    char path[128];
    path_of(name, path);
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    fseek(f, offset, SEEK_SET);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void damage_is_refused(void **state)
{
    (void)state;
    char path[128], before[4096], after[4096];
    struct settings_store *s = open_good();
    set(s, "site.name", "Precious");
    settings_close(s);
    path_of("settings.db", path);

    FILE *f = fopen(path, "r");
    assert_int_equal(fread(before, 1, sizeof(before), f), sizeof(before));
    fclose(f);
    overwrite("settings.db", 0, "garbage garbage garbage", 23);
    refuse("settings.db: damaged: file is not a database\n");
    refuse("To restore it: stop the server; move settings.db");
    f = fopen(path, "r"); /* untouched by the attempt */
    assert_int_equal(fread(after, 1, sizeof(after), f), sizeof(after));
    fclose(f);
    assert_memory_equal(after, "garbage garbage garbage", 23);
    overwrite("settings.db", 0, before, 23);
    settings_close(open_good());

    overwrite("settings.db", 4096 + 100, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8); /* inside a page of a table */
    overwrite("settings.db", 4096, "\x55", 1);
    refuse("settings.db: damaged: ");
    assert_int_equal(truncate(path, 4096), 0);
    refuse("settings.db: damaged: ");
    assert_int_equal(truncate(path, 0), 0);
    refuse("settings.db: damaged: the file is empty\n");
    assert_int_equal(unlink(path), 0);
    path_of("settings.db-wal", path);
    f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    refuse("settings.db: damaged: the file is gone, but its log settings.db-wal is there\n");
    assert_int_equal(unlink(path), 0);
    settings_close(open_good()); /* moved away as the message says: defaults again */
}

static void foreign_content_is_refused(void **state)
{
    (void)state;
    settings_close(open_good());
    exec("UPDATE settings SET value = '0' WHERE name = 'posts.length'; INSERT INTO settings VALUES "
         "('posts.length', '0', 0, 'x')");
    refuse("damaged: posts.length must be a number from 1 to 5000");
    exec("UPDATE settings SET value = '9' WHERE name = 'posts.length'; INSERT INTO settings VALUES "
         "('of.tomorrow', 'x', 0, 'x')");
    settings_close(open_good()); /* an unknown name is a later version's */
    exec("UPDATE settings SET value = CAST(x'610062' AS TEXT) WHERE name = 'posts.length'");
    refuse("damaged: posts.length holds a NUL");
    exec("DELETE FROM settings WHERE name <> 'of.tomorrow'");
    refuse("damaged: site.secret_key is missing");
    exec("PRAGMA user_version = 2");
    refuse("a newer version of Retwis made it");
    exec("PRAGMA user_version = 1; DROP TABLE history");
    refuse("damaged: a table is missing");
    exec("PRAGMA application_id = 7");
    refuse("damaged: this is a database, but not one of Retwis' settings");
}

static void directories(void **state)
{
    (void)state;
    char saved[64], path[128];
    memcpy(saved, directory, sizeof(saved));
    path_of("new", path);
    snprintf(directory, sizeof(directory), "%.63s", path);
    settings_close(open_good()); /* made */
    snprintf(directory, sizeof(directory), "%.50s/a/b", saved);
    refuse("/a/b: cannot be made: No such file or directory (state.directory");
    snprintf(directory, sizeof(directory), "%.40s/new/settings.db", saved);
    refuse("settings.db: cannot be used: it is not a directory\n");
    memcpy(directory, saved, sizeof(saved));
    assert_int_equal(chmod(directory, 0500), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { /* not root, for whom everything can be written; nobody owns no directory */
        bool dropped = geteuid() != 0 || setuid(65534) == 0;
        char *report;
        size_t size;
        FILE *out = open_memstream(&report, &size);
        struct settings_store *s = settings_open(directory, out);
        fclose(out);
        _exit(dropped && !s && strstr(report, "cannot be written: Permission denied (run this as") ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(chmod(directory, 0700), 0);
}

/* A file that others can read is closed to them; one made by root belongs to the owner of the directory. */
static void owner_and_mode(void **state)
{
    (void)state;
    char path[128];
    struct stat st;
    path_of("settings.db", path);
    if (geteuid() == 0) {
        assert_int_equal(chown(directory, 65534, 65534), 0);
    }
    settings_close(open_good());
    assert_int_equal(chmod(path, 0644), 0);
    settings_close(open_good());
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(st.st_uid, geteuid() == 0 ? 65534 : geteuid());
}

static atomic_bool stop;

static void *read_all_the_time(void *store)
{
    uintptr_t turns = 0;
    for (; !atomic_load(&stop); turns++) {
        const struct settings *v = settings_get(store);
        int64_t first = v->post_length;
        clock_sleep_ms(turns % 64 == 0 ? 1 : 0);
        if (v->post_length != first) {
            return NULL;
        }
        settings_release(store, v);
    }
    return (void *)(turns + 1);
}

static void *write_some(void *store)
{
    char value[24], reason[200];
    for (int i = 1; i <= 50; i++) {
        snprintf(value, sizeof(value), "%d", 1 + (int)(secret_random_u64() % 5000));
        if (settings_set(store, "posts.length", value, "thread", reason, sizeof(reason)) != ERR_OK) {
            return NULL;
        }
    }
    return store;
}

static void many_at_once(void **state)
{
    (void)state;
    struct settings_store *a = open_good();
    struct settings_store *b = open_good();
    pthread_t readers[4], writers[3];
    void *result;
    atomic_store(&stop, false);
    settings_watch(a);
    settings_watch(b);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_all_the_time, i % 2 ? a : b), 0);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&writers[i], NULL, write_some, i % 2 ? a : b), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(writers[i], &result);
        assert_non_null(result);
    }
    set(a, "posts.length", "77");
    assert_true(sees(b, 77));
    atomic_store(&stop, true);
    for (int i = 0; i < 4; i++) {
        pthread_join(readers[i], &result);
        assert_non_null(result);
    }
    settings_close(a);
    settings_close(b);
}

static void *open_first(void *key)
{
    struct settings_store *s = settings_open(directory, stderr);
    if (!s) {
        return NULL;
    }
    const struct settings *v = settings_get(s);
    memcpy(key, v->secret_key, 32);
    settings_release(s, v);
    settings_close(s);
    return key;
}

/* Several processes start on an empty directory: one file, one key, no half-made file left beside it. */
static void first_open_at_once(void **state)
{
    (void)state;
    pthread_t threads[8];
    unsigned char keys[8][32];
    void *result;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, open_first, keys[i]), 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], &result);
        assert_non_null(result);
        assert_memory_equal(keys[i], keys[0], 32);
    }
    /* Two that close at the same moment can leave SQLite's log; a file of the making must never stay. */
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        assert_null(strstr(e->d_name, "settings.db."));
    }
    closedir(d);
}

static int setup(void **state)
{
    (void)state;
    snprintf(directory, sizeof(directory), "/tmp/retwis-test-settings-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    static const char *const names[] = {"settings.db", "settings.db-wal", "settings.db-shm", "new/settings.db", "new"};
    char path[128];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        path_of(names[i], path);
        remove(path);
    }
    return rmdir(directory);
}

int main(void)
{
    secret_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(defaults, setup, teardown),
        cmocka_unit_test_setup_teardown(set_and_reopen, setup, teardown),
        cmocka_unit_test_setup_teardown(invalid, setup, teardown),
        cmocka_unit_test_setup_teardown(longest, setup, teardown),
        cmocka_unit_test_setup_teardown(locales_are_those_of_the_site, setup, teardown),
        cmocka_unit_test_setup_teardown(printing, setup, teardown),
        cmocka_unit_test_setup_teardown(history_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(change_is_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(damage_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(foreign_content_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(directories, setup, teardown),
        cmocka_unit_test_setup_teardown(owner_and_mode, setup, teardown),
        cmocka_unit_test_setup_teardown(many_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(first_open_at_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
