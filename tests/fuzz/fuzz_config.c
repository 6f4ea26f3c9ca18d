/* fuzz_config.c - retwis.ini: a file is accepted silently or refused with lines that say where the mistakes are; and
 * the printed form of an accepted file, put into a file again, is accepted and means the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "config/config.h"
#include "fuzz.h"

static const char *path(void)
{
    static char name[] = "/tmp/retwis-fuzz-XXXXXX";
    static bool ready;
    if (!ready) {
        int fd = mkstemp(name);
        FUZZ_CHECK(fd >= 0);
        close(fd);
        ready = true;
    }
    return name;
}

/* Loads the text as a file of its own; the report goes into the arena. */
static struct config *load(struct arena *a, const char *text, size_t size, const char **report)
{
    char *said = NULL;
    size_t length = 0;
    FILE *f = fopen(path(), "w");
    FUZZ_CHECK(f && fwrite(text, 1, size, f) == size && fclose(f) == 0);
    FILE *out = open_memstream(&said, &length);
    FUZZ_CHECK(out != NULL);
    struct config *c = config_load(path(), out);
    fclose(out);
    *report = arena_dup_n(a, said, length);
    FUZZ_CHECK(strlen(*report) == length);
    free(said);
    return c;
}

static const char *print(struct arena *a, const struct config *c)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    FUZZ_CHECK(out != NULL);
    config_print(c, out);
    fclose(out);
    const char *copy = arena_dup_n(a, text, length);
    free(text);
    return copy;
}

/* "section.key = value" lines as an INI file. */
static struct buffer as_file(struct arena *a, const char *printed)
{
    struct buffer b = buffer_make(a);
    char *rest = arena_dup(a, printed);
    while (*rest) {
        char *line = strsep(&rest, "\n");
        char *dot = strchr(line, '.');
        FUZZ_CHECK(dot != NULL && strstr(dot, " ="));
        buffer_printf(&b, "[%.*s]\n%s\n", (int)(dot - line), line, dot + 1);
        FUZZ_CHECK(rest != NULL);
    }
    return b;
}

static void check_report(const char *report)
{
    FUZZ_CHECK(report[0] != '\0' && report[strlen(report) - 1] == '\n');
    for (const char *line = report; *line; line = strchr(line, '\n') + 1) {
        FUZZ_CHECK(strcspn(line, "\n") > 10);
        for (const char *p = line; *p != '\n'; p++) {
            FUZZ_CHECK((unsigned char)*p >= 0x20 || *p == '\t');
        }
    }
}

void fuzz_config(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    const char *report;
    struct config *c = load(a, data, size, &report);
    if (!c) {
        check_report(report);
        return;
    }
    FUZZ_CHECK(report[0] == '\0');
    const char *printed = print(a, c);
    struct buffer file = as_file(a, printed);
    struct config *again = load(a, file.data, file.length, &report);
    if (!again) {
        fprintf(stderr, "%s", report);
    }
    FUZZ_CHECK(again != NULL);
    FUZZ_CHECK(strcmp(printed, print(a, again)) == 0);
    config_free(again);
    config_free(c);
}
