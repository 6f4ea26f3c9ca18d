/* posts.c - one post with its answers; writing and taking back. Connection threads. */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/id.h"
#include "pages/act.h"
#include "pages/beside.h"
#include "pages/compose.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "pages/post_menu.h"
#include "social/notices/talk.h"
#include "social/posts/post_read.h"
#include "social/timelines/fanout.h"
#include "social/posts/publish.h"
#include "social/timelines/conversation.h"
#include "view/locale.h"

#define DEPTHS_SHOWN 6 /* replies below that are indented no further */

static const struct conversation *ask_conversation(struct page *p, uint64_t id)
{
    struct timeline_query q = page_query(p);
    visit_want_following(p->visit); /* for the buttons beside the people */
    return conversation_ask(p->visit, id, &q);
}

static void put_replies(struct page *p, const struct conversation *c, const char *base)
{
    yyjson_mut_val *list = page_list(p, "replies");
    for (size_t i = 0; i < c->reply_count; i++) {
        yyjson_mut_val *reply = decoration_status(&p->entity, &c->replies[i]);
        unsigned depth = c->depths[i] < DEPTHS_SHOWN ? c->depths[i] : DEPTHS_SHOWN;
        yyjson_mut_obj_add_str(p->entity.doc, reply, "depth", arena_printf(p->arena, "depth-%u", depth));
        yyjson_mut_arr_append(list, reply);
    }
    /* a conversation reads downwards, so the page's two directions are exchanged */
    char digits[ID_SIZE];
    if (c->has_more && c->reply_count) {
        const char *last = id_write(c->replies[c->reply_count - 1].id, digits);
        page_set(p, "older_url", arena_printf(p->arena, "%s?min_id=%s", base, last));
    }
    if (c->has_earlier && c->reply_count) {
        page_set(p, "newer_url", arena_printf(p->arena, "%s?max_id=%s", base, id_write(c->replies[0].id, digits)));
    }
}

/* What stands above the post, and how many people take part. */
static void put_ancestors(struct page *p, const struct conversation *c)
{
    yyjson_mut_val *list = page_list(p, "ancestors");
    for (size_t i = 0; i < c->ancestor_count; i++) {
        yyjson_mut_arr_append(list, decoration_status(&p->entity, &c->ancestors[i]));
    }
    if (c->is_cut && c->ancestor_count) {
        page_set(p, "earlier_url", decoration_post_path(p->arena, &c->ancestors[0]));
    }
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "parent_gone", c->parent_gone);
    if (c->people > 1) {
        page_set(p, "people_label", locale_plural(p->arena, p->entity.locale, "count_thread_people", c->people, NULL));
    }
}

/* The page of a post but for its template; `text` is what stands in the box. */
static void put_post(struct page *p, const struct conversation *c, const char *text)
{
    yyjson_mut_val *status = decoration_status(&p->entity, &c->post);
    const char *base = decoration_post_path(p->arena, &c->post);
    page_title(p, "title_post", "name", c->post.author.display[0] ? c->post.author.display : c->post.author.name);
    page_is(p, "is_post");
    decoration_status_counts(&p->entity, status, &c->post);
    yyjson_mut_obj_add_bool(p->entity.doc, status, "is_main", true);
    page_set_object(p, "post", status);
    post_menu_put(p, &c->post, base);
    put_ancestors(p, c);
    put_replies(p, c, base);
    beside_conversation(p, c);
    if (post_is_for_all(&c->post)) {
        page_share(p, decoration_shown(&c->post.author), decoration_excerpt(p->arena, &c->post), base);
    }
    compose_put(p, text, &c->post, base);
    page_path(p, base);
}

static void page_post(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    uint64_t id = id_parse(http_variable(req, "id"));
    const struct conversation *c = ask_conversation(&p, id);
    const struct talk_seeing *seeing = talk_seen_ask(p.visit, id);
    if (!page_read(&p)) {
        return;
    }
    if (strcasecmp(c->post.author.name, http_variable(req, "name")) != 0) {
        page_error(&p, ERR_NOT_FOUND);
        return;
    }
    if (c->post.boosted) { /* a boost has no page */
        page_redirect(&p, decoration_post_path(p.arena, c->post.boosted), NULL, NULL);
        return;
    }
    talk_seen(p.visit, seeing);
    bool own = c->post.author.id == p.viewer.id;
    put_post(&p, c, own ? "" : arena_printf(p.arena, "@%s ", c->post.author.name));
    page_render(&p, "post");
}

