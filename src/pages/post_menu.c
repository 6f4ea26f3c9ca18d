/* post_menu.c - what else one can do with a post: its link, and for its author changing, pinning and deleting it. Scripts show
 * the list over the page that one is on. Connection threads. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "pages/post_menu.h"
#include "social/posts/post_read.h"
#include "view/decoration.h"

/* The page of ours from which the visitor came, to lead him back there; else the post. */
static const char *came_from(const struct page *p, const char *post)
{
    const char *referer = http_header_in(p->req, "referer");
    size_t origin = strlen(p->req->origin);
    if (!referer || strncmp(referer, p->req->origin, origin) != 0 || strstr(referer, "/menu")) {
        return post;
    }
    return http_safe_next(referer + origin, post);
}

void post_menu_put(struct page *p, const struct post *post, const char *back)
{
    bool is_there = strstr(back, id_text(p->arena, post->id)) != NULL; /* its own page goes with it */
    page_put(p, page_object(p, "menu"), "next", back, "after",
             is_there ? arena_printf(p->arena, "/@%s", post->author.name) : back, NULL);
}

static void page_post_menu(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct post_load l = {.id = id_parse(http_variable(req, "id"))};
    post_ask(p.visit, &l, 1, SEE_POST);
    if (!page_read(&p)) {
        return;
    }
    if (!l.post.id || l.post.boost) {
        page_error(&p, ERR_NOT_FOUND);
        return;
    }
    yyjson_mut_val *status = decoration_status(&p.entity, &l.post);
    const char *href = decoration_post_path(p.arena, &l.post);
    decoration_status_counts(&p.entity, status, &l.post);
    page_title(&p, "title_post", "name", decoration_shown(&l.post.author));
    page_is(&p, "is_post_menu");
    page_set_object(&p, "post", status);
    post_menu_put(&p, &l.post, came_from(&p, href));
    page_render(&p, "post_menu");
}

/* clang-format off */
const struct http_route routes_post_menu[] = {
    {HTTP_GET, "/posts/:id/menu", page_post_menu, WHO_ANYONE, {parameter_post},
     .help = "what else one can do with a post"},
    {0},
};
/* clang-format on */
