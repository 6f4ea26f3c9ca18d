/* posts.c - one post with its answers; writing and taking back. Connection threads. */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/id.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/posts/post.h"
#include "social/timelines/fanout.h"
#include "social/posts/publish.h"

struct thread {
    struct post post, parent;
    struct timeline_page replies;
};

/* Loads a post, what it answers, and its answers: two round trips. False: an error was answered. */
static bool load_thread(struct page *p, uint64_t id, struct thread *out)
{
    struct visit *v = p->visit;
    struct timeline_query q = page_query(p);
    struct post_load load = {.id = id}, parent = {0};
    struct store_batch *first = v->batch;
    post_load_add(p->site->social, first, p->arena, &load, 1);
    struct timeline_read *replies = timeline_replies_add(v, id, &q);
    if (!page_run(p)) {
        return false;
    }
    post_load_take(p->site->social, first, p->arena, &load, 1);
    enum err e = load.post.id ? timeline_next(v, replies) : ERR_NOT_FOUND;
    struct store_batch *second = v->batch;
    bool again = load.cached; /* before the change log was known: it may have left the cache since */
    if (e == ERR_OK && again) {
        post_load_add(p->site->social, second, p->arena, &load, 1);
    }
    if (e == ERR_OK && load.post.reply_to) {
        parent.id = load.post.reply_to;
        post_load_add(p->site->social, second, p->arena, &parent, 1);
    }
    if (e == ERR_OK && !page_run_again(p)) {
        return false;
    }
    e = e == ERR_OK ? timeline_take(v, replies, &out->replies) : e;
    if (e == ERR_OK && again) {
        post_load_take(p->site->social, second, p->arena, &load, 1);
        e = load.post.id ? ERR_OK : ERR_NOT_FOUND;
    }
    if (e != ERR_OK) {
        page_error(p, e);
        return false;
    }
    if (parent.id) {
        post_load_take(p->site->social, second, p->arena, &parent, 1);
    }
    out->post = load.post;
    out->parent = parent.post;
    return true;
}

/* A conversation reads from its beginning downwards. */
static void oldest_first(struct timeline_page *t)
{
    for (size_t i = 0; i < t->count / 2; i++) {
        struct post swap = t->posts[i];
        t->posts[i] = t->posts[t->count - 1 - i];
        t->posts[t->count - 1 - i] = swap;
    }
}

static void put_replies(struct page *p, const struct thread *t, const char *base)
{
    struct timeline_page page = t->replies;
    oldest_first(&page);
    yyjson_mut_val *list = page_list(p, "replies");
    for (size_t i = 0; i < page.count; i++) {
        yyjson_mut_arr_append(list, entity_status(&p->entity, &page.posts[i]));
    }
    /* downwards lies what is newer, so the page's two directions are exchanged */
    if (page.has_newer) {
        char digits[ID_SIZE];
        page_set(p, "older_url",
                 arena_printf(p->arena, "%s?min_id=%s", base, id_write(page.posts[page.count - 1].id, digits)));
    }
    if (page.has_older) {
        char digits[ID_SIZE];
        page_set(p, "newer_url", arena_printf(p->arena, "%s?max_id=%s", base, id_write(page.posts[0].id, digits)));
    }
}

/* The page of a post but for its template; `text` is what stands in the box. */
static void put_post(struct page *p, const struct thread *t, const char *text)
{
    yyjson_mut_val *status = entity_status(&p->entity, &t->post);
    const char *base = yyjson_mut_get_str(yyjson_mut_obj_get(status, "href"));
    page_title(p, "title_post", "name", t->post.author.display[0] ? t->post.author.display : t->post.author.name);
    page_is(p, "is_post");
    yyjson_mut_obj_add_bool(p->entity.doc, status, "is_main", true);
    page_set_object(p, "post", status);
    if (t->parent.id) {
        page_set_object(p, "parent", entity_status(&p->entity, &t->parent));
    }
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "parent_gone", t->post.reply_to && !t->parent.id);
    put_replies(p, t, base);
    page_compose(p, text, id_text(p->arena, t->post.id), base);
    page_path(p, base);
}

static void page_post(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct thread t;
    if (!load_thread(&p, id_parse(http_variable(req, "id")), &t)) {
        return;
    }
    if (strcasecmp(t.post.author.name, http_variable(req, "name")) != 0) {
        page_error(&p, ERR_NOT_FOUND);
        return;
    }
    bool own = t.post.author.id == p.visit->viewer.id;
    put_post(&p, &t, own ? "" : arena_printf(p.arena, "@%s ", t.post.author.name));
    page_render(&p, "post");
}

/* --- changes ------------------------------------------------------------------------------------------------------- */

/* The page of the post that was answered, with the text as it was sent. */
static bool fill_answered(struct page *p, const char *subject)
{
    (void)subject;
    struct thread t;
    if (!load_thread(p, id_parse(page_field(p, "in_reply_to_id")), &t)) {
        return false;
    }
    put_post(p, &t, page_field(p, "status"));
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

/* The engine could not say who writes: his text is not lost. */
static void post_unverified(struct http_request *req, struct http_response *resp, enum err e)
{
    struct page p;
    struct problems problems = {.count = 0};
    page_begin(&p, req, resp);
    page_refuse(&p, e, &problems, form_of(&problems, e, id_parse(page_field(&p, "in_reply_to_id"))));
}

static void page_post_create(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct post_draft draft = {.text = page_field(&p, "status"),
                               .reply_to = id_parse(page_field(&p, "in_reply_to_id")),
                               .request_key = page_field(&p, "idempotency_key")};
    uint64_t id;
    struct fanout_wave *wave;
    enum err e = post_create(p.site->social, p.arena, &by, &draft, &id, &wave, &problems);
    if (e == ERR_OK) {
        http_after(req, wait_for_wave, wave);
        page_redirect(&p, page_next(&p, "/home"), "flash_posted", NULL);
    } else {
        page_refuse(&p, e, &problems, form_of(&problems, e, draft.reply_to));
    }
}

static void page_post_delete(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    enum err e = post_delete(p.site->social, p.arena, &by, id_parse(http_variable(req, "id")), &problems);
    if (e == ERR_OK) {
        page_redirect(&p, page_next(&p, "/home"), "flash_deleted", NULL);
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter draft_fields[] = {
    {"status", HTTP_TEXT, 0, PARAMETER_TEXT_MAX, false, "text of the post"},
    {"idempotency_key", HTTP_TEXT, 0, 64, false, "the same again: no second post"},
    {"in_reply_to_id", HTTP_ID, 0, 0, false, "the post that is answered"},
    {0},
};

/* clang-format off */
const struct http_route routes_posts[] = {
    {HTTP_POST, "/posts", page_post_create, WHO_MEMBER, {draft_fields, parameter_next},
     .unverified = post_unverified, .help = "writes a post"},
    {HTTP_POST, "/posts/:id/delete", page_post_delete, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "takes a post back"},
    {HTTP_GET, "/@:name/:id", page_post, WHO_ANYONE, {parameter_name, parameter_post, parameter_cursors},
     .help = "a post with its answers"},
    {0},
};
/* clang-format on */
