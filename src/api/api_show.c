/* api_show.c - lists of things that many endpoints answer with: see api.h. Connection threads. */
#include "api/api.h"
#include "social/people/follow.h"
#include "social/posts/post_pick.h"
#include "view/entity_kept.h"
#include "view/template.h"

const struct post *api_pick_first(struct api *c, const uint64_t *ids, size_t count)
{
    const struct post_picked *picked = post_pick_ask(c->visit, ids, count);
    if (!api_read(c)) {
        return NULL;
    }
    if (!picked->count) {
        api_error(c, ERR_NOT_FOUND, NULL);
        return NULL;
    }
    return &picked->posts[0];
}

const struct post *api_pick(struct api *c, uint64_t id)
{
    return api_pick_first(c, &id, 1);
}

yyjson_mut_val *api_post_json(const struct api *c, const struct post *p)
{
    return entity_status_kept(&c->entity, templates_kept(c->site->templates), p);
}

yyjson_mut_val *api_posts(const struct api *c, const struct post *posts, size_t count)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_arr_append(list, api_post_json(c, &posts[i]));
    }
    return list;
}

void api_answer_people(struct api *c, const struct follow_page *page)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = 0; i < page->count; i++) {
        yyjson_mut_arr_append(list, api_account(c, &page->rows[i].user));
    }
    if (page->count) {
        api_link(c, page->older_us, page->rows[0].since_us);
    } else {
        api_link_empty(c, page->older_us, 0);
    }
    api_answer(c, list);
}
