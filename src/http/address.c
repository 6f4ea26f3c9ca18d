/* address.c - see address.h. Pure functions; the lists are read-only once made.
 *
 * Not a resolver: names are never looked up, neither here nor anywhere in the program.
 */
#include "http/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "base/text.h"

static const unsigned char mapped_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool address_is_ipv4(const struct address *a)
{
    return memcmp(a->bytes, mapped_prefix, sizeof(mapped_prefix)) == 0;
}

bool address_is_loopback(const struct address *a)
{
    static const unsigned char one[16] = {[15] = 1};
    return address_is_ipv4(a) ? a->bytes[12] == 127 : memcmp(a->bytes, one, sizeof(one)) == 0;
}

static bool parse_plain(const char *text, struct address *out)
{
    if (inet_pton(AF_INET6, text, out->bytes) == 1) {
        return true;
    }
    memcpy(out->bytes, mapped_prefix, sizeof(mapped_prefix));
    return inet_pton(AF_INET, text, out->bytes + sizeof(mapped_prefix)) == 1;
}

/* Takes brackets and port off, in place. NULL if they are not well formed. */
static char *bare(char *text)
{
    char *colon = strchr(text, ':');
    if (text[0] == '[') {
        char *end = strchr(text, ']');
        if (!end || (end[1] != '\0' && end[1] != ':')) {
            return NULL;
        }
        *end = '\0';
        return text + 1;
    }
    if (colon && strchr(text, '.') && !strchr(colon + 1, ':')) {
        *colon = '\0';
    }
    return text;
}

bool address_parse(const char *text, size_t length, struct address *out)
{
    char copy[ADDRESS_SIZE + 16];
    if (length >= sizeof(copy)) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *zone = strchr(copy, '%'); /* fe80::1%eth0: the zone means nothing beyond this machine */
    if (zone) {
        *zone = '\0';
    }
    const char *plain = bare(copy);
    return plain && parse_plain(plain, out);
}

void address_write(const struct address *a, char out[ADDRESS_SIZE])
{
    const char *done = address_is_ipv4(a) ? inet_ntop(AF_INET, a->bytes + 12, out, ADDRESS_SIZE)
                                          : inet_ntop(AF_INET6, a->bytes, out, ADDRESS_SIZE);
    require(done != NULL);
}

const struct address address_here = {{[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}};

struct address address_prefix(const struct address *a, unsigned bits)
{
    struct address prefix = *a;
    if (!address_is_ipv4(a)) {
        memset(prefix.bytes + bits / 8, 0, sizeof(prefix.bytes) - bits / 8);
    }
    return prefix;
}

struct address address_group(const struct address *a)
{
    return address_prefix(a, 64);
}

/* "address" or "address/bits". */
static bool parse_network(const char *text, size_t length, struct address_network *out)
{
    const char *slash = memchr(text, '/', length);
    size_t address_length = slash ? (size_t)(slash - text) : length;
    if (!address_parse(text, address_length, &out->address)) {
        return false;
    }
    unsigned widest = address_is_ipv4(&out->address) ? 32 : 128;
    unsigned bits = widest;
    if (slash) {
        size_t digits = length - address_length - 1;
        bits = 0;
        for (size_t i = 0; i < digits && i < 4; i++) {
            if (slash[1 + i] < '0' || slash[1 + i] > '9') {
                return false;
            }
            bits = bits * 10 + (unsigned)(slash[1 + i] - '0');
        }
        if (digits == 0 || digits > 3) {
            return false;
        }
    }
    out->bits = bits + (128 - widest);
    return bits <= widest;
}

bool address_list_parse(const char *text, struct address_list *out, char *bad, size_t bad_size)
{
    *out = (struct address_list){0};
    size_t length;
    for (const char *token; (token = text_token(&text, ", \t\r\n", &length));) {
        struct address_network n;
        if (!parse_network(token, length, &n)) {
            snprintf(bad, bad_size, "%.*s", (int)length, token);
            address_list_free(out);
            return false;
        }
        out->items = mem_grow(out->items, (out->count + 1) * sizeof(*out->items));
        out->items[out->count++] = n;
    }
    return true;
}

void address_list_free(struct address_list *l)
{
    free(l->items);
    *l = (struct address_list){0};
}

static bool network_has(const struct address_network *n, const struct address *a)
{
    unsigned whole = n->bits / 8;
    unsigned rest = n->bits % 8;
    if (memcmp(n->address.bytes, a->bytes, whole) != 0) {
        return false;
    }
    return rest == 0 || (n->address.bytes[whole] ^ a->bytes[whole]) >> (8 - rest) == 0;
}

bool address_list_has(const struct address_list *l, const struct address *a)
{
    for (size_t i = 0; i < l->count; i++) {
        if (network_has(&l->items[i], a)) {
            return true;
        }
    }
    return false;
}

bool address_text_has_own(const char *text)
{
    static const struct address v6 = {{[15] = 1}};
    struct address_list l;
    char bad[ADDRESS_SIZE];
    bool found = address_list_parse(text, &l, bad, sizeof(bad)) &&
                 (address_list_has(&l, &address_here) || address_list_has(&l, &v6));
    address_list_free(&l);
    return found;
}

/* Reads one header's list from its end. Returns 1 when the client is found, 0 when all were proxies, -1 when an entry
 * is no address: whatever stands before it cannot be believed, so the search ends. */
static int search(const char *value, const struct address_list *trusted, struct address *out)
{
    size_t end = strlen(value);
    for (;;) {
        size_t start = end;
        while (start > 0 && value[start - 1] != ',') {
            start--;
        }
        size_t from = start;
        size_t to = end;
        while (from < to && (value[from] == ' ' || value[from] == '\t')) {
            from++;
        }
        while (to > from && (value[to - 1] == ' ' || value[to - 1] == '\t')) {
            to--;
        }
        struct address a;
        if (!address_parse(value + from, to - from, &a)) {
            return -1;
        }
        *out = a; /* all are trusted: the left-most is the best answer */
        if (!address_list_has(trusted, &a)) {
            return 1;
        }
        if (start == 0) {
            return 0;
        }
        end = start - 1;
    }
}

bool address_forwarded(const struct http_pairs *headers, const struct address_list *trusted, struct address *out)
{
    bool any = false;
    for (size_t i = headers->count; i-- > 0;) {
        if (strcmp(headers->items[i].name, "x-forwarded-for") != 0) {
            continue;
        }
        struct address found;
        int result = search(headers->items[i].value, trusted, &found);
        if (result < 0) {
            return false; /* however the entries are spread over headers */
        }
        *out = found;
        any = true;
        if (result == 1) {
            return true;
        }
    }
    return any;
}

bool http_client_may_know(const struct http_request *req, const char *list)
{
    return req->is_here || http_client_is_allowed(req, list);
}

bool http_client_is_allowed(const struct http_request *req, const char *list)
{
    struct address parsed;
    struct address_list allowed = {0};
    char bad[ADDRESS_SIZE];
    if (req->door != HTTP_DOOR_SITE || !req->certain) {
        return req->door != HTTP_DOOR_SITE;
    }
    bool found = address_parse(req->address, strlen(req->address), &parsed) &&
                 address_list_parse(list, &allowed, bad, sizeof(bad)) && address_list_has(&allowed, &parsed);
    address_list_free(&allowed);
    return found;
}
