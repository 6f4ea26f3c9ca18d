/* token_list.c - which applications somebody has let in; see token.h. Any thread. */
#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "social/people/token.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

struct token_read {
    struct token_list list;
    size_t reply;
    const struct store_reply *hashes;
    size_t first_record;
};

static enum err take_token_records(struct visit *v, void *self)
{
    struct token_read *r = self;
    r->list.tokens = arena_alloc(v->arena, (r->hashes->count + 1) * sizeof(*r->list.tokens));
    for (size_t i = 0; i < r->hashes->count; i++) {
        struct record_token record;
        struct token *next = &r->list.tokens[r->list.count];
        record_token_take(visit_reply(v, r->first_record + i), TOKEN_SHOWN, &record);
        token_from_record(&record, store_text(&r->hashes->items[i]), next);
        r->list.count += next->app_id != 0;
    }
    return ERR_OK;
}

static enum err take_token_hashes(struct visit *v, void *self)
{
    struct token_read *r = self;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    r->hashes = visit_reply(v, r->reply);
    r->first_record = store_batch_count(v->reads.batch);
    for (size_t i = 0; i < r->hashes->count; i++) {
        const char *key = key_id_text(v->arena, KEY_TOKEN, v->viewer.id, store_text(&r->hashes->items[i]));
        record_ask_at(v->reads.batch, id_bucket(v->viewer.id), key, RECORD_TOKEN, TOKEN_SHOWN);
    }
    visit_then(v, take_token_records, r);
    return ERR_OK;
}

const struct token_list *token_list_ask(struct visit *v)
{
    struct token_read *r = arena_zero(v->arena, sizeof(*r));
    if (v->claimed) {
        r->reply =
            store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE", key_id(v->arena, KEY_TOKENS, v->claimed),
                          "0", store_last(v->arena, TOKEN_MOST), "REV", NULL);
        visit_then(v, take_token_hashes, r);
    }
    return &r->list;
}