/* The box alone. */
static void page_compose(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const char *next = http_safe_next(http_query(req, "next"), "/home");
    if (!page_read(&p)) {
        return;
    }
    page_title(&p, "title_compose", NULL, NULL);
    page_is(&p, "is_compose");
    compose_put(&p, "", NULL, next);
    page_render(&p, "compose_page");
}

/* --- changes -------------------------------------------------------------------------------------------------------
 * */

/* The page of the post that was answered, with the text as it was sent. */
static bool fill_answered(struct page *p, const char *subject)
{
    (void)subject;
    const struct conversation *c = ask_conversation(p, id_parse(page_field(p, "in_reply_to_id")));
    if (!page_read(p)) {
        return false;
    }
    put_post(p, c, page_field(p, "status"));
    return true;
}

/* The form stands on the home page, or on that of the post which is answered, as long as that can be shown. */
static const struct page_retry *form_of(const struct problems *problems, enum err e, uint64_t reply_to)
{
    static const struct page_retry home = {.template = "home", .fill = page_fill_home};
    static const struct page_retry post = {.template = "post", .fill = fill_answered};
    bool is_gone = problems->count && strcmp(problems->items[0].rule, "post_reply_gone") == 0;
    return reply_to && !is_gone && err_info(e)->http_status != 503 ? &post : &home;
}

static void wait_for_wave(void *wave)
{
    fanout_wait(wave);
}

/* The engine could not say who writes: shows the form again, so that his text is not lost. */
static void post_unverified(struct http_request *req, struct http_response *resp, enum err e)
{
    struct page p;
    struct problems problems = {.count = 0};
    page_begin(&p, req, resp);
    page_refuse(&p, e, &problems, form_of(&problems, e, id_parse(page_field(&p, "in_reply_to_id"))));
}

/* Where to go after writing. A direct post stands on no timeline, so its author is led to it. */
static const char *written_at(const struct page *p, const struct post_draft *draft, uint64_t id)
{
    if (post_visibility_of(draft->visibility) == VISIBILITY_DIRECT) {
        return arena_printf(p->arena, "/@%s/%s", p->viewer.name, id_text(p->arena, id));
    }
    return page_next(p, "/home");
}

static void page_post_create(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    const struct post_draft draft = compose_draft(&p);
    uint64_t id;
    struct fanout_wave *wave;
    enum err e = post_create(p.site->social, p.arena, &by, &draft, &id, &wave, &problems);
    if (e == ERR_OK) {
        http_after(req, wait_for_wave, wave);
        page_redirect(&p, written_at(&p, &draft, id), "flash_posted", id_text(p.arena, id));
    } else {
        page_refuse(&p, e, &problems, form_of(&problems, e, draft.reply_to));
    }
}

/* The box with all that the post was, which is gone now. */
static void answer_redraft(struct page *p, const struct post *was)
{
    page_title(p, "title_compose", NULL, NULL);
    page_is(p, "is_compose");
    page_path(p, "/compose");
    compose_put_again(p, was, page_next(p, "/home"));
    page_render(p, "compose_page");
}

static void page_post_delete(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct post_load was = {.id = id_parse(http_variable(req, "id"))};
    bool redraft = *page_field(&p, "redraft");
    if (redraft) {
        post_ask(p.visit, &was, 1, SEE_POST);
        if (!page_read(&p)) {
            return;
        }
    }
    enum err e = post_delete(p.site->social, p.arena, &by, was.id, &problems);
    if (e == ERR_OK && redraft && was.post.author.id == p.viewer.id) {
        answer_redraft(&p, &was.post);
    } else if (e == ERR_OK) {
        page_redirect(&p, page_next(&p, "/home"), "flash_deleted", NULL);
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter redraft_fields[] = {
    {"redraft", HTTP_TEXT, 0, 10, false, "anything: the box opens with what the post was"},
    {0},
};

/* clang-format off */
const struct http_route routes_posts[] = {
    {HTTP_GET, "/compose", page_compose, WHO_MEMBER, {parameter_next},
     .help = "the box for a new post, alone"},
    {HTTP_POST, "/posts", page_post_create, WHO_MEMBER, {compose_fields, parameter_next},
     .unverified = post_unverified, .help = "writes a post"},
    {HTTP_POST, "/posts/:id/delete", page_post_delete, WHO_MEMBER, {parameter_post, redraft_fields, parameter_next},
     .help = "takes a post back"},
    {HTTP_GET, "/@:name/:id", page_post, WHO_ANYONE, {parameter_name, parameter_post, parameter_cursors},
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "a post with its answers"},
    {0},
};
/* clang-format on */
