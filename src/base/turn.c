/* turn.c - see turn.h. Any thread; each waits for a condition of its own, and the one that leaves wakes the next.
 *
 * A claimant's first place in a line is in the next round, his second in the one after it: fair queueing, where each
 * piece of work costs the same. The lines are short (16), so they are searched.
 */
#include "base/turn.h"

#include <string.h>

#include "base/clock.h"
#include "base/mutex.h"

enum answer { WAITING, CALLED, SENT_AWAY };

struct turn_waiter {
    const char *who;
    uint64_t round, arrival;
    enum answer answer;
    pthread_cond_t answered;
    struct turn_waiter *next;
};

static bool is_before(const struct turn_waiter *a, const struct turn_waiter *b)
{
    return a->round != b->round ? a->round < b->round : a->arrival < b->arrival;
}

/* The first of the line, or its last; NULL if it is empty. */
static struct turn_waiter *turn_line_end(const struct turn_line *l, bool last)
{
    struct turn_waiter *end = l->first;
    for (struct turn_waiter *w = end; w; w = w->next) {
        end = is_before(w, end) != last && w != end ? w : end;
    }
    return end;
}

static uint64_t round_of(const struct turn_line *l, const char *who)
{
    uint64_t round = l->round;
    for (const struct turn_waiter *w = l->first; w; w = w->next) {
        round = w->round > round && strcmp(w->who, who) == 0 ? w->round : round;
    }
    return round + 1;
}

static void turn_tell(struct turn_line *l, struct turn_waiter *w, enum answer answer)
{
    struct turn_waiter **place = &l->first;
    while (*place != w) {
        place = &(*place)->next;
    }
    *place = w->next;
    l->count--;
    w->answer = answer;
    pthread_cond_signal(&w->answered);
}

/* Stands in the line, in somebody else's place if need be. */
static bool line_up(struct turn *t, struct turn_line *l, struct turn_waiter *w)
{
    w->round = round_of(l, w->who);
    w->arrival = t->arrivals++;
    if (l->count >= t->places) {
        struct turn_waiter *last = turn_line_end(l, true);
        if (!last || last->round <= w->round) {
            return false;
        }
        turn_tell(l, last, SENT_AWAY);
    }
    w->next = l->first;
    l->first = w;
    l->count++;
    return true;
}

bool turn_enter(struct turn *t, const struct turn_claim *claim)
{
    struct turn_waiter w = {.who = claim ? claim->who : "", .answer = CALLED};
    clock_condition(&w.answered);
    struct turn_line *l = &t->lines[!claim || claim->known];
    mutex_lock(&t->lock);
    if (t->inside < t->limit) { /* then nobody waits */
        t->inside++;
    } else {
        w.answer = line_up(t, l, &w) ? WAITING : SENT_AWAY;
    }
    while (w.answer == WAITING) {
        mutex_wait(&w.answered, &t->lock);
    }
    mutex_unlock(&t->lock);
    pthread_cond_destroy(&w.answered);
    return w.answer == CALLED;
}

/* The line whose turn it is. */
static struct turn_line *next_line(struct turn *t)
{
    bool known = t->lines[true].count && (t->known_in_row < TURN_KNOWN || !t->lines[false].count);
    t->known_in_row = known && t->lines[false].count ? t->known_in_row + 1 : 0;
    return &t->lines[known];
}

void turn_leave(struct turn *t)
{
    mutex_lock(&t->lock);
    struct turn_line *l = next_line(t);
    struct turn_waiter *next = turn_line_end(l, false);
    if (next) {
        l->round = next->round;
        turn_tell(l, next, CALLED);
    } else {
        t->inside--;
    }
    mutex_unlock(&t->lock);
}

unsigned turn_waiting(struct turn *t)
{
    mutex_lock(&t->lock);
    unsigned count = t->lines[false].count + t->lines[true].count;
    mutex_unlock(&t->lock);
    return count;
}
