/* dedicated.h - the link of a listener: one connection for one thread, opened when it is first used, and anew after
 * each failure. There is no back-off: the listener pauses by itself.
 *
 * Internal to src/store. Threads: one; link_cut by any.
 */
#ifndef STORE_DEDICATED_H
#define STORE_DEDICATED_H

struct connection_target;
struct link;

/* The target must outlive it. */
struct link *dedicated_new(const struct connection_target *t);

#endif
