/* beside.c - see beside.h. Connection threads. */
#include "pages/beside.h"

#include "pages/page.h"
#include "social/people/people.h"
#include "social/timelines/conversation.h"

#define BESIDE_MOST 5

static void add_person(struct page *p, yyjson_mut_val *list, const struct user *u)
{
    const struct entity_relation relation = {.following = visit_follows(p->visit, u->id)};
    yyjson_mut_arr_append(list, decoration_account_row(&p->entity, u, &relation));
}

/* The box with these people; none if there are none. */
static void beside_box(struct page *p, yyjson_mut_val *list, bool is_conversation)
{
    if (yyjson_mut_arr_size(list)) {
        yyjson_mut_val *box = page_object(p, "latest");
        yyjson_mut_obj_add_val(p->entity.doc, box, "users", list);
        yyjson_mut_obj_add_bool(p->entity.doc, box, "is_conversation", is_conversation);
    }
}

void beside_newest(struct page *p, const struct people *newest, size_t most, bool is_others)
{
    yyjson_mut_val *list = yyjson_mut_arr(p->entity.doc);
    for (size_t i = 0; i < newest->count && yyjson_mut_arr_size(list) < most; i++) {
        if (!is_others || newest->users[i].id != p->viewer.id) {
            add_person(p, list, &newest->users[i]);
        }
    }
    beside_box(p, list, false);
}

void beside_profile(struct page *p, const struct people *newest, uint64_t uid)
{
    yyjson_mut_val *list = yyjson_mut_arr(p->entity.doc);
    for (size_t i = 0; p->viewer.id && i < newest->count && yyjson_mut_arr_size(list) < BESIDE_MOST; i++) {
        const struct user *u = &newest->users[i];
        if (u->id != uid && u->id != p->viewer.id && !visit_follows(p->visit, u->id)) {
            add_person(p, list, u);
        }
    }
    beside_box(p, list, false);
}

/* --- conversations --- */

struct talkers {
    uint64_t ids[BESIDE_MOST];
    size_t count;
    yyjson_mut_val *list;
};

static void add_talker(struct page *p, struct talkers *t, const struct user *u)
{
    bool is_known = u->id == p->viewer.id || t->count == BESIDE_MOST;
    for (size_t i = 0; i < t->count; i++) {
        is_known = is_known || t->ids[i] == u->id;
    }
    if (!is_known) {
        t->ids[t->count++] = u->id;
        add_person(p, t->list, u);
    }
}

void beside_conversation(struct page *p, const struct conversation *c)
{
    struct talkers t = {.list = yyjson_mut_arr(p->entity.doc)};
    add_talker(p, &t, &c->post.author);
    for (size_t i = 0; i < c->ancestor_count; i++) {
        add_talker(p, &t, &c->ancestors[i].author);
    }
    for (size_t i = 0; i < c->reply_count; i++) {
        add_talker(p, &t, &c->replies[i].author);
    }
    beside_box(p, t.list, true);
}
