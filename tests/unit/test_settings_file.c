/* test_settings_file.c - settings.db as a file: changes seen by others, owner and mode, many threads and processes at
 * once, and that damage is refused with a message and never becomes a default. sqlite3 is used here to look at it and
 * to break it.
 */
#include "settings_case.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include <sqlite3.h>

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

/* Waits until the post length is n, at most a second; returns whether it came. The second is a hundred pauses, which a
 * busy machine makes longer, as it does the thread that looks. */
static bool sees(struct settings_store *s, int64_t n)
{
    for (int i = 0; i < 100; i++) {
        const struct settings *v = settings_get(s);
        int64_t length = v->post_length;
        settings_release(s, v);
        if (length == n) {
            return true;
        }
        clock_sleep_ms(10);
    }
    return false;
}

/* Another process that changes the post length when told to by a byte on the pipe. It is made before SQLite is used
 * here, because SQLite's locks do not survive a fork. */
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

int main(void)
{
    secret_setup();
    const struct CMUnitTest tests[] = {
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
