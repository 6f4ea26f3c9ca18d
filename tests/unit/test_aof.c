/* test_aof.c - damaged append-only files: what is found in them, what is taken away, what is kept. No engine runs here;
 * test_engine_death.c has those that then read the files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/aof.h"
#include "engine/aof_repair.h"

static char directory[64];

/* The bytes of a log that is being made up. */
static char text[1 << 16];
static size_t length;

static void add_bytes(const void *bytes, size_t n)
{
    assert_true(length + n <= sizeof(text));
    memcpy(text + length, bytes, n);
    length += n;
}

/* "SET k v" in the protocol; returns where it begins. */
static size_t add(const char *words)
{
    size_t begin = length, count = 1;
    char line[100];
    for (const char *p = words; *p; p++) {
        count += *p == ' ';
    }
    add_bytes(line, (size_t)snprintf(line, sizeof(line), "*%zu\r\n", count));
    for (const char *p = words; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        add_bytes(line, (size_t)snprintf(line, sizeof(line), "$%zu\r\n", n));
        add_bytes(p, n);
        add_bytes("\r\n", 2);
        p += n;
    }
    return begin;
}

static size_t add_time(long seconds)
{
    char line[40];
    size_t begin = length;
    add_bytes(line, (size_t)snprintf(line, sizeof(line), "#TS:%ld\r\n", seconds));
    return begin;
}

static size_t add_transaction(void)
{
    size_t begin = add("MULTI");
    add("HSET {1}:post:1 author 2");
    add("ZADD {1}:posts:2 0 1");
    add("EXEC");
    return begin;
}

/* Some units; where those begin is left in `at`. */
static size_t at[8];

static void make_log(void)
{
    length = 0;
    add("SELECT 0");
    add_time(1700000000);
    at[0] = add("SET a 1");
    at[1] = add_transaction();
    add_time(1700000007);
    at[2] = add("SET b 2");
    at[3] = add_transaction();
    add_time(1700000009);
    at[4] = add("INCR c");
    at[5] = add("SET d 4");
}

static void path_of(const char *name, char out[256])
{
    snprintf(out, 256, "%s/appendonlydir/%s", directory, name);
}

