/* config_case.h - what the tests of retwis.ini share: a file of their own, to load and to be refused. */
#ifndef TESTS_CONFIG_CASE_H
#define TESTS_CONFIG_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"

static char directory[] = "/tmp/retwis-test-config-XXXXXX";
static char file[64];

static inline void write_file(const char *text, size_t size)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Loads the text as a file; the report is left in `report` (the caller frees). */
static inline struct config *load_n(const char *text, size_t size, char **report)
{
    size_t length;
    write_file(text, size);
    FILE *out = open_memstream(report, &length);
    struct config *c = config_load(file, out);
    fclose(out);
    return c;
}

static inline struct config *load_good(const char *text)
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
static inline void refuse_n(const char *text, size_t size, unsigned line, const char *message)
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

static inline void refuse(const char *text, unsigned line, const char *message)
{
    refuse_n(text, strlen(text), line, message);
}

static inline int setup(void **state)
{
    (void)state;
    if (!mkdtemp(directory)) {
        return -1;
    }
    snprintf(file, sizeof(file), "%s/retwis.ini", directory);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(directory);
}

#endif
