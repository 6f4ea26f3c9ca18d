/* reactions.c - what people do with posts: the buttons under them, who has favourited or boosted one, and what the visitor has
 * favourited or put aside. Connection threads. */
#include <stdbool.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/posts/boost.h"
#include "social/posts/quiet.h"
#include "social/posts/react.h"
#include "social/timelines/fanout.h"
#include "social/timelines/reacted.h"

/* --- buttons -------------------------------------------------------------------------------------------------------
 * */

typedef enum err reaction(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                          struct problems *p);

/* What was done shows on the button itself, so nothing is said. */
static void reaction_change(struct http_request *req, struct http_response *resp, reaction *react, bool on)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    enum err e = react(p.site->social, p.arena, &by, id_parse(http_variable(req, "id")), on, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, page_next(&p, "/home"), NULL, NULL);
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

static void page_favourite(struct http_request *req, struct http_response *resp)
{
    reaction_change(req, resp, post_favourite, true);
}

static void page_unfavourite(struct http_request *req, struct http_response *resp)
{
    reaction_change(req, resp, post_favourite, false);
}

static void page_bookmark(struct http_request *req, struct http_response *resp)
{
    reaction_change(req, resp, post_bookmark, true);
}

static void page_mute_thread(struct http_request *req, struct http_response *resp)
{
    reaction_change(req, resp, post_mute, true);
}

static void page_unmute_thread(struct http_request *req, struct http_response *resp)
{
    reaction_change(req, resp, post_mute, false);
}

static void page_unbookmark(struct http_request *req, struct http_response *resp)
{
    reaction_change(req, resp, post_bookmark, false);
}

static void wait_for_boost(void *wave)
{
    fanout_wait(wave);
}

static void boost_change(struct http_request *req, struct http_response *resp, bool on)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct fanout_wave *wave;
    enum err e = post_boost(p.site->social, p.arena, &by, id_parse(http_variable(req, "id")), on, &wave, &problems);
    if (e == ERR_OK) {
        http_after(req, wait_for_boost, wave);
        page_redirect(&p, page_next(&p, "/home"), NULL, NULL);
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

static void page_boost(struct http_request *req, struct http_response *resp)
{
    boost_change(req, resp, true);
}

static void page_unboost(struct http_request *req, struct http_response *resp)
{
    boost_change(req, resp, false);
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
    {HTTP_POST, "/posts/:id/favourite", page_favourite, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "favourites a post"},
    {HTTP_POST, "/posts/:id/unfavourite", page_unfavourite, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "takes a favourite back"},
    {HTTP_POST, "/posts/:id/bookmark", page_bookmark, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "puts a post aside"},
    {HTTP_POST, "/posts/:id/unbookmark", page_unbookmark, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "takes a bookmark away"},
    {HTTP_POST, "/posts/:id/boost", page_boost, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "boosts a post"},
    {HTTP_POST, "/posts/:id/unboost", page_unboost, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "takes a boost back"},
    {HTTP_POST, "/posts/:id/pin", page_pin, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "shows a post of one's own on top of the profile"},
    {HTTP_POST, "/posts/:id/unpin", page_unpin, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "does so no more"},
    {HTTP_GET, "/posts/:id/boosts", page_boosted_by, WHO_ANYONE, {parameter_post, parameter_time_cursors},
     .help = "who has boosted a post"},
    {HTTP_POST, "/posts/:id/mute", page_mute_thread, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "mutes the conversation of a post: no notices of it"},
    {HTTP_POST, "/posts/:id/unmute", page_unmute_thread, WHO_MEMBER, {parameter_post, parameter_next},
     .help = "mutes it no more"},
    {HTTP_GET, "/posts/:id/favourites", page_favourited_by, WHO_ANYONE, {parameter_post, parameter_time_cursors},
     .help = "who has favourited a post"},
    {HTTP_GET, "/favourites", page_favourites, WHO_MEMBER, {parameter_time_cursors},
     .help = "what the visitor has favourited"},
    {HTTP_GET, "/bookmarks", page_bookmarks, WHO_MEMBER, {parameter_time_cursors},
     .help = "what the visitor has put aside"},
    {0},
};
/* clang-format on */
