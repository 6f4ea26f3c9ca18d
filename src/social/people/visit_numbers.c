/* visit_numbers.c - see visit_numbers.h. One thread at a time per visit. */
#include "social/people/visit_numbers.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* The people of one call. */
struct numbers_set {
    const struct numbers_set *next;
    uint64_t *ids;
    size_t *replies;
    struct user_numbers *numbers;
    size_t count;
};

static bool is_asked_for(uint64_t id, const uint64_t *ids, size_t count)
{
    size_t i = 0;
    while (i < count && ids[i] != id) {
        i++;
    }
    return i < count;
}

void visit_want_numbers(struct visit *v)
{
    v->wants_numbers = true;
}

static enum err take_numbers(struct visit *v, void *self)
{
    struct numbers_set *set = self;
    for (size_t i = 0; i < set->count; i++) {
        user_counts_take(v->reads.answers, set->replies[i], &set->numbers[i].counts);
        set->numbers[i].last_post = id_parse(store_text(store_item(visit_reply(v, set->replies[i] + 3), 0)));
        user_numbers_put(v->social, set->ids[i], &set->numbers[i], store_batch_marked(v->reads.answers));
    }
    set->next = v->numbers;
    v->numbers = set;
    return ERR_OK;
}

void visit_numbers_ask(struct visit *v, const uint64_t *ids, size_t count)
{
    if (!v->wants_numbers || !count) {
        return;
    }
    struct numbers_set *set = arena_zero(v->arena, sizeof(*set));
    set->ids = arena_alloc(v->arena, count * sizeof(*set->ids));
    set->replies = arena_alloc(v->arena, count * sizeof(*set->replies));
    set->numbers = arena_zero(v->arena, count * sizeof(*set->numbers));
    for (size_t i = 0; i < count; i++) {
        if (ids[i]) {
            set->ids[set->count] = ids[i];
            set->replies[set->count++] = user_counts_add(v->reads.batch, v->arena, ids[i]);
            store_command(v->reads.batch, id_bucket(ids[i]), "ZRANGE", key_id(v->arena, KEY_POSTS, ids[i]), "-1", "-1",
                          NULL);
        }
    }
    visit_then(v, take_numbers, set);
}

const struct user_numbers *visit_numbers(const struct visit *v, uint64_t uid)
{
    for (const struct numbers_set *set = v->numbers; set; set = set->next) {
        for (size_t i = 0; i < set->count; i++) {
            if (set->ids[i] == uid) {
                return &set->numbers[i];
            }
        }
    }
    return NULL;
}

/* One whom the process remembers. */
static void use_numbers(struct visit *v, uint64_t uid, const struct user_numbers *n)
{
    struct numbers_set *set = arena_zero(v->arena, sizeof(*set));
    set->ids = arena_alloc(v->arena, sizeof(*set->ids));
    set->numbers = arena_alloc(v->arena, sizeof(*set->numbers));
    set->ids[0] = uid;
    set->numbers[0] = *n;
    set->count = 1;
    set->next = v->numbers;
    v->numbers = set;
}

void visit_numbers_of_authors(struct visit *v, const uint64_t *ids, size_t count)
{
    struct user_numbers n;
    uint64_t *unknown = arena_alloc(v->arena, (count + 1) * sizeof(*unknown));
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (visit_numbers(v, ids[i])) {
            continue;
        }
        if (user_numbers_recall(v->social, v->arena, ids[i], &n)) {
            use_numbers(v, ids[i], &n);
        } else if (!is_asked_for(ids[i], unknown, left)) {
            unknown[left++] = ids[i];
        }
    }
    visit_numbers_ask(v, unknown, left);
}
