/* lists.c - the caller's lists of people, and who is on them; their timelines are in timelines.c. Connection threads.
 *
 * Lists of others do not exist for the caller. Whom he does not follow he cannot put on one here, because apps say so to
 * people; the pages do not mind.
 */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/arena.h"
#include "base/id.h"
#include "social/people/people.h"
#include "social/timelines/list.h"

#define STANDARD 40
#define MOST 80

static void answer_lists(struct api *c, const struct lists *lists, bool has_only)
{
    yyjson_mut_val *all = yyjson_mut_arr(c->entity.doc);
    for (size_t i = 0; i < lists->count; i++) {
        if (!has_only || lists->items[i].has) {
            yyjson_mut_arr_append(all, entity_list(&c->entity, &lists->items[i]));
        }
    }
    api_answer(c, all);
}

static void api_lists(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct lists *lists = list_all_ask(c.visit, NULL);
    if (api_read(&c)) {
        answer_lists(&c, lists, false);
    }
}

/* On which of them somebody is. */
static void api_account_lists(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct user who = {.id = api_id(&c)};
    struct people people;
    const struct lists *lists = list_all_ask(c.visit, &who);
    people_ask(c.visit, &who.id, 1, &people);
    if (!api_read(&c)) {
        return;
    }
    if (people.users[0].id) {
        answer_lists(&c, lists, true);
    } else {
        api_error(&c, ERR_NOT_FOUND, NULL);
    }
}

/* The one of this id. NULL: an error was answered. */
static const struct list *find_list(struct api *c, uint64_t id)
{
    const struct lists *lists = list_all_ask(c->visit, NULL);
    if (!api_read(c)) {
        return NULL;
    }
    for (size_t i = 0; i < lists->count; i++) {
        if (lists->items[i].id == id) {
            return &lists->items[i];
        }
    }
    api_error(c, ERR_NOT_FOUND, NULL);
    return NULL;
}

/* As it is now, by a visit of its own: the first one was before the change. */
static void answer_list(struct api *was, uint64_t id)
{
    struct api c;
    api_begin(&c, was->req, was->resp);
    const struct list *list = find_list(&c, id);
    if (list) {
        api_answer(&c, entity_list(&c.entity, list));
    }
}

static void api_list_show(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct list *list = find_list(&c, api_id(&c));
    if (list) {
        api_answer(&c, entity_list(&c.entity, list));
    }
}

/* --- changes ------------------------------------------------------------------------------------------------------- */

/* Which answers it is to show; `was` where nothing is said. False: an error was answered. */
static bool read_replies(struct api *c, enum list_replies was, enum list_replies *out)
{
    const char *word = api_text(c, "replies_policy");
    *out = word && *word ? list_replies_of(word) : was;
    if (*out >= LIST_REPLIES_COUNT) {
        api_error(c, ERR_INVALID, "Validation failed: replies_policy is list, followed or none");
    }
    return *out < LIST_REPLIES_COUNT;
}

/* What the request says of it; what it does not say stays. */
static enum err set_list(struct api *c, const struct actor *by, const struct list *l, enum list_replies replies,
                         struct problems *p)
{
    bool is_exclusive = api_bool(c, "exclusive", l->is_exclusive);
    if (replies == l->replies && is_exclusive == l->is_exclusive) {
        return ERR_OK;
    }
    return list_set(c->site->social, c->arena, by, l->id, is_exclusive, replies, p);
}

static void api_list_create(struct http_request *req, struct http_response *resp)
{
    struct api c;
    enum list_replies replies;
    api_begin(&c, req, resp);
    if (!read_replies(&c, LIST_REPLIES_LIST, &replies)) {
        return;
    }
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct list made = {.replies = LIST_REPLIES_LIST};
    const char *title = api_text(&c, "title");
    enum err e = list_create(c.site->social, c.arena, &by, title ? title : "", &made.id, &problems);
    e = e == ERR_OK ? set_list(&c, &by, &made, replies, &problems) : e;
    if (e == ERR_OK) {
        answer_list(&c, made.id);
    } else {
        api_refuse(&c, e, &problems);
    }
}

static void api_list_change(struct http_request *req, struct http_response *resp)
{
    struct api c;
    enum list_replies replies;
    api_begin(&c, req, resp);
    const struct list *was = find_list(&c, api_id(&c));
    if (!was || !read_replies(&c, was->replies, &replies)) {
        return;
    }
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    const char *title = api_text(&c, "title");
    enum err e = ERR_OK;
    if (title && strcmp(title, was->title) != 0) {
        e = list_rename(c.site->social, c.arena, &by, was->id, title, &problems);
    }
    e = e == ERR_OK ? set_list(&c, &by, was, replies, &problems) : e;
    if (e == ERR_OK) {
        answer_list(&c, was->id);
    } else {
        api_refuse(&c, e, &problems);
    }
}

