/* fuzz_address.c - addresses, networks and X-Forwarded-For. The input's lines: an address, a list of trusted networks,
 * and then one X-Forwarded-For header each. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "http/address.h"
#include "http/pairs.h"

static bool same(const struct address *a, const struct address *b)
{
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static void check_address(const struct address *a)
{
    char text[ADDRESS_SIZE];
    struct address again;
    address_write(a, text);
    FUZZ_CHECK(address_parse(text, strlen(text), &again) && same(a, &again));
    struct address group = address_group(a);
    struct address twice = address_group(&group);
    FUZZ_CHECK(same(&group, &twice));
}

static void check_list(struct arena *a, const struct address_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct address_network *n = &l->items[i];
        char text[ADDRESS_SIZE], bad[ADDRESS_SIZE];
        struct address_list again;
        FUZZ_CHECK(n->bits <= 128 && address_list_has(l, &n->address));
        address_write(&n->address, text);
        unsigned bits = address_is_ipv4(&n->address) ? n->bits - 96 : n->bits;
        FUZZ_CHECK(address_list_parse(arena_printf(a, "%s/%u", text, bits), &again, bad, sizeof(bad)));
        FUZZ_CHECK(again.count == 1 && again.items[0].bits == n->bits && same(&again.items[0].address, &n->address));
        address_list_free(&again);
    }
}

/* What address_forwarded promises, written down a second time: from the right, over all headers, the first that is not
 * trusted, or the last of all; nobody if something that is no address comes before. */
static bool expected(struct arena *a, const struct http_pairs *headers, const struct address_list *trusted,
                     struct address *out)
{
    bool any = false;
    for (size_t i = headers->count; i-- > 0;) {
        char *value = arena_dup(a, headers->items[i].value);
        for (;;) {
            char *comma = strrchr(value, ',');
            char *entry = comma ? comma + 1 : value;
            entry += strspn(entry, " \t");
            size_t length = strlen(entry);
            while (length > 0 && (entry[length - 1] == ' ' || entry[length - 1] == '\t')) {
                length--;
            }
            struct address found;
            if (!address_parse(entry, length, &found)) {
                return false;
            }
            *out = found;
            any = true;
            if (!address_list_has(trusted, &found)) {
                return true;
            }
            if (!comma) {
                break;
            }
            *comma = '\0';
        }
    }
    return any;
}

void fuzz_address(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    struct http_pairs headers = {0};
    struct address_list trusted;
    struct address one, two;
    char bad[ADDRESS_SIZE];
    char *rest = arena_dup_n(a, data, size);
    const char *line = strsep(&rest, "\n");
    if (address_parse(line, strlen(line), &one)) {
        check_address(&one);
    }
    line = rest ? strsep(&rest, "\n") : "";
    if (!address_list_parse(line, &trusted, bad, sizeof(bad))) {
        FUZZ_CHECK(bad[0] != '\0' && trusted.count == 0);
        return;
    }
    check_list(a, &trusted);
    while (rest) {
        pairs_add(a, &headers, "x-forwarded-for", strsep(&rest, "\n"));
    }
    bool found = address_forwarded(&headers, &trusted, &one);
    FUZZ_CHECK(found == expected(a, &headers, &trusted, &two));
    FUZZ_CHECK(!found || same(&one, &two));
    address_list_free(&trusted);
}
