/* loan.c - see loan.h. Threads: those that hold the pool's mutex. */
#include "store/loan.h"

#include <stddef.h>

#include "base/clock.h"
#include "base/panic.h"
#include "store/connection.h"

void loans_add(struct loans *all, struct loan *loan, struct connection *c, unsigned generation)
{
    *loan = (struct loan){.connection = c,
                          .shared = loan->shared,
                          .generation = generation,
                          .taken_us = clock_monotonic_us(),
                          .next = all->first,
                          .at = &all->first};
    if (loan->next) {
        loan->next->at = &loan->next;
    }
    all->first = loan;
    panic_shared_enter();
    if (all->broken) {
        connection_break(c);
    }
}

struct connection *loans_remove(struct loan *loan)
{
    struct connection *c = loan->connection;
    panic_shared_leave();
    *loan->at = loan->next;
    if (loan->next) {
        loan->next->at = loan->at;
    }
    loan->connection = NULL;
    return c;
}

void loans_break(struct loans *all)
{
    all->broken = true;
    for (struct loan *loan = all->first; loan; loan = loan->next) {
        connection_break(loan->connection);
    }
}