static void api_list_delete(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    enum err e = list_delete(c.site->social, c.arena, &by, api_id(&c));
    if (e == ERR_OK) {
        api_answer_empty(&c);
    } else {
        api_error(&c, e, NULL);
    }
}

/* --- who is on it -------------------------------------------------------------------------------------------------- */

/* A limit of 0 means all of them. */
static void api_list_accounts(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, STANDARD, MOST, &q)) {
        return;
    }
    if (api_number(&c, "limit", STANDARD) == 0) {
        q.limit = LIST_MEMBERS_MOST;
    }
    const struct list_members *members = list_members_ask(c.visit, api_id(&c), &q);
    if (api_read(&c)) {
        api_answer_people(&c, &members->page);
    }
}

/* The people of account_ids[] by their names. False: an error was answered: somebody is not there, or is not followed
 * (`followed`). */
static bool read_people(struct api *c, bool followed, struct follow_item **items, size_t *count)
{
    uint64_t ids[LIST_MEMBERS_MOST];
    struct people people;
    size_t named;
    api_texts(c, "account_ids", &named);
    *count = api_ids(c, "account_ids", ids, LIST_MEMBERS_MOST);
    people_ask(c->visit, ids, *count, &people);
    visit_want_following(c->visit);
    if (!api_read(c)) {
        return false;
    }
    bool are_there = *count == named;
    *items = arena_zero(c->arena, (*count + 1) * sizeof(**items));
    for (size_t i = 0; i < *count; i++) {
        (*items)[i].name = people.users[i].name;
        are_there &= people.users[i].id && (!followed || visit_follows(c->visit, ids[i]));
    }
    if (!are_there) {
        api_error(c, ERR_NOT_FOUND, NULL);
    }
    return are_there;
}

static void change_list_accounts(struct http_request *req, struct http_response *resp, bool on)
{
    struct api c;
    struct follow_item *items;
    size_t count;
    api_begin(&c, req, resp);
    if (!read_people(&c, on, &items, &count)) {
        return;
    }
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    enum err e = list_change_members(c.site->social, c.arena, &by, api_id(&c), on, items, count, &problems);
    if (e == ERR_OK) {
        api_answer_empty(&c);
    } else {
        api_refuse(&c, e, &problems);
    }
}

static void api_list_add(struct http_request *req, struct http_response *resp)
{
    change_list_accounts(req, resp, true);
}

static void api_list_remove(struct http_request *req, struct http_response *resp)
{
    change_list_accounts(req, resp, false);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter list_fields[] = {
    {"title", HTTP_TEXT, 0, 4000, false, "title of the list"},
    {"replies_policy", HTTP_TEXT, 0, 20, false, "which answers it shows: list, followed, none"},
    {0},
};

#define LISTS "/api/v1/lists"

/* clang-format off */
const struct http_route api_routes_lists[] = {
    {HTTP_GET, LISTS, api_lists, WHO_MEMBER, .scopes = "read:lists", .answer = "[List]", .help = "one's own lists of people"},
    {HTTP_POST, LISTS, api_list_create, WHO_MEMBER, {list_fields}, .forgiven = "exclusive", .bodies = API_BODIES,
     .scopes = "write:lists", .answer = "List", .help = "makes a list"},
    {HTTP_GET, LISTS "/:id", api_list_show, WHO_MEMBER, {api_parameter_list}, .scopes = "read:lists", .answer = "List", .help = "one of them"},
    {HTTP_PUT, LISTS "/:id", api_list_change, WHO_MEMBER, {api_parameter_list, list_fields}, .forgiven = "exclusive",
     .bodies = API_BODIES, .scopes = "write:lists", .answer = "List", .help = "changes title and rules of a list; what is not sent stays"},
    {HTTP_DELETE, LISTS "/:id", api_list_delete, WHO_MEMBER, {api_parameter_list}, .bodies = API_BODIES, .scopes = "write:lists",
     .answer = "Empty", .help = "takes a list away"},
    {HTTP_GET, LISTS "/:id/accounts", api_list_accounts, WHO_MEMBER, {api_parameter_list}, .forgiven = "max_id since_id min_id limit",
     .scopes = "read:lists", .answer = "[Account]", .help = "who is on a list; limit=0: all of them"},
    {HTTP_POST, LISTS "/:id/accounts", api_list_add, WHO_MEMBER, {api_parameter_list}, .forgiven = "account_ids[]",
     .bodies = API_BODIES, .scopes = "write:lists", .answer = "Empty", .help = "puts people on a list whom one follows"},
    {HTTP_DELETE, LISTS "/:id/accounts", api_list_remove, WHO_MEMBER, {api_parameter_list}, .forgiven = "account_ids[]",
     .bodies = API_BODIES, .scopes = "write:lists", .answer = "Empty", .help = "takes people off a list"},
    {HTTP_GET, "/api/v1/accounts/:id/lists", api_account_lists, WHO_MEMBER, {api_parameter_account}, .scopes = "read:lists",
     .answer = "[List]", .help = "on which of one's lists somebody is"},
    {0},
};
/* clang-format on */
