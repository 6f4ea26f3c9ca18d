/* loan.h - the connections of a pool that are lent out.
 *
 * They are listed so that threads that wait for a hanging node can be told that the program ends (loans_break), and
 * they are counted for the thread that has them (panic.h): so the thread that takes one must give it back.
 *
 * Internal to src/store: a part of the pool.
 *
 * Threads: those that hold the pool's mutex.
 */
#ifndef STORE_LOAN_H
#define STORE_LOAN_H

#include <stdbool.h>
#include <stdint.h>

struct connection;

/* It must stay where it is until it is over, and be zero before. */
struct loan {
    struct connection *connection; /* NULL: over */
    bool shared;                   /* the taker's word: it is for a line */
    unsigned generation;
    uint64_t taken_us;
    struct loan *next, **at;
};

struct loans {
    struct loan *first;
    bool broken;
};

void loans_add(struct loans *all, struct loan *loan, struct connection *c, unsigned generation);

/* Returns the connection, which is the caller's again. */
struct connection *loans_remove(struct loan *loan);

/* Breaks all connections, and those that are added later. */
void loans_break(struct loans *all);

#endif
