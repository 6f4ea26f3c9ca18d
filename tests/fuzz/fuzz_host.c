/* fuzz_host.c - hosts: what is taken fits a pattern that was written down independently, and stays taken in other
 * case. */
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "http/host.h"

static const regex_t *pattern(void)
{
    static regex_t compiled;
    static bool ready;
    if (!ready) {
        FUZZ_CHECK(regcomp(&compiled,
                           "^([A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$",
                           REG_EXTENDED | REG_NOSUB) == 0);
        ready = true;
    }
    return &compiled;
}

void fuzz_host(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    char *exact = malloc(size + 1);
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, data, size);
    bool valid = host_is_valid(exact, size);
    free(exact);
    if (!valid) {
        return;
    }
    char *text = arena_dup_n(a, data, size);
    FUZZ_CHECK(strlen(text) == size && size <= 253 + 6);
    FUZZ_CHECK(regexec(pattern(), text, 0, NULL, 0) == 0);
    const char *colon = strrchr(text, ':');
    if (colon && strspn(colon + 1, "0123456789") == strlen(colon + 1) && (text[0] != '[' || colon[-1] == ']')) {
        long port = strtol(colon + 1, NULL, 10);
        FUZZ_CHECK(port >= 1 && port <= 65535);
    }
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)toupper((unsigned char)text[i]);
    }
    FUZZ_CHECK(host_is_valid(text, size));
}
