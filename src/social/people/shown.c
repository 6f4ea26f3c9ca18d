/* shown.c - see shown.h. One thread at a time per visit. */
#include "social/people/shown.h"

#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "store/store.h"

struct store_batch *shown_batch(struct social *s, struct arena *a, struct shown *shown)
{
    if (!shown || !shown->ask) {
        return store_batch_new(s->store, a);
    }
    shown->is_read = false;
    shown->visit = visit_behind(shown->verified);
    return shown->visit->reads.batch;
}

void shown_ask(struct shown *shown, uint64_t id)
{
    if (shown && shown->ask) {
        visit_behind_open(shown->visit);
        shown->ask(shown, shown->visit, id);
    }
}

enum err shown_run(struct shown *shown, struct store_batch *b)
{
    if (!shown || !shown->ask) {
        return store_run(b);
    }
    shown->is_read = visit_read(shown->visit) == ERR_OK;
    return shown->visit->reads.first_round;
}
