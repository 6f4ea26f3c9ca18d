/* host.c - see host.h.
 *
 * The host becomes part of links, so less is taken than the grammar allows: no percent signs and no sub-delims in a
 * name (no client sends them), no user name, no zone of an IPv6 address. A name whose last label is a number would be
 * read as an IPv4 address by a browser, so it must be one.
 */
#include "http/host.h"

#include <arpa/inet.h>
#include <string.h>

#define LONGEST_NAME 253
#define LONGEST_LABEL 63

static const char digits[] = "0123456789";
static const char name_bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* How many of the first `length` bytes are in the set. */
static size_t span(const char *text, size_t length, const char *set)
{
    size_t n = 0;
    while (n < length && text[n] != '\0' && strchr(set, text[n])) {
        n++;
    }
    return n;
}

static bool host_is_address(int family, const char *text, size_t length)
{
    char copy[INET6_ADDRSTRLEN];
    unsigned char bytes[16];
    if (length >= sizeof(copy) || memchr(text, '\0', length)) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return inet_pton(family, copy, bytes) == 1;
}

/* Labels with dots between them, and perhaps one behind them. */
static bool host_is_name(const char *text, size_t length)
{
    bool number = false;
    size_t at = 0;
    if (length == 0 || length > LONGEST_NAME) {
        return false;
    }
    while (at < length) {
        size_t label = span(text + at, length - at, name_bytes);
        if (label == 0 || label > LONGEST_LABEL) {
            return false;
        }
        number = span(text + at, label, digits) == label;
        at += label;
        if (at < length && text[at++] != '.') {
            return false;
        }
    }
    return !number || host_is_address(AF_INET, text, length);
}

static bool is_port(const char *text, size_t length)
{
    unsigned port = 0;
    if (length == 0 || length > 5 || span(text, length, digits) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        port = port * 10 + (unsigned)(text[i] - '0');
    }
    return port >= 1 && port <= 65535;
}

bool host_is_valid(const char *text, size_t length)
{
    const char *from = text;
    if (length > 0 && text[0] == '[') {
        from = memchr(text, ']', length);
        if (!from || !host_is_address(AF_INET6, text + 1, (size_t)(from - text) - 1)) {
            return false;
        }
        from++;
    }
    size_t rest = length - (size_t)(from - text);
    const char *colon = memchr(from, ':', rest);
    size_t name = colon ? (size_t)(colon - from) : rest;
    bool known = from == text ? host_is_name(text, name) : name == 0;
    return known && (!colon || is_port(colon + 1, rest - name - 1));
}
