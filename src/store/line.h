/* line.h - one connection that many calls share at the same time: leader and followers.
 *
 * A pool lends a connection to one call: under load calls wait for one another, and each costs both sides a system call
 * or two and a wake-up. In a line a call lays its bytes into a common buffer and waits. One of those who wait leads: he
 * writes all that lies there in one call, reads whatever has come, puts each reply into the arena of the call that it
 * answers, and wakes those whose replies are whole. When his own have come he calls the next who still waits to lead.
 * So nobody waits for a connection, and the engine reads and answers many calls at once. There is no thread of its own:
 * a line that nobody uses costs nothing.
 *
 * Which calls may go in a line is for pool_link.c to say: short ones that may be sent twice, whose callers do nothing
 * but wait. Everything else has a connection of the pool to itself.
 *
 * What holds:
 *  - The connection is a loan of the pool, taken by the first who comes and given back when nobody is left. So back-off,
 *    introduction, scripts, the end of the program and the fitness of the engine are the pool's business alone.
 *  - Each call has its own deadline. Who is late leaves; his replies are skipped when they come, and nobody else is
 *    touched. A line in which somebody was late, or whose connection is out of date, takes no newcomers: the calls that
 *    are under way are waited for, then the connection is thrown away.
 *  - A call whose bytes have not been written when the line closes has certainly not been sent: it goes elsewhere.
 *  - When the connection breaks, all calls that were written are lost, and those alone.
 *
 * Internal to src/store. In the order to read it: line.h, line.c (the leader), ride.h and ride.c (who waits).
 *
 * Threads: any. `gate` guards what newcomers touch, `flight` the calls that are written and the parser (rides are
 * parsed with it, so that somebody who leaves takes his arena with him safely). Taken in this order: flight, gate, a ride's
 * own lock. None is held while a socket is used.
 */
#ifndef STORE_LINE_H
#define STORE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "store/link.h"

struct line;
struct pool;
struct ride;

/* The pool must keep a place for it (pool_new), and outlive it. */
struct line *line_new(struct pool *p);

/* Nobody may be in it. */
void line_free(struct line *l);

/* How many calls are in it now, as far as one can say. */
size_t line_crowd(const struct line *l);

/* Takes the call along and waits until it is over. NULL: the line takes nobody now, or closed before anything of the
 * call was written; it is to go elsewhere. Otherwise what it had, in the call's arena; LINK_REFUSED is in call->refused.
 * `join`: only if others are in it. */
struct ride *line_ride(struct line *l, struct link_call *call, bool join);

#endif
