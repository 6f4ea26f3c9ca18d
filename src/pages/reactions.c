/* reactions.c - what people do with posts: the buttons under them, who has favourited or boosted one, and what the visitor has
 * favourited or put aside. Connection threads. */
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/posts/boost.h"
#include "social/posts/post_act.h"
#include "social/posts/react.h"
#include "social/timelines/fanout.h"
#include "social/timelines/reacted.h"

/* --- buttons -------------------------------------------------------------------------------------------------------
 * */

static void wait_for_boost(void *wave)
{
    fanout_wait(wave);
}

/* A boost goes to the followers; the rest is as with the others. */
static enum err boost_change(struct page *p, const struct actor *by, uint64_t post, bool on, struct problems *problems)
{
    struct fanout_wave *wave;
    enum err e = post_boost(p->site->social, p->arena, by, post, on, &wave, problems);
    if (e == ERR_OK) {
        http_after(p->req, wait_for_boost, wave);
    }
    return e;
}

/* What the button of that name does: it boosts, or takes the boost back, or is in the table of acts. */
static enum err act_do(struct page *p, const char *name, uint64_t post, struct problems *problems)
{
    const struct actor by = page_actor(p);
    const struct post_act *act = post_act_of(name);
    return act ? act->act(p->site->social, p->arena, &by, post, act->on, problems)
               : boost_change(p, &by, post, strcmp(name, "boost") == 0, problems);
}

/* What was done shows on the button itself, so nothing is said. */
static void act_answer(struct page *p, const char *name, uint64_t post, const char *next)
{
    struct problems problems = {.count = 0};
    enum err e = act_do(p, name, post, &problems);
    if (e == ERR_OK) {
        page_redirect(p, next, NULL, NULL);
    } else {
        page_refuse(p, e, &problems, NULL);
    }
}

/* One act on the post of the path; its name is the path's end. */
static void page_act(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    act_answer(&p, strrchr(req->path, '/') + 1, id_parse(http_variable(req, "id")), page_next(&p, "/home"));
}

/* The buttons of that form. */
static const struct http_parameter react_fields[] = {
    {"boost", HTTP_TEXT, 0, 60, false, "id of a post to boost"},
    {"unboost", HTTP_TEXT, 0, 60, false, "id of a post whose boost is taken back"},
    {"favourite", HTTP_TEXT, 0, 60, false, "id of a post to favourite"},
    {"unfavourite", HTTP_TEXT, 0, 60, false, "id of a post whose favourite is taken back"},
    {"bookmark", HTTP_TEXT, 0, 60, false, "id of a post to put aside"},
    {"unbookmark", HTTP_TEXT, 0, 60, false, "id of a post whose bookmark is taken away"},
    {0},
};

/* The one form around all posts of a page: the name of the button says what to do, its value to which post, and behind a
 * colon under what name that stands on the page. The way leads back to where it stands. */
static void page_react(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    for (const struct http_parameter *button = react_fields; button->name; button++) {
        const char *value = page_field(&p, button->name);
        if (*value) {
            const char *at = strchr(value, ':');
            const char *id = at ? arena_dup_n(p.arena, value, (size_t)(at - value)) : value;
            const char *next = page_next(&p, "/home");
            act_answer(&p, button->name, id_parse(id),
                       http_safe_next(arena_printf(p.arena, "%s#post-%s", next, at ? at + 1 : id), next));
            return;
        }
    }
    page_error(&p, ERR_NOT_FOUND);
}

