/* test_memory.c - how much memory there is for us: limits of control groups, in files of our own; and on how many heaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static char root[] = "/tmp/retwis-test-memory-XXXXXX";

/* Writes a file below root, with the directories above it. */
static void put(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    for (char *p = path + sizeof(root); (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static uint64_t limit(const char *list)
{
    char path[200];
    put("list", list);
    snprintf(path, sizeof(path), "%s/list", root);
    return memory_group_limit(path, root);
}

static void test_version_2(void **state)
{
    (void)state;
    put("a/memory.max", "max\n");
    put("a/b/memory.max", "2000000\n");
    put("a/b/c/memory.max", "max\n");
    put("low/memory.max", "1000000\n");
    assert_int_equal(limit("0::/a\n"), UINT64_MAX);
    assert_int_equal(limit("0::/a/b\n"), 2000000);
    assert_int_equal(limit("0::/a/b/c\n"), 2000000);
    assert_int_equal(limit("0::/low\n"), 1000000);
    assert_int_equal(limit("0::/\n"), UINT64_MAX);
    assert_int_equal(limit("0::/nowhere/at/all\n"), UINT64_MAX);
    put("memory.max", "3000000\n"); /* a container sees its own group at the root, whatever the list calls it */
    assert_int_equal(limit("0::/docker/0123\n"), 3000000);
    assert_int_equal(limit("0::/a/b\n"), 2000000);
    assert_int_equal(limit("0::/\n"), 3000000);
}

static void test_version_1(void **state)
{
    (void)state;
    put("memory/x/memory.limit_in_bytes", "500000\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(limit("5:cpu,cpuacct:/x\n4:memory:/x/y\n1:name=systemd:/x\n"), 500000);
    assert_int_equal(limit("4:memory:/\n"), 9223372036854771712u);
}

static void test_nothing_to_read(void **state)
{
    (void)state;
    assert_int_equal(limit(""), UINT64_MAX);
    assert_int_equal(limit("nonsense\n:\n1:\n"), UINT64_MAX);
    assert_int_equal(memory_group_limit("/nonexistent", "/nonexistent"), UINT64_MAX);
}

static void test_this_machine(void **state)
{
    (void)state;
    assert_in_range(memory_available(), 1u << 26, (uint64_t)1 << 50);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static void *take_some(void *together)
{
    void *volatile some = malloc(1000); /* else the compiler leaves it out */
    pthread_barrier_wait(together);     /* all of them at once, so that none takes the heap of one that has ended */
    free(some);
    return NULL;
}

static unsigned heaps(void)
{
    char *text = NULL;
    size_t size = 0;
    unsigned n = 0;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    assert_int_equal(malloc_info(0, f), 0);
    fclose(f);
    for (const char *p = text; (p = strstr(p, "<heap nr=")); p++) {
        n++;
    }
    free(text);
    return n;
}

static void test_heaps(void **state)
{
    (void)state;
    enum { THREADS = 40 };
    pthread_t threads[THREADS];
    pthread_barrier_t together;
    unsigned cores = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    memory_setup();
    pthread_barrier_init(&together, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, take_some, &together), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&together);
    assert_true(heaps() <= cores);
}

static int teardown(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_2),    cmocka_unit_test(test_version_1), cmocka_unit_test(test_nothing_to_read),
        cmocka_unit_test(test_this_machine), cmocka_unit_test(test_heaps),
    };
    return cmocka_run_group_tests_name("memory", tests, setup, teardown);
}
