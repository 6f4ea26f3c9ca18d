/* session_list.c - where somebody is signed in; see session.h. Any thread. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/people/session.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define MOST_SHOWN 100

struct session_read {
    struct session_list list;
    size_t reply;
    const struct store_reply *hashes;
    size_t first_record;
};

static enum err take_session_records(struct visit *v, void *self)
{
    struct session_read *r = self;
    struct session *list = arena_zero(v->arena, (r->hashes->count + 1) * sizeof(*list));
    size_t n = 1; /* place 0 is the current one's */
    bool current_found = false;
    for (size_t i = 0; i < r->hashes->count; i++) {
        struct record_session one;
        const char *hash = store_text(&r->hashes->items[i]);
        record_session_take(visit_reply(v, r->first_record + i), SESSION_SHOWN, &one);
        if (one.created == 0) {
            continue; /* it has expired */
        }
        bool is_current = strcmp(hash, visit_session(v)) == 0;
        current_found = current_found || is_current;
        list[is_current ? 0 : n++] =
            (struct session){hash, (uint64_t)one.created, (uint64_t)one.seen, one.agent, one.address, is_current};
    }
    r->list.sessions = current_found ? list : list + 1;
    r->list.count = current_found ? n : n - 1;
    return ERR_OK;
}

static enum err take_session_hashes(struct visit *v, void *self)
{
    struct session_read *r = self;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    r->hashes = visit_reply(v, r->reply);
    r->first_record = store_batch_count(v->reads.batch);
    for (size_t i = 0; i < r->hashes->count; i++) {
        const char *key = key_id_text(v->arena, KEY_SESSION, v->viewer.id, store_text(&r->hashes->items[i]));
        record_ask_at(v->reads.batch, id_bucket(v->viewer.id), key, RECORD_SESSION, SESSION_SHOWN);
    }
    visit_then(v, take_session_records, r);
    return ERR_OK;
}

const struct session_list *session_list_ask(struct visit *v)
{
    struct session_read *r = arena_zero(v->arena, sizeof(*r));
    if (v->claimed) {
        r->reply =
            store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE", key_id(v->arena, KEY_SESSIONS, v->claimed),
                          "0", store_last(v->arena, MOST_SHOWN), "REV", NULL);
        visit_then(v, take_session_hashes, r);
    }
    return &r->list;
}