static void write_file(const char *name, const void *bytes, size_t n)
{
    char path[256];
    path_of(name, path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* The log as the newest file of two. */
static void write_log(void)
{
    static const char manifest[] = "file appendonly.aof.1.base.rdb seq 1 type b\nfile x.0.incr.aof seq 9 type h\n"
                                   "file appendonly.aof.1.incr.aof seq 1 type i\n"
                                   "file appendonly.aof.2.incr.aof seq 2 type i\n";
    write_file("appendonly.aof.manifest", manifest, sizeof(manifest) - 1);
    write_file("appendonly.aof.1.incr.aof", "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n", 23);
    write_file("appendonly.aof.2.incr.aof", text, length);
}

static struct aof_scan scan(void)
{
    struct aof_scan s;
    char path[256];
    write_log();
    path_of("appendonly.aof.2.incr.aof", path);
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0 && aof_scan(fd, &s));
    close(fd);
    assert_int_equal(s.size, length);
    return s;
}

static void assert_gap(const struct aof_scan *s, unsigned i, size_t from, size_t to)
{
    assert_true(i < s->gaps);
    assert_int_equal(s->gap[i].from, from);
    assert_int_equal(s->gap[i].to, to);
}

static void test_whole(void **state)
{
    (void)state;
    make_log();
    struct aof_scan s = scan();
    assert_int_equal(s.gaps, 0);
    assert_int_equal(s.units, 7);
    assert_int_equal(s.last_s, 1700000009);
    length = 0;
    assert_int_equal(scan().gaps, 0);
}

/* Cut off at every single byte: never more than the last unit is missing, and never less than what is not whole. */
static void test_cut_off_anywhere(void **state)
{
    (void)state;
    make_log();
    size_t whole = length;
    for (length = at[2]; length < whole; length++) {
        struct aof_scan s = scan();
        if (s.gaps) {
            assert_true(aof_is_torn(&s));
            assert_true(s.gap[0].from >= (length < at[3] ? at[2] : length < at[4] ? at[3] : at[4]));
            assert_true(s.gap[0].from < length);
            assert_int_equal(s.last_s, length < at[3] ? 1700000000 : s.gap[0].from > at[4] ? 1700000009 : 1700000007);
        }
        assert_true(s.gaps || length == at[2] || length == at[3] || length == at[4] || length == at[5] ||
                    length == at[4] - strlen("#TS:1700000009\r\n"));
    }
}

/* What a power cut leaves behind the last command. */
static void test_torn_ends(void **state)
{
    (void)state;
    static const char zeros[4096];
    char noise[100];
    for (size_t i = 0; i < sizeof(noise); i++) {
        noise[i] = (char)(i * 167 + 13);
    }
    make_log();
    size_t whole = length;
    add_bytes(zeros, sizeof(zeros));
    struct aof_scan s = scan();
    assert_gap(&s, 0, whole, length);
    assert_true(aof_is_torn(&s));
    assert_int_equal(s.gap[0].before_s, 1700000009);
    length = whole;
    add_bytes(noise, sizeof(noise));
    s = scan();
    assert_gap(&s, 0, whole, length);
    assert_true(aof_is_torn(&s));
    length = whole;
    add("MULTI");
    add("SET e 5");
    add_bytes(zeros, 100);
    s = scan();
    assert_gap(&s, 0, whole, length);
    assert_true(aof_is_torn(&s));
}

static void test_damage_in_the_middle(void **state)
{
    (void)state;
    make_log();
    memset(text + at[2] + 3, 0, 10); /* within a command */
    struct aof_scan s = scan();
    assert_gap(&s, 0, at[2], at[3]);
    assert_int_equal(s.gaps, 1);
    assert_false(aof_is_torn(&s));
    assert_int_equal(s.units_behind, 3);
    assert_int_equal(s.gap[0].before_s, 1700000000);
    make_log();
    memset(text + at[3] + 40, 'x', 12); /* within a transaction: all of it is left out, and nothing of it is believed */
    s = scan();
    assert_gap(&s, 0, at[3], at[4] - strlen("#TS:1700000009\r\n"));
    assert_int_equal(s.gap[0].before_s, 1700000007);
    assert_int_equal(s.gap[0].after_s, 1700000009);
    make_log();
    memset(text + at[3], 'x', 12); /* its MULTI: the rest of it stands alone, up to EXEC */
    s = scan();
    assert_gap(&s, 0, at[3], at[4] - strlen("#TS:1700000009\r\n"));
    make_log();
    memcpy(text + at[3] + 8, "MUMPS", 5); /* a MULTI that is another word now */
    s = scan();
    assert_gap(&s, 0, at[2], at[4] - strlen("#TS:1700000009\r\n"));
    make_log();
    text[at[2] + 1] = '2'; /* one argument less than there are */
    s = scan();
    assert_gap(&s, 0, at[2], at[3]);
    make_log();
    text[at[2] + 1] = '4'; /* one more */
    s = scan();
    assert_gap(&s, 0, at[2], at[3]);
    make_log();
    memcpy(text + at[2] + 5, "9", 1); /* a length that takes in what follows */
    s = scan();
    assert_gap(&s, 0, at[2], at[3]);
    assert_int_equal(s.units, 6);
}

static void test_many_gaps(void **state)
{
    (void)state;
    length = 0;
    for (int i = 0; i < 2 * AOF_GAPS; i++) {
        add("SET a 1");
        add_bytes("garbage", 7);
    }
    struct aof_scan s = scan();
    assert_int_equal(s.gaps, AOF_GAPS);
    assert_int_equal(s.gap[0].to - s.gap[0].from, 7);
    assert_int_equal(s.gap[AOF_GAPS - 1].to, s.size);
}

/* More than a window of the reader, with arguments that are longer than one. */
static void test_large(void **state)
{
    (void)state;
    char path[256];
    size_t size = 300000;
    char *long_text = malloc(size);
    assert_non_null(long_text);
    memset(long_text, '*', size);
    make_log();
    write_log();
    path_of("appendonly.aof.2.incr.aof", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 20; i++) {
        fprintf(f, "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$%zu\r\n", size - (size_t)i);
        fwrite(long_text, 1, size - (size_t)i, f);
        fputs("\r\n", f);
    }
    long end = ftell(f);
    fputs("*3\r\n$3\r\nSET\r\n", f);
    fclose(f);
    free(long_text);
    struct aof_scan s;
    int fd = open(path, O_RDONLY);
    assert_true(aof_scan(fd, &s));
    close(fd);
    assert_int_equal(s.units, 20);
    assert_gap(&s, 0, (size_t)end, s.size);
    assert_true(aof_is_torn(&s));
}

/* --- repairs ------------------------------------------------------------------------------------------------------- */

/* Runs one of the two and returns its report, which stays until the next call. */
static const char *run(bool everything, bool fix, enum aof_state expected)
{
    static char *report;
    static size_t size;
    free(report);
    FILE *out = open_memstream(&report, &size);
    assert_non_null(out);
    enum aof_state state = everything ? aof_mend_all(directory, fix, out) : aof_mend_tail(directory, out);
    fclose(out);
    assert_int_equal(state, expected);
    return report;
}

static void assert_file(const char *path, const void *bytes, size_t n)
{
    static char found[1 << 17];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t got = fread(found, 1, sizeof(found), f);
    fclose(f);
    assert_int_equal(got, n);
    assert_memory_equal(found, bytes, n);
}

static void assert_log(const void *bytes, size_t n)
{
    char path[256];
    path_of("appendonly.aof.2.incr.aof", path);
    assert_file(path, bytes, n);
}

/* The only file below repaired/; it is removed from there. */
static void assert_kept(const void *bytes, size_t n)
{
    char path[600] = "";
    snprintf(path, sizeof(path), "%s/repaired", directory);
    DIR *d = opendir(path);
    assert_non_null(d);
    int count = 0;
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] != '.') {
            snprintf(path, sizeof(path), "%s/repaired/%s", directory, e->d_name);
            count++;
        }
    }
    closedir(d);
    assert_int_equal(count, 1);
    assert_file(path, bytes, n);
    assert_int_equal(unlink(path), 0);
}

