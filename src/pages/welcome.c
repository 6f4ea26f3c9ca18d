/* welcome.c - the page for whoever is new: people who write, to be followed several at once, and what they write about.
 * Connection threads.
 */
#include <string.h>

#include "base/arena.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "social/posts/tags.h"
#include "social/timelines/suggested.h"

#define PEOPLE_MOST 12
#define TAGS_MOST 10

static void put_suggested(struct page *p, const struct suggested *suggested)
{
    const struct user *people[PEOPLE_MOST];
    size_t count = suggested_people(p->visit, suggested, people, PEOPLE_MOST);
    yyjson_mut_val *list = page_list(p, "accounts");
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_arr_append(list, decoration_account_row(&p->entity, people[i], NULL));
    }
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "has_accounts", count > 0);
}

/* The tags of these posts, the newest first. */
static void put_tags(struct page *p, const struct timeline_page *newest)
{
    const char *seen = "", *tag;
    size_t count = 0;
    yyjson_mut_val *list = page_list(p, "tags");
    for (size_t i = 0; i < newest->count; i++) {
        const struct post *post = &newest->posts[i];
        const char *rest = tags_of(p->arena, post->text, strlen(post->text));
        while (count < TAGS_MOST && (tag = tags_next(p->arena, &rest))) {
            if (!tags_have(seen, tag)) {
                seen = *seen ? arena_printf(p->arena, "%s,%s", seen, tag) : tag;
                count++;
                yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
                page_put(p, one, "name", tag, "href", arena_printf(p->arena, "/tags/%s", page_encoded(p, tag)), NULL);
            }
        }
    }
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "has_tags", count > 0);
}

static void page_welcome(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct suggested *suggested = suggested_ask(p.visit);
    if (!page_read(&p)) {
        return;
    }
    page_title(&p, "title_welcome", NULL, NULL);
    page_is(&p, "is_welcome");
    put_suggested(&p, suggested);
    put_tags(&p, suggested->newest);
    page_render(&p, "welcome");
}

/* clang-format off */
const struct http_route routes_welcome[] = {
    {HTTP_GET, "/welcome", page_welcome, WHO_MEMBER,
     .help = "people to follow, several at once, for whoever is new"},
    {0},
};
/* clang-format on */
