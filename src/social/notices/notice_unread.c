/* notice_unread.c - the numbers in the menu: see notice.h. One thread at a time per visit.
 *
 * Every visit learns with its first round when the notices of the visitor last changed (homestate). Who remembers the
 * number of that moment asks nothing; else it comes with the next round.
 */
#include "base/arena.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/notices/notice.h"
#include "social/people/visit_read.h"
#include "store/calls.h"
#include "store/store.h"

struct unread_read {
    struct notice_unread found;
    size_t reply;
};

/* The cached form. */
struct packed_unread {
    uint64_t changed_us, apart; /* as of then: the notices, and of whom he wants to hear nothing (versions) */
    struct notice_unread found;
};

static enum err take_unread(struct visit *v, void *self)
{
    struct unread_read *r = self;
    struct script_notice_unread_reply found;
    script_notice_unread_take(visit_reply(v, r->reply), &found);
    r->found = (struct notice_unread){found.count, found.requests};
    const struct packed_unread known = {v->home.notices_us, v->apart.version, r->found};
    cache_put(v->social->cache, CACHE_UNREAD, v->viewer.id, &known, sizeof(known),
              store_batch_marked(v->reads.answers));
    return ERR_OK;
}

static enum err unread_settle(struct visit *v, void *self)
{
    struct unread_read *r = self;
    if (!v->viewer.id || !v->home.notices_us) {
        return ERR_OK;
    }
    size_t size;
    const struct packed_unread *known = cache_get(v->social->cache, CACHE_UNREAD, v->viewer.id, v->arena, &size);
    if (known && known->changed_us == v->home.notices_us && known->apart == v->apart.version) {
        r->found = known->found;
        return ERR_OK;
    }
    r->reply = script_notice_unread_add(v->reads.batch, &(struct script_notice_unread){.uid = v->viewer.id});
    visit_then(v, take_unread, r);
    return ERR_OK;
}

const struct notice_unread *notice_unread_ask(struct visit *v)
{
    struct unread_read *r = arena_zero(v->arena, sizeof(*r));
    if (v->claimed) {
        visit_then(v, unread_settle, r);
    }
    return &r->found;
}
