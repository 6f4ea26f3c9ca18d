/* test_fuzz_corpora.c - the fuzz targets over the inputs that are kept: all of tests/fuzz/corpus, each cut short at
 * some places and with some bytes turned, so that a target which does not hold any more is noticed without a fuzzer.
 * Runs in the top folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/secret.h"
#include "../fuzz/fuzz.h"

#define LONGEST 65536
#define VARIANTS 40

static size_t read_file(const char *path, char *out)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(out, 1, LONGEST, f);
    assert_true(feof(f) && !ferror(f));
    fclose(f);
    return size;
}

/* Numbers that are the same in every run. */
static unsigned next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 8;
}

static void feed(fuzz_target target, char *bytes, size_t size)
{
    unsigned seed = (unsigned)size;
    target(bytes, size);
    for (unsigned i = 0; i < VARIANTS && size > 0; i++) {
        target(bytes, next(&seed) % size);
        size_t at = next(&seed) % size;
        char kept = bytes[at];
        bytes[at] = (char)next(&seed);
        target(bytes, size);
        bytes[at] = kept;
    }
}

static void holds(const char *name)
{
    static char bytes[LONGEST + 1];
    char path[600];
    unsigned files = 0;
    snprintf(path, sizeof(path), "tests/fuzz/corpus/%s", name);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] != '.') {
            snprintf(path, sizeof(path), "tests/fuzz/corpus/%s/%s", name, e->d_name);
            feed(fuzz_find(name), bytes, read_file(path, bytes));
            files++;
        }
    }
    closedir(folder);
    assert_true(files > 0);
}

#define X(name)                                                                                                        \
    static void holds_##name(void **state)                                                                             \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        holds(#name);                                                                                                  \
    }
FUZZ_TABLE(X)
#undef X

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name) cmocka_unit_test(holds_##name),
        FUZZ_TABLE(X)
#undef X
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
