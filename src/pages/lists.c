/* lists.c - the visitor's lists of people: all of them, the timeline of one, and who is on it. Connection threads.
 *
 * Every page about one list reads it in the first round trip, with the session: for a visitor, lists of others do not
 * exist. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "config/config.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/names.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/timelines/list.h"
#include "view/locale.h"

static uint64_t list_id(const struct http_request *req)
{
    return id_parse(http_variable(req, "id"));
}

static const char *list_path(struct page *p, uint64_t id, const char *more)
{
    char digits[ID_SIZE];
    return arena_printf(p->arena, "/lists/%s%s", id_write(id, digits), more);
}

static void put_list(struct page *p, const struct list *l)
{
    page_set(p, "title", l->title);
    page_set_object(p, "list", decoration_list(&p->entity, l));
    page_is(p, "is_lists");
}

/* --- all lists -----------------------------------------------------------------------------------------------------
 * */

/* False: an error was answered. */
static bool lists_put(struct page *p)
{
    const struct lists *lists = list_all_ask(p->visit, NULL);
    if (!page_read(p)) {
        return false;
    }
    page_people_lists(p, lists);
    page_title(p, "title_lists", NULL, NULL);
    page_is(p, "is_lists");
    page_path(p, "/lists");
    return true;
}

static void page_lists(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (lists_put(&p)) {
        page_render(&p, "lists");
    }
}

static bool fill_all(struct page *p, const char *subject)
{
    (void)subject;
    return lists_put(p);
}

static void page_list_create(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry form = {.template = "lists", .fill = fill_all, .fields = {"title"}};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    uint64_t id;
    enum err e = list_create(p.site->social, p.arena, &by, page_field(&p, "title"), &id, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, list_path(&p, id, "/members"), "flash_list_created", NULL);
    } else {
        page_refuse(&p, e, &problems, &form);
    }
}

/* --- the timeline of one -------------------------------------------------------------------------------------------
 * */

static void page_list_timeline(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct timeline_query q = page_query(&p);
    const struct list_timeline *t = list_timeline_ask(p.visit, list_id(req), &q);
    if (!page_read(&p)) {
        return;
    }
    put_list(&p, &t->list);
    page_timeline(&p, "statuses", &t->page, list_path(&p, t->list.id, ""));
    page_render(&p, "list");
}

/* --- who is on it --------------------------------------------------------------------------------------------------
 * */

/* False: an error was answered. */
static bool put_members(struct page *p)
{
    struct follow_query q = page_time_query(p);
    const struct list_members *members = list_members_ask(p->visit, list_id(p->req), &q);
    if (!page_read(p)) {
        return false;
    }
    put_list(p, &members->list);
    page_is(p, "is_list_members");
    yyjson_mut_val *accounts = page_list(p, "accounts");
    for (size_t i = 0; i < members->page.count; i++) {
        yyjson_mut_arr_append(accounts, decoration_account_row(&p->entity, &members->page.rows[i].user, NULL));
    }
    const char *base = list_path(p, members->list.id, "/members");
    page_time_paging(p, base, members->page.older_us, members->page.newer_us);
    page_path(p, base);
    return true;
}

static void page_list_members(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (put_members(&p)) {
        page_render(&p, "list_members");
    }
}

/* --- changes of one ------------------------------------------------------------------------------------------------
 * */

static bool fill_members(struct page *p, const char *subject)
{
    (void)subject;
    return put_members(p);
}

static void page_list_rename(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry form = {.template = "list_members", .fill = fill_members, .fields = {"title"}};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    enum err e = list_rename(p.site->social, p.arena, &by, list_id(req), page_field(&p, "title"), &problems);
    if (e == ERR_OK) {
        page_redirect(&p, list_path(&p, list_id(req), "/members"), "flash_list_renamed", NULL);
    } else {
        page_refuse(&p, e, &problems, &form);
    }
}

