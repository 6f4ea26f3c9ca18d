/* directory.c - people for those who do not look for anybody: suggestions to whoever is signed in, and the directory, for all.
 * Connection threads.
 *
 * Both are made of bounded lists (the newest people, the newest public posts), so they cost the same on a site of any size. Behind
 * these the directory goes on with everybody else, in an order of no meaning (everyone.h): to order all people by what they did last
 * would cost each post a write for it.
 */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/id.h"
#include "social/people/everyone.h"
#include "social/people/people.h"
#include "social/people/visit_apart.h"
#include "social/timelines/suggested.h"

#define STANDARD 40
#define MOST 80
#define OFFSET_MOST 1000000000 /* no site has so many people */
#define REST_OF(offset) ((offset) > LISTED_MOST ? (offset)-LISTED_MOST : 0)
#define LISTED_MOST (ACTIVE_LOOK > USER_LATEST_SIZE ? ACTIVE_LOOK : USER_LATEST_SIZE)

/* --- suggestions --------------------------------------------------------------------------------------------------- */

/* In Mastodon's words: why somebody is suggested. */
static yyjson_mut_val *suggestion(struct api *c, const struct user *u)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, o, "source", "global");
    yyjson_mut_arr_add_str(doc, yyjson_mut_obj_add_arr(doc, o, "sources"), "most_interactions");
    yyjson_mut_obj_add_val(doc, o, "account", api_account(c, u));
    return o;
}

static void answer_suggestions(struct http_request *req, struct http_response *resp, bool has_reasons)
{
    struct api c;
    unsigned limit;
    const struct user *people[MOST];
    api_begin(&c, req, resp);
    if (!api_limit(&c, STANDARD, MOST, &limit)) {
        return;
    }
    const struct suggested *s = suggested_ask(c.visit);
    if (!api_read(&c)) {
        return;
    }
    size_t count = suggested_people(c.visit, s, people, limit);
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_arr_append(list, has_reasons ? suggestion(&c, people[i]) : api_account(&c, people[i]));
    }
    api_answer(&c, list);
}

static void api_suggestions(struct http_request *req, struct http_response *resp)
{
    answer_suggestions(req, resp, false);
}

static void api_suggestions_v2(struct http_request *req, struct http_response *resp)
{
    answer_suggestions(req, resp, true);
}

static void api_suggestion_dismiss(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct problems problems = {.count = 0};
    struct people found;
    uint64_t id = id_parse(http_variable(req, "account_id"));
    api_begin(&c, req, resp);
    people_ask(c.visit, &id, 1, &found);
    if (!api_read(&c)) {
        return;
    }
    const struct actor by = api_actor(&c);
    enum err e = found.users[0].id ? suggested_dismiss(c.site->social, c.arena, &by, id, &problems) : ERR_NOT_FOUND;
    if (e == ERR_OK) {
        api_answer_empty(&c);
    } else {
        api_refuse(&c, e, &problems);
    }
}

/* --- the directory ------------------------------------------------------------------------------------------------- */

static bool is_among_listed(const struct user *const *people, size_t count, uint64_t id)
{
    for (size_t i = 0; i < count; i++) {
        if (people[i]->id == id) {
            return true;
        }
    }
    return false;
}

/* So many from a place on: of those who are listed first, and behind them of everybody else. The places of those who are not shown, or
 * are among the first, stay empty. `rest` is everybody from REST_OF(offset) on. */
static void answer_listed(struct api *c, const struct user *const *people, size_t count, const struct people *rest,
                          size_t offset, size_t limit)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = offset; i < count && i < offset + limit; i++) {
        yyjson_mut_arr_append(list, api_account(c, people[i]));
    }
    size_t from = offset > count ? offset - count : 0, end = offset + limit > count ? offset + limit - count : 0;
    for (size_t i = from; i < end && i - REST_OF(offset) < rest->count; i++) {
        const struct user *u = &rest->users[i - REST_OF(offset)];
        if (suggested_may_show(c->visit, u) && !is_among_listed(people, count, u->id)) {
            yyjson_mut_arr_append(list, api_account(c, u));
        }
    }
    api_answer(c, list);
}

static size_t newest_listed(struct api *c, const struct people *newest, const struct user **out)
{
    size_t n = 0;
    for (size_t i = 0; i < newest->count && n < LISTED_MOST; i++) {
        if (suggested_may_show(c->visit, &newest->users[i])) {
            out[n++] = &newest->users[i];
        }
    }
    return n;
}

static void api_directory(struct http_request *req, struct http_response *resp)
{
    struct api c;
    unsigned limit;
    const struct user *people[LISTED_MOST];
    api_begin(&c, req, resp);
    const char *order = api_text(&c, "order");
    int64_t offset = api_number(&c, "offset", 0);
    if (offset < 0) {
        api_http_error(req, resp, 400, "offset must not be negative");
        return;
    }
    if (!api_limit(&c, STANDARD, MOST, &limit)) {
        return;
    }
    bool by_age = order && strcmp(order, "new") == 0;
    size_t from = offset > OFFSET_MOST ? OFFSET_MOST : (size_t)offset;
    visit_want_apart(c.visit);
    const struct people *newest = by_age ? newest_people_ask(c.visit, USER_LATEST_SIZE) : NULL;
    const struct timeline_page *posts = by_age ? NULL : active_ask(c.visit);
    const struct people *rest = everyone_ask(c.visit, REST_OF(from), from - REST_OF(from) + limit);
    if (api_read(&c)) {
        size_t count = by_age ? newest_listed(&c, newest, people) : active_people(c.visit, posts, people, LISTED_MOST);
        answer_listed(&c, people, count, rest, from, limit);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter dismissed[] = {
    {"account_id", HTTP_ID, 0, 0, true, "id of the account"},
    {0},
};

/* clang-format off */
const struct http_route api_routes_directory[] = {
    {HTTP_GET, "/api/v1/suggestions", api_suggestions, WHO_MEMBER, .scopes = "read:accounts",
     .answer = "[Account]", .forgiven = "limit", .help = "people whom one might like to follow"},
    {HTTP_GET, "/api/v2/suggestions", api_suggestions_v2, WHO_MEMBER, .scopes = "read:accounts",
     .answer = "[Suggestion]", .forgiven = "limit", .help = "the same, and why"},
    {HTTP_DELETE, "/api/v1/suggestions/:account_id", api_suggestion_dismiss, WHO_MEMBER, {dismissed},
     .scopes = "write:accounts", .bodies = API_BODIES, .answer = "Empty", .help = "does not suggest this one again"},
    {HTTP_GET, "/api/v1/directory", api_directory, WHO_ANYONE,
     .answer = "[Account]", .forgiven = "limit offset order local",
     .help = "people who want to be found: order=active, who wrote last, or new, who came last"},
    {0},
};
/* clang-format on */
