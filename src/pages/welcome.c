/* welcome.c - the page for whoever is new: people who write, to be followed several at once, and what they write about.
 * Connection threads.
 *
 * It is made of the newest public posts, so nobody is suggested who has written nothing, and nothing is counted for it. */
#include <string.h>

#include "base/arena.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "social/people/visit_apart.h"
#include "social/posts/tags.h"

#define LOOK 60 /* at so many of the newest posts */
#define PEOPLE_MOST 12
#define TAGS_MOST 10

static bool is_among(const struct user *const *people, size_t count, uint64_t id)
{
    for (size_t i = 0; i < count; i++) {
        if (people[i]->id == id) {
            return true;
        }
    }
    return false;
}

/* Whether the visitor could follow him and has not tried. */
static bool may_be_suggested(struct page *p, uint64_t id)
{
    return id != p->viewer.id && !visit_follows(p->visit, id) && !visit_asked(p->visit, id) &&
           !visit_apart(p->visit, id);
}

static void put_suggested(struct page *p, const struct timeline_page *newest)
{
    const struct user *people[PEOPLE_MOST];
    size_t count = 0;
    yyjson_mut_val *list = page_list(p, "accounts");
    for (size_t i = 0; i < newest->count && count < PEOPLE_MOST; i++) {
        const struct user *u = &newest->posts[i].author;
        if (may_be_suggested(p, u->id) && !is_among(people, count, u->id)) {
            people[count++] = u;
            yyjson_mut_arr_append(list, decoration_account_row(&p->entity, u, NULL));
        }
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
    visit_want_following(p.visit);
    visit_want_apart(p.visit);
    const struct timeline_query q = {.limit = LOOK};
    const struct timeline_page *newest = timeline_public_ask(p.visit, &q);
    if (!page_read(&p)) {
        return;
    }
    page_title(&p, "title_welcome", NULL, NULL);
    page_is(&p, "is_welcome");
    put_suggested(&p, newest);
    put_tags(&p, newest);
    page_render(&p, "welcome");
}

/* clang-format off */
const struct http_route routes_welcome[] = {
    {HTTP_GET, "/welcome", page_welcome, WHO_MEMBER,
     .help = "people to follow, several at once, for whoever is new"},
    {0},
};
/* clang-format on */
