/* address.h - client addresses: text to bytes, networks, and the real client behind proxies.
 *
 * Inside src/http only. Pure functions over a list that is made once at start; any thread.
 */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"

struct arena;

/* IPv4 is kept as ::ffff:a.b.c.d, so there is one form for both and for sockets that serve both. */
struct address {
    unsigned char bytes[16];
};

struct address_network {
    struct address address;
    unsigned bits;
};

struct address_list {
    struct address_network *items;
    size_t count;
};

#define ADDRESS_SIZE 48

/* "192.0.2.1", "2001:db8::1", "[2001:db8::1]" and, from a proxy's header, either with ":port". */
bool address_parse(const char *text, size_t length, struct address *out);

/* The usual text form; IPv4 without the ::ffff: prefix. */
void address_write(const struct address *a, char out[ADDRESS_SIZE]);

/* 127.0.0.1 */
extern const struct address address_here;

/* The address with only its first bits (a multiple of 8), the rest 0. IPv4 stays whole. */
struct address address_prefix(const struct address *a, unsigned bits);

/* The part of the address that caps count: IPv6 cut to /64, because one customer gets that many. */
struct address address_group(const struct address *a);

bool address_is_ipv4(const struct address *a);
bool address_is_loopback(const struct address *a);

/* Reads "10.0.0.0/8, 192.0.2.1, 2001:db8::/32" (commas, white space). False with the bad entry in `bad`. The
 * caller ends the list with address_list_free. */
bool address_list_parse(const char *text, struct address_list *out, char *bad, size_t bad_size);
void address_list_free(struct address_list *l);
bool address_list_has(const struct address_list *l, const struct address *a);

/* Whether such a text names 127.0.0.1 or ::1, by themselves or in a network. */
bool address_text_has_own(const char *text);

/* The client behind trusted proxies: the right-most address of the X-Forwarded-For headers that is not in the list;
 * anybody could have written those to its left. Returns false when no such header names one. */
bool address_forwarded(const struct http_pairs *headers, const struct address_list *trusted, struct address *out);

#endif