/* What a pin changes may stand elsewhere on the page, or on another. */
static void pin_change(struct http_request *req, struct http_response *resp, bool on)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    enum err e = post_pin(p.site->social, p.arena, &by, id_parse(http_variable(req, "id")), on, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, page_next(&p, "/home"), on ? "flash_pinned" : "flash_unpinned", NULL);
    } else if (e == ERR_CONFLICT) {
        page_redirect(&p, page_next(&p, "/home"), "flash_pin_limit", TEXT_OF(POST_PINS_MAX));
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

static void page_pin(struct http_request *req, struct http_response *resp)
{
    pin_change(req, resp, true);
}

static void page_unpin(struct http_request *req, struct http_response *resp)
{
    pin_change(req, resp, false);
}

/* --- the visitor's own ---------------------------------------------------------------------------------------------
 * */

typedef const struct reacted *reacted_of(struct visit *v, const struct follow_query *q);

static void page_reacted(struct http_request *req, struct http_response *resp, reacted_of *ask, const char *title,
                         const char *place)
{
    struct page p;
    page_begin(&p, req, resp);
    struct follow_query q = page_time_query(&p);
    const struct reacted *r = ask(p.visit, &q);
    if (!page_read(&p)) {
        return;
    }
    page_title(&p, title, NULL, NULL);
    page_is(&p, place);
    page_statuses(&p, "statuses", &r->page);
    page_time_paging(&p, req->path, r->older_us, r->newer_us);
    page_render(&p, "reacted");
}

static void page_favourites(struct http_request *req, struct http_response *resp)
{
    page_reacted(req, resp, favourited_ask, "title_favourites", "is_favourites");
}

static void page_bookmarks(struct http_request *req, struct http_response *resp)
{
    page_reacted(req, resp, bookmarked_ask, "title_bookmarks", "is_bookmarks");
}

/* --- who -----------------------------------------------------------------------------------------------------------
 * */

typedef const struct reacted_people *people_of(struct visit *v, uint64_t post, const struct follow_query *q);

static void page_reacted_by(struct http_request *req, struct http_response *resp, people_of *ask, const char *title,
                            const char *place)
{
    struct page p;
    page_begin(&p, req, resp);
    struct follow_query q = page_time_query(&p);
    const struct reacted_people *r = ask(p.visit, id_parse(http_variable(req, "id")), &q);
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *accounts = page_list(&p, "accounts");
    for (size_t i = 0; i < r->page.count; i++) {
        const struct user *u = &r->page.rows[i].user;
        const struct entity_relation relation = {.following = visit_follows(p.visit, u->id),
                                                 .requested = visit_asked(p.visit, u->id)};
        yyjson_mut_arr_append(accounts, decoration_account_row(&p.entity, u, &relation));
    }
    page_title(&p, title, NULL, NULL);
    page_is(&p, place);
    page_set_object(&p, "post", decoration_status(&p.entity, &r->post));
    page_time_paging(&p, req->path, r->page.older_us, r->page.newer_us);
    page_render(&p, "reacted_people");
}

static void page_favourited_by(struct http_request *req, struct http_response *resp)
{
    page_reacted_by(req, resp, favourites_ask, "title_favourited_by", "is_favourited_by");
}

static void page_boosted_by(struct http_request *req, struct http_response *resp)
{
    page_reacted_by(req, resp, boosts_ask, "title_boosted_by", "is_boosted_by");
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

/* clang-format off */
const struct http_route routes_reactions[] = {
    {HTTP_POST, "/posts/react", page_react, WHO_MEMBER, {react_fields, parameter_next},
     .help = "does what the button of that name does to the post whose id is its value"},
    {HTTP_POST, "/posts/:id/favourite", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "favourites a post"},
    {HTTP_POST, "/posts/:id/unfavourite", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "takes a favourite back"},
    {HTTP_POST, "/posts/:id/bookmark", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "puts a post aside"},
    {HTTP_POST, "/posts/:id/unbookmark", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "takes a bookmark away"},
    {HTTP_POST, "/posts/:id/boost", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "boosts a post"},
    {HTTP_POST, "/posts/:id/unboost", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "takes a boost back"},
    {HTTP_POST, "/posts/:id/pin", page_pin, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "shows a post of one's own on top of the profile"},
    {HTTP_POST, "/posts/:id/unpin", page_unpin, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "does so no more"},
    {HTTP_GET, "/posts/:id/boosts", page_boosted_by, WHO_ANYONE, {parameter_post, parameter_time_cursors},
     .help = "who has boosted a post"},
    {HTTP_POST, "/posts/:id/mute", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "mutes the conversation of a post: no notices of it"},
    {HTTP_POST, "/posts/:id/unmute", page_act, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "mutes it no more"},
    {HTTP_GET, "/posts/:id/favourites", page_favourited_by, WHO_ANYONE, {parameter_post, parameter_time_cursors},
     .help = "who has favourited a post"},
    {HTTP_GET, "/favourites", page_favourites, WHO_MEMBER, {parameter_time_cursors},
     .flags = HTTP_RECALLED, .help = "what the visitor has favourited"},
    {HTTP_GET, "/bookmarks", page_bookmarks, WHO_MEMBER, {parameter_time_cursors},
     .flags = HTTP_RECALLED, .help = "what the visitor has put aside"},
    {0},
};
/* clang-format on */
