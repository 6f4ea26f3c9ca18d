/* api_account.c - people as entities, with what the visit knows of them: see api.h. Connection threads. */
#include <string.h>
#include <strings.h>

#include "api/api.h"
#include "base/arena.h"
#include "social/people/relation.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_numbers.h"
#include "social/people/visit_ties.h"
#include "view/instance.h"

yyjson_mut_val *api_account(const struct api *c, const struct user *u)
{
    const struct user_numbers *n = visit_numbers(c->visit, u->id);
    return entity_account_whole(&c->entity, u, n ? &n->counts : NULL, n ? n->last_post : 0);
}

yyjson_mut_val *api_people(const struct api *c, const struct user *users, size_t count)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = 0; i < count; i++) {
        if (users[i].id) {
            yyjson_mut_arr_append(list, api_account(c, &users[i]));
        }
    }
    return list;
}

yyjson_mut_val *api_relationship(const struct api *c, const struct relation *r)
{
    const struct user u = {.id = r->uid};
    const struct entity_relation relation = {.following = visit_follows(c->visit, u.id),
                                             .requested = visit_asked(c->visit, u.id),
                                             .followed_by = r->followed_by,
                                             .apart = visit_apart(c->visit, u.id),
                                             .requested_by = r->requested_by,
                                             .endorsed = r->endorsed,
                                             .tie = visit_tie(c->visit, u.id),
                                             .remark = r->remark};
    return entity_relationship_whole(&c->entity, &u, &relation);
}

const char *api_handle_name(const struct api *c, const char *handle)
{
    handle += *handle == '@';
    const char *at = strchr(handle, '@');
    if (!at) {
        return handle;
    }
    bool is_ours = strcasecmp(at + 1, instance_host(c->req->origin)) == 0;
    return is_ours ? arena_dup_n(c->arena, handle, (size_t)(at - handle)) : "";
}
