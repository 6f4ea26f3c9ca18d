/* fuzz_cookie.c - the Cookie header: pairs that are accepted can be written again and are then read the same, and hold
 * nothing that the header did not have. */
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "fuzz.h"
#include "http/cookie.h"

#define MOST 64

void fuzz_cookie(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    const char *header = arena_dup_n(a, data, size);
    struct http_pairs cookies = {0};
    struct http_pairs again = {0};
    struct buffer b = buffer_make(a);
    cookie_parse(a, header, &cookies);
    FUZZ_CHECK(cookies.count <= MOST);
    for (size_t i = 0; i < cookies.count; i++) {
        FUZZ_CHECK(cookies.items[i].name[0] != '\0');
        FUZZ_CHECK(!strpbrk(cookies.items[i].name, "=; \t\""));
        FUZZ_CHECK(!strpbrk(cookies.items[i].value, "; \t\",\\"));
        FUZZ_CHECK(strstr(header, cookies.items[i].name) && strstr(header, cookies.items[i].value));
        buffer_printf(&b, "%s=%s; ", cookies.items[i].name, cookies.items[i].value);
    }
    cookie_parse(a, buffer_string(&b), &again);
    FUZZ_CHECK(again.count == cookies.count);
    for (size_t i = 0; i < cookies.count; i++) {
        FUZZ_CHECK(strcmp(cookies.items[i].name, again.items[i].name) == 0);
        FUZZ_CHECK(strcmp(cookies.items[i].value, again.items[i].value) == 0);
    }
}
