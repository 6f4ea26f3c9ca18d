/* host.h - the rules for a Host header, and for the host of an address (RFC 9110 7.2, RFC 3986 3.2.2).
 *
 * Inside src/http only. Pure; any thread.
 */
#ifndef HTTP_HOST_H
#define HTTP_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* The rule, for people who broke it. */
#define HOST_RULE                                                                                                      \
    "a name, an IPv4 address or an IPv6 address in brackets, and perhaps a colon and a port from 1 to 65535"

/* Whether `text`, of `length` bytes and not NUL-terminated, keeps HOST_RULE. */
bool host_is_valid(const char *text, size_t length);

#endif
