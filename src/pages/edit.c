/* edit.c - changing the words of a post, and the page of what they were. Connection threads. */
#include "social/posts/edit.h"

#include "base/arena.h"
#include "base/id.h"
#include "pages/act.h"
#include "pages/compose.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/visit.h"
#include "social/posts/post_read.h"
#include "view/decoration.h"

/* Reads the post that the path names; false when the visitor has his answer. */
static bool read_own(struct page *p, struct post *out)
{
    struct post_load l = {.id = id_parse(http_variable(p->req, "id"))};
    post_ask(p->visit, &l, 1, SEE_POST);
    if (!page_read(p)) {
        return false;
    }
    *out = l.post;
    enum err e = !l.post.id || l.post.boost ? ERR_NOT_FOUND : l.post.author.id != p->viewer.id ? ERR_FORBIDDEN : ERR_OK;
    if (e != ERR_OK) {
        page_error(p, e);
    }
    return e == ERR_OK;
}

static void put_edit(struct page *p, const struct post *post, const char *text)
{
    page_title(p, "title_edit", NULL, NULL);
    page_is(p, "is_edit");
    page_path(p, arena_printf(p->arena, "/posts/%s/edit", id_text(p->arena, post->id)));
    compose_put_edit(p, text, post, decoration_post_path(p->arena, post));
}

static void page_edit_form(struct http_request *req, struct http_response *resp)
{
    struct page p;
    struct post post;
    page_begin(&p, req, resp);
    if (read_own(&p, &post)) {
        put_edit(&p, &post, post.text);
        page_render(&p, "compose_page");
    }
}

/* The form with the words as they were sent. */
static bool fill_edit(struct page *p, const char *subject)
{
    struct post post;
    (void)subject;
    if (!read_own(p, &post)) {
        return false;
    }
    put_edit(p, &post, page_field(p, "status"));
    return true;
}

static void page_edit(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry form = {.template = "compose_page", .fill = fill_edit};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct post_draft draft = compose_draft(&p);
    draft.visibility = NULL;
    draft.sensitive = DRAFT_SENSITIVE_UNSAID;
    uint64_t id = id_parse(http_variable(req, "id"));
    enum err e = post_edit(p.site->social, p.arena, &by, id, &draft, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, page_next(&p, "/home"), "flash_edited", NULL);
    } else {
        page_refuse(&p, e, &problems, e == ERR_FORBIDDEN ? NULL : &form);
    }
}

/* The versions as posts: the same post with other words. */
static void page_history(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct post_history *h = post_history_ask(p.visit, id_parse(http_variable(req, "id")));
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *list = page_list(&p, "versions");
    for (size_t i = 0; i <= h->count; i++) { /* the newest version is the post as it is */
        size_t at = h->count - i;
        struct post version = h->post;
        uint64_t since = h->post.edited_ms ? h->post.edited_ms : id_ms(h->post.id);
        if (at < h->count) {
            version.text = h->versions[at].text;
            version.spoiler = h->versions[at].spoiler;
            version.is_sensitive = h->versions[at].is_sensitive;
            version.mention_count = 0;
            since = h->versions[at].since_ms;
        }
        yyjson_mut_arr_append(list, decoration_version(&p.entity, &version, since));
    }
    page_title(&p, "title_history", NULL, NULL);
    page_is(&p, "is_history");
    page_set(&p, "post_url", decoration_post_path(p.arena, &h->post));
    page_render(&p, "post_history");
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route routes_edit[] = {
    {HTTP_GET, "/posts/:id/edit", page_edit_form, WHO_MEMBER, {parameter_post},
     .help = "form with the words of one's own post"},
    {HTTP_POST, "/posts/:id/edit", page_edit, WHO_MEMBER, {parameter_post, compose_fields, parameter_next},
     .help = "changes the words of a post; what they were is kept"},
    {HTTP_GET, "/posts/:id/history", page_history, WHO_ANYONE, {parameter_post},
     .help = "what a post was before it was edited"},
    {0},
};
/* clang-format on */