static void test_tail_is_mended(void **state)
{
    (void)state;
    static const char zeros[4096];
    make_log();
    size_t whole = length;
    write_log();
    assert_string_equal(run(false, false, AOF_WHOLE), "");
    add_bytes(zeros, sizeof(zeros));
    write_log();
    const char *said = run(false, false, AOF_MENDED);
    assert_non_null(strstr(said, "appendonly.aof.2.incr.aof: the last 4096 bytes"));
    assert_non_null(strstr(said, "until 2023-11-14 22:13:29 UTC is there"));
    assert_log(text, whole);
    assert_kept(zeros, sizeof(zeros));
    assert_string_equal(run(false, false, AOF_WHOLE), "");
}

/* Whole commands behind the damage, or too much of it, or in a file that is not the newest: a person decides. */
static void test_only_a_tail_is_mended(void **state)
{
    (void)state;
    char path[256];
    make_log();
    memset(text + at[2], 0, 5);
    write_log();
    const char *said = run(false, false, AOF_DAMAGED);
    assert_non_null(strstr(said, "3 whole commands follow"));
    assert_non_null(strstr(said, "engine-check --fix"));
    assert_log(text, length);
    make_log();
    write_log();
    path_of("appendonly.aof.2.incr.aof", path);
    assert_int_equal(truncate(path, (17 << 20)), 0);
    run(false, false, AOF_DAMAGED);
    write_log();
    write_file("appendonly.aof.1.incr.aof", "*2\r\n$6\r\nSEL", 11);
    run(false, false, AOF_DAMAGED);
}

static void test_all_is_mended(void **state)
{
    (void)state;
    static char damaged[sizeof(text)], expected[sizeof(text)];
    make_log();
    memset(text + at[2], 0, 5);
    memcpy(damaged, text, length);
    write_log();
    assert_non_null(strstr(run(true, false, AOF_DAMAGED), "3 whole ones follow"));
    assert_log(text, length);
    assert_non_null(strstr(run(true, true, AOF_MENDED), "is kept as"));
    memcpy(expected, text, at[2]);
    memcpy(expected + at[2], text + at[3], length - at[3]);
    assert_log(expected, length - (at[3] - at[2]));
    assert_kept(damaged, length);
    run(true, true, AOF_WHOLE);
    make_log();
    add_bytes("xyz", 3);
    write_log();
    assert_non_null(strstr(run(true, true, AOF_MENDED), "the last 3 bytes"));
    assert_log(text, length - 3);
    assert_kept("xyz", 3);
}

static void assert_list(bool expected)
{
    FILE *report = fopen("/dev/null", "w");
    assert_non_null(report);
    assert_int_equal(aof_has_list(directory, report), expected);
    fclose(report);
}

static void test_nothing_there(void **state)
{
    (void)state;
    char path[256];
    make_log();
    write_log();
    path_of("appendonly.aof.2.incr.aof", path);
    unlink(path);
    assert_non_null(strstr(run(false, false, AOF_UNKNOWN), "cannot be opened: No such file"));
    path_of("appendonly.aof.manifest", path);
    unlink(path);
    assert_string_equal(run(false, false, AOF_WHOLE), "");
    assert_list(false);
    write_file("appendonly.aof.1.incr.aof", "", 0); /* as an engine is that was killed in its first moment */
    write_file("appendonly.aof.1.base.rdb", text, 89);
    assert_list(true);
    write_file("appendonly.aof.1.base.rdb", text, 257);
    assert_list(false);
    write_file("appendonly.aof.manifest", "nonsense\nfile ../x.aof seq 1 type i\n", 37);
    run(false, false, AOF_WHOLE);
}

static int setup(void **state)
{
    (void)state;
    char path[100];
    snprintf(directory, sizeof(directory), "/tmp/retwis-test-aof-XXXXXX");
    if (!mkdtemp(directory)) {
        return -1;
    }
    snprintf(path, sizeof(path), "%s/appendonlydir", directory);
    return mkdir(path, 0700);
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", directory);
    return system(command);
}

#define with_directory(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_directory(test_whole),          with_directory(test_cut_off_anywhere),
        with_directory(test_torn_ends),      with_directory(test_damage_in_the_middle),
        with_directory(test_many_gaps),      with_directory(test_large),
        with_directory(test_tail_is_mended), with_directory(test_only_a_tail_is_mended),
        with_directory(test_all_is_mended),  with_directory(test_nothing_there),
    };
    return cmocka_run_group_tests_name("aof", tests, NULL, NULL);
}
