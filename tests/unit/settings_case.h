/* settings_case.h - what the tests of settings.db share: a directory for each test, opening, setting. */
#ifndef TESTS_SETTINGS_CASE_H
#define TESTS_SETTINGS_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/secret.h"
#include "config/settings.h"

static char directory[64];
static char why[200];

static inline void path_of(const char *name, char out[128])
{
    snprintf(out, 128, "%s/%s", directory, name);
}

static inline struct settings_store *open_good(void)
{
    struct settings_store *s = settings_open(directory, stderr);
    assert_non_null(s);
    return s;
}

static inline void set(struct settings_store *s, const char *name, const char *value)
{
    why[0] = '\0';
    if (settings_set(s, name, value, "test", why, sizeof(why)) != ERR_OK) {
        fail_msg("%s = %s: %s", name, value, why);
    }
}

static inline int setup(void **state)
{
    (void)state;
    snprintf(directory, sizeof(directory), "/tmp/retwis-test-settings-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static inline int teardown(void **state)
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

#endif
