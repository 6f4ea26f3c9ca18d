/* turn.h - lets a bounded number of threads in at a time, and the others in fair turn.
 *
 * For work that is costly on purpose (password hashes) and that strangers may ask for. There are two lines. Known
 * claimants go first; but after TURN_KNOWN of them one stranger goes, so that nobody waits for ever. Within a line each
 * claimant (an address) has one turn a round, however often he stands in it. When a line is full, a newcomer takes the
 * last place of the claimant who stands in it most often. So one address alone can use everything, and yet keeps nobody
 * else out.
 *
 * Threads: any.
 */
#ifndef BASE_TURN_H
#define BASE_TURN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define TURN_KNOWN 3

/* Who wants to go in. */
struct turn_claim {
    const char *who; /* lives as long as turn_enter runs */
    bool known;
};

struct turn_waiter;

struct turn_line {
    struct turn_waiter *first; /* in no order */
    unsigned count;
    uint64_t round; /* of the last who was let in */
};

/* Made by TURN_INIT; the two numbers may be changed while nobody is in. */
struct turn {
    unsigned limit;  /* so many are in at a time */
    unsigned places; /* of each line */
    pthread_mutex_t lock;
    unsigned inside;
    unsigned known_in_row;
    uint64_t arrivals;
    struct turn_line lines[2]; /* strangers, known */
};

#define TURN_INIT(at_a_time, waiting)                                                                                  \
    {                                                                                                                  \
        .limit = (at_a_time), .places = (waiting), .lock = PTHREAD_MUTEX_INITIALIZER                                   \
    }

/* Waits to be let in. False, at once or later, when there is no place for him. A NULL claim is the administrator's. */
bool turn_enter(struct turn *t, const struct turn_claim *claim);

/* Once for each time that turn_enter was true. */
void turn_leave(struct turn *t);

/* How many wait. */
unsigned turn_waiting(struct turn *t);

#endif
