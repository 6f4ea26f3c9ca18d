/* pool_link.h - the link that has a pool: each call gets a connection of it for as long as it lasts, or, if it is short, a
 * place in a line (line.h), where many share one.
 *
 * Internal to src/store. Threads: any.
 */
#ifndef STORE_POOL_LINK_H
#define STORE_POOL_LINK_H

#include <stddef.h>

struct connection_target;
struct link;

/* The target must outlive it. At most so many connections, and so many lines among them; one is never a line. */
struct link *pool_link_new(const struct connection_target *t, size_t capacity, size_t lines);

#endif