static void page_list_set(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    bool is_exclusive = strcmp(page_field(&p, "exclusive"), "true") == 0;
    enum list_replies replies = list_replies_of(page_field(&p, "replies_policy"));
    enum err e = list_set(p.site->social, p.arena, &by, list_id(req), is_exclusive, replies, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, list_path(&p, list_id(req), "/members"), "flash_list_saved", NULL);
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

static void page_list_delete(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems none = {.count = 0};
    enum err e = list_delete(p.site->social, p.arena, &by, list_id(req));
    if (e == ERR_OK) {
        page_redirect(&p, "/lists", "flash_list_deleted", NULL);
    } else {
        page_refuse(&p, e, &none, NULL);
    }
}

static const char *const added[] = {[FOLLOW_CHANGED] = "result_list_added",
                                    [FOLLOW_UNCHANGED] = "result_list_already",
                                    [FOLLOW_UNKNOWN] = "result_unknown"};
static const char *const removed[] = {[FOLLOW_UNCHANGED] = "result_list_removed", [FOLLOW_UNKNOWN] = "result_unknown"};

/* For a form of one name with a place to go to afterwards: redirects there, also after some errors. False: it was
 * refused. */
static bool redirect_after(struct page *p, enum err e, const char *next, bool on, const struct follow_item *item)
{
    if (e == ERR_CONFLICT) {
        page_redirect(p, next, "flash_list_full", TEXT_OF(LIST_MEMBERS_MOST));
    } else if (e == ERR_OK && item->result == FOLLOW_UNKNOWN) {
        page_error(p, ERR_NOT_FOUND);
    } else if (e == ERR_OK) {
        page_redirect(p, next, on ? "flash_list_added" : "flash_list_removed", item->name);
    }
    return e == ERR_OK || e == ERR_CONFLICT;
}

static void change_members(struct http_request *req, struct http_response *resp, bool on)
{
    static const struct page_retry form = {.template = "list_members", .fill = fill_members, .fields = {"names"}};
    struct page p, after;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item *items;
    size_t count;
    enum err e = names_read(&p, LIST_MEMBERS_MOST, &items, &count, &problems);
    e = e == ERR_OK ? list_change_members(p.site->social, p.arena, &by, list_id(req), on, items, count, &problems) : e;
    const char *next = page_next(&p, "");
    if (*next && count == 1 && redirect_after(&p, e, next, on, &items[0])) {
        return;
    }
    if (e != ERR_OK) {
        page_refuse(&p, e, &problems, &form);
        return;
    }
    page_begin(&after, req, resp);
    if (put_members(&after)) {
        names_put_results(&after, items, count, on ? added : removed);
        page_render(&after, "list_members");
    }
}

static void page_list_add(struct http_request *req, struct http_response *resp)
{
    change_members(req, resp, true);
}

static void page_list_remove(struct http_request *req, struct http_response *resp)
{
    change_members(req, resp, false);
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter list_fields[] = {
    {"id", HTTP_ID, 0, 0, true, "id of the list"},
    {0},
};

static const struct http_parameter title_fields[] = {
    {"title", HTTP_TEXT, 0, 4000, false, "title of the list"},
    {0},
};

static const struct http_parameter set_fields[] = {
    {"exclusive", HTTP_TEXT, 0, 10, false, "true: those on it do not stand in home"},
    {"replies_policy", HTTP_TEXT, 0, 10, false, "which answers it shows: list, followed, none"},
    {0},
};

/* clang-format off */
const struct http_route routes_lists[] = {
    {HTTP_GET, "/lists", page_lists, WHO_MEMBER,
     .flags = HTTP_RECALLED, .help = "own lists of people, and a form to make one"},
    {HTTP_POST, "/lists", page_list_create, WHO_MEMBER, {title_fields},
     .help = "makes a list"},
    {HTTP_GET, "/lists/:id", page_list_timeline, WHO_MEMBER, {list_fields, parameter_cursors},
     .flags = HTTP_RECALLED, .help = "the posts of those on a list"},
    {HTTP_GET, "/lists/:id/members", page_list_members, WHO_MEMBER, {list_fields, parameter_time_cursors},
     .help = "who is on a list, and forms to change it"},
    {HTTP_POST, "/lists/:id/rename", page_list_rename, WHO_MEMBER, {list_fields, title_fields},
     .help = "gives a list another title"},
    {HTTP_POST, "/lists/:id/set", page_list_set, WHO_MEMBER, {list_fields, set_fields},
     .help = "says which answers a list shows, and whether home does without its people"},
    {HTTP_POST, "/lists/:id/delete", page_list_delete, WHO_MEMBER, {list_fields},
     .help = "takes a list away"},
    {HTTP_POST, "/lists/:id/add", page_list_add, WHO_MEMBER, {list_fields, parameter_names, parameter_next},
     .help = "puts people on a list"},
    {HTTP_POST, "/lists/:id/remove", page_list_remove, WHO_MEMBER, {list_fields, parameter_names, parameter_next},
     .help = "takes people off a list"},
    {0},
};
/* clang-format on */
