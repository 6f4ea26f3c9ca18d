/* people.c - see people.h. Any thread. */
#include "social/people/people.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/visit_numbers.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* --- by id --------------------------------------------------------------------------------------------------------- */

struct people_read {
    struct people *out;
    size_t *replies; /* SIZE_MAX: was in the cache */
};

static enum err take_people_asked(struct visit *v, void *self)
{
    struct people_read *r = self;
    for (size_t i = 0; i < r->out->count; i++) {
        struct user *u = &r->out->users[i];
        if (r->replies[i] != SIZE_MAX) {
            user_take(v->social, v->reads.answers, r->replies[i], u->id, u);
        }
        u->numbers = visit_numbers(v, u->id);
        if (u->is_deleted || user_is_hidden(u, v->viewer.id)) {
            u->id = 0;
        }
    }
    return ERR_OK;
}

static void ask_people(struct visit *v, const uint64_t *ids, size_t count, struct people *out)
{
    struct people_read *r = arena_alloc(v->arena, sizeof(*r));
    *r = (struct people_read){out, arena_alloc(v->arena, (count + 1) * sizeof(*r->replies))};
    *out = (struct people){arena_zero(v->arena, (count + 1) * sizeof(*out->users)), count};
    for (size_t i = 0; i < count; i++) {
        bool cached = user_cache_get(v->social, v->arena, ids[i], &out->users[i]);
        out->users[i].id = ids[i];
        r->replies[i] = cached ? SIZE_MAX : user_add(v->reads.batch, ids[i]);
    }
    visit_then(v, take_people_asked, r);
}

/* Numbers are asked for first, so that they are there when the people are taken. */
void people_ask(struct visit *v, const uint64_t *ids, size_t count, struct people *out)
{
    visit_numbers_ask(v, ids, count);
    ask_people(v, ids, count, out);
}

void people_beside_ask(struct visit *v, const uint64_t *ids, size_t count, struct people *out)
{
    if (v->wants_numbers) {
        visit_numbers_of_authors(v, ids, count);
    }
    ask_people(v, ids, count, out);
}

/* --- by name ------------------------------------------------------------------------------------------------------- */

struct named_read {
    struct user user;
    size_t reply;
};

static enum err take_named(struct visit *v, void *self)
{
    struct named_read *r = self;
    enum err e = user_find_take(v->social, v->reads.answers, r->reply, &r->user, NULL, NULL);
    if (e == ERR_NOT_FOUND || user_is_hidden(&r->user, v->viewer.id)) {
        r->user = (struct user){.id = 0};
        e = ERR_OK;
    }
    visit_numbers_ask(v, &r->user.id, r->user.id ? 1 : 0);
    return e;
}

const struct user *user_named_ask(struct visit *v, const char *name)
{
    struct named_read *r = arena_zero(v->arena, sizeof(*r));
    if (user_name_is_valid(name)) {
        r->reply = user_find_add(v->reads.batch, name, &(struct user_page){.what = USER_FIND_WHAT_NONE});
        visit_then(v, take_named, r);
    }
    return &r->user;
}

/* --- before a change ----------------------------------------------------------------------------------------------- */

struct foreseen {
    uint64_t id; /* 0: looked for by name */
    size_t reply;
};

/* What comes is remembered; whoever acts finds it there, or not. */
static enum err take_foreseen(struct visit *v, void *self)
{
    const struct foreseen *f = self;
    struct user u;
    if (f->id) {
        user_take(v->social, v->reads.answers, f->reply, f->id, &u);
    } else {
        user_find_take(v->social, v->reads.answers, f->reply, &u, NULL, NULL);
    }
    return ERR_OK;
}

void people_foresee(struct visit *v, const char *name, uint64_t id)
{
    struct user u;
    bool is_known = name ? !user_name_is_valid(name) || user_recall_named(v->social, v->arena, name, &u)
                         : !id || user_cache_get(v->social, v->arena, id, &u);
    if (is_known || !v->claimed) {
        return;
    }
    struct foreseen *f = arena_zero(v->arena, sizeof(*f));
    f->id = name ? 0 : id;
    f->reply = name ? user_find_add(v->reads.batch, name, &(struct user_page){.what = USER_FIND_WHAT_NONE})
                    : user_add(v->reads.batch, id);
    visit_then(v, take_foreseen, f);
}

/* --- the newest ---------------------------------------------------------------------------------------------------- */

struct newest_read {
    struct people people;
    size_t reply;
};

static enum err drop_unshown(struct visit *v, void *self)
{
    struct people *p = self;
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (p->users[i].id && (user_is_recommended(&p->users[i]) || p->users[i].id == v->viewer.id)) {
            p->users[n++] = p->users[i];
        }
    }
    p->count = n;
    return ERR_OK;
}

static enum err take_newest_ids(struct visit *v, void *self)
{
    struct newest_read *r = self;
    const struct store_reply *reply = visit_reply(v, r->reply);
    uint64_t *ids = arena_alloc(v->arena, (reply->count + 1) * sizeof(*ids));
    store_list_ids(reply, ids);
    people_ask(v, ids, reply->count, &r->people);
    visit_then(v, drop_unshown, &r->people);
    return ERR_OK;
}

const struct people *newest_people_ask(struct visit *v, unsigned most)
{
    struct newest_read *r = arena_zero(v->arena, sizeof(*r));
    r->reply =
        store_command(v->reads.batch, KEY_GLOBAL_BUCKET, "LRANGE", key_plain(v->arena, KEY_LATEST, KEY_GLOBAL_BUCKET),
                      "0", arena_printf(v->arena, "%u", most - 1), NULL);
    visit_then(v, take_newest_ids, r);
    return &r->people;
}

/* --- the visitor's numbers ----------------------------------------------------------------------------------------- */

struct counts_read {
    struct user_counts counts;
    size_t reply;
};

static enum err take_viewer_counts(struct visit *v, void *self)
{
    struct counts_read *r = self;
    if (v->viewer.id) {
        user_counts_take(v->reads.answers, r->reply, &r->counts);
    }
    return ERR_OK;
}

const struct user_counts *viewer_counts_ask(struct visit *v)
{
    struct counts_read *r = arena_zero(v->arena, sizeof(*r));
    if (v->claimed) {
        r->reply = user_counts_add(v->reads.batch, v->arena, v->claimed);
        visit_then(v, take_viewer_counts, r);
    }
    return &r->counts;
}
