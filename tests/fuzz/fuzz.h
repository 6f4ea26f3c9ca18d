/* fuzz.h - the fuzz targets: each takes any bytes and aborts when a promise of the program does not hold.
 *
 * A target is one function over one input, without memory of the one before. It checks more than "no crash": it checks
 * the module's promises about each result, by other means than the module's own. `make fuzz` feeds the targets with
 * what libFuzzer invents; tests/unit/test_fuzz_corpora.c feeds them with the files of corpus/, so that they stay true.
 *
 * Threads: one.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct http_pairs;

/* The table of targets; each has a file fuzz_NAME.c and a folder corpus/NAME. */
#define FUZZ_TABLE(X)                                                                                                  \
    X(address)                                                                                                         \
    X(config)                                                                                                          \
    X(content)                                                                                                         \
    X(cookie)                                                                                                          \
    X(form)                                                                                                            \
    X(host)                                                                                                            \
    X(id)                                                                                                              \
    X(json_form)                                                                                                       \
    X(multipart)                                                                                                       \
    X(oauth)                                                                                                           \
    X(paging)                                                                                                          \
    X(reply)                                                                                                           \
    X(request)                                                                                                         \
    X(stream_filter)                                                                                                   \
    X(template)

#define X(name) void fuzz_##name(const char *data, size_t size);
FUZZ_TABLE(X)
#undef X

typedef void (*fuzz_target)(const char *data, size_t size);

/* NULL if there is none of that name. */
fuzz_target fuzz_find(const char *name);

/* Names the broken promise and aborts. */
#define FUZZ_CHECK(holds) ((holds) ? (void)0 : fuzz_fail(#holds, __FILE__, __LINE__))
_Noreturn void fuzz_fail(const char *promise, const char *file, int line);

/* Whether the word stands somewhere in the input. */
bool fuzz_has(const char *data, size_t size, const char *word);

/* An arena that is the same one, emptied, in every run of a target. */
struct arena *fuzz_arena(void);

/* Fields that came out of any body are text, and written as a form's body they are read as the same fields. */
void fuzz_write_again(struct arena *a, const struct http_pairs *fields);

#endif
