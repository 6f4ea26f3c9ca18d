/* host.h - what may stand in a Host header, and in the same place of an address (RFC 9110 7.2, RFC 3986 3.2.2).
 *
 * Inside src/http only. Pure; any thread.
 */
#ifndef HTTP_HOST_H
#define HTTP_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* For people who sent another. */
#define HOST_RULE                                                                                                      \
    "a name, an IPv4 address or an IPv6 address in brackets, and perhaps a colon and a port from 1 to 65535"

/* Whether `text`, of `length` bytes and not NUL-terminated, is what HOST_RULE says. */
bool host_is_valid(const char *text, size_t length);

#endif
