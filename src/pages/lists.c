/* lists.c - the visitor's lists of people: all of them, the timeline of one, and who is on it. Connection threads.
 *
 * Whatever concerns one list reads it in the first round trip, with the session: one that is not the visitor's is not
 * there. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "config/config.h"
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

static const char *path_of(struct page *p, uint64_t id, const char *more)
{
    char digits[ID_SIZE];
    return arena_printf(p->arena, "/lists/%s%s", id_write(id, digits), more);
}

static void put_list(struct page *p, const struct list *l)
{
    page_set(p, "title", l->title);
    page_set_object(p, "list", entity_list(&p->entity, l));
    page_is(p, "is_lists");
}

/* Shows the form again with what is wrong; `render` has answered if it is false. */
static void explain(struct page *p, struct problems *problems, enum err e, unsigned seconds, const char *field)
{
    page_explain(p, problems, e, seconds);
    page_form(p, field, NULL);
    page_problems(p, problems, e);
}

/* --- all lists ----------------------------------------------------------------------------------------------------- */

/* False: an error was answered. */
static bool put_all(struct page *p)
{
    struct list_all *read = list_all_add(p->visit, 0);
    if (!page_run(p)) {
        return false;
    }
    struct list *lists;
    size_t count = list_all_take(p->visit, read, &lists);
    yyjson_mut_val *list = page_list(p, "lists");
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_arr_append(list, entity_list(&p->entity, &lists[i]));
    }
    page_title(p, "title_lists", NULL, NULL);
    page_is(p, "is_lists");
    page_path(p, "/lists");
    return true;
}

static void page_lists(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (put_all(&p)) {
        page_render(&p, "lists");
    }
}

static void page_list_create(struct http_request *req, struct http_response *resp)
{
    struct page p, again;
    page_begin(&p, req, resp);
    struct problems problems = {0};
    unsigned seconds = 0;
    uint64_t id;
    enum err e = names_take_limit(&p, true, 1, &seconds);
    if (e == ERR_OK) {
        e = list_create(p.site->social, p.arena, p.visit->viewer.id, page_field(&p, "title"), &id, &problems);
    }
    if (e == ERR_OK) {
        page_redirect(&p, path_of(&p, id, "/members"), "flash_list_created", NULL);
    } else if (!page_is_form_error(e)) {
        page_error(&p, e);
    } else {
        page_begin(&again, req, resp);
        if (put_all(&again)) {
            explain(&again, &problems, e, seconds, "title");
            page_render(&again, "lists");
        }
    }
}

/* --- the timeline of one ------------------------------------------------------------------------------------------- */

static void page_list_timeline(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct timeline_query q = page_query(&p);
    struct list_timeline *read = list_timeline_add(p.visit, list_id(req), &q);
    if (!page_run(&p)) {
        return;
    }
    struct list list;
    struct timeline_page page;
    enum err e = list_timeline_next(p.visit, read, &list);
    if (e == ERR_OK && !page_run_again(&p)) {
        return;
    }
    e = e == ERR_OK ? list_timeline_take(p.visit, read, &page) : e;
    if (e != ERR_OK) {
        page_error(&p, e);
        return;
    }
    put_list(&p, &list);
    page_timeline(&p, "statuses", &page, path_of(&p, list.id, ""));
    page_render(&p, "list");
}

/* --- who is on it -------------------------------------------------------------------------------------------------- */

/* False: an error was answered. */
static bool put_members(struct page *p)
{
    struct follow_query q = page_time_query(p);
    struct list_members *read = list_members_add(p->visit, list_id(p->req), &q);
    if (!page_run(p)) {
        return false;
    }
    struct list list;
    enum err e = list_members_next(p->visit, read, &list);
    if (e != ERR_OK) {
        page_error(p, e);
        return false;
    }
    if (!page_run_again(p)) {
        return false;
    }
    struct follow_page members;
    list_members_take(p->visit, read, &members);
    put_list(p, &list);
    page_is(p, "is_list_members");
    yyjson_mut_val *accounts = page_list(p, "accounts");
    for (size_t i = 0; i < members.count; i++) {
        yyjson_mut_arr_append(accounts, entity_account(&p->entity, &members.rows[i].user));
    }
    const char *base = path_of(p, list.id, "/members");
    page_time_paging(p, base, &members);
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

/* Begins a change of a list of the visitor's. False: it is none of his, and an error was answered. */
static bool begin_change(struct page *p, struct http_request *req, struct http_response *resp)
{
    page_begin(p, req, resp);
    struct list_head head = list_head_add(p->visit, list_id(req));
    if (!page_run_again(p)) {
        return false;
    }
    struct list list;
    enum err e = list_head_take(p->visit, &head, &list);
    if (e != ERR_OK) {
        page_error(p, e);
    }
    return e == ERR_OK;
}

/* The page of members again, with what went wrong. */
static void members_again(struct page *p, struct problems *problems, enum err e, unsigned seconds, const char *field)
{
    struct page again;
    if (!page_is_form_error(e)) {
        page_error_after(p, e, seconds);
        return;
    }
    page_begin(&again, p->req, p->resp);
    if (put_members(&again)) {
        explain(&again, problems, e, seconds, field);
        page_render(&again, "list_members");
    }
}

static void page_list_rename(struct http_request *req, struct http_response *resp)
{
    struct page p;
    if (!begin_change(&p, req, resp)) {
        return;
    }
    struct problems problems = {0};
    unsigned seconds = 0;
    enum err e = names_take_limit(&p, true, 1, &seconds);
    if (e == ERR_OK) {
        e = list_rename(p.site->social, p.arena, p.visit->viewer.id, list_id(req), page_field(&p, "title"), &problems);
    }
    if (e == ERR_OK) {
        page_redirect(&p, path_of(&p, list_id(req), "/members"), "flash_list_renamed", NULL);
    } else {
        members_again(&p, &problems, e, seconds, "title");
    }
}

static void page_list_delete(struct http_request *req, struct http_response *resp)
{
    struct page p;
    if (!begin_change(&p, req, resp)) {
        return;
    }
    enum err e = list_delete(p.site->social, p.arena, p.visit->viewer.id, list_id(req));
    if (e == ERR_OK) {
        page_redirect(&p, "/lists", "flash_list_deleted", NULL);
    } else {
        page_error(&p, e);
    }
}

static const char *const added[] = {[FOLLOW_CHANGED] = "result_list_added",
                                    [FOLLOW_UNCHANGED] = "result_list_already",
                                    [FOLLOW_UNKNOWN] = "result_unknown"};
static const char *const removed[] = {[FOLLOW_UNCHANGED] = "result_list_removed", [FOLLOW_UNKNOWN] = "result_unknown"};

/* A form of one name with a place to go to afterwards: back there. */
static void redirect_after(struct page *p, const char *next, bool on, const struct follow_item *item)
{
    if (item->result == FOLLOW_UNKNOWN) {
        page_error(p, ERR_NOT_FOUND);
    } else {
        page_redirect(p, next, on ? "flash_list_added" : "flash_list_removed", item->name);
    }
}

static void change_members(struct http_request *req, struct http_response *resp, bool on)
{
    struct page p, again;
    if (!begin_change(&p, req, resp)) {
        return;
    }
    struct problems problems = {0};
    unsigned seconds = 0;
    struct follow_item *items;
    size_t count;
    enum err e = names_read(&p, LIST_MEMBERS_MOST, &items, &count, &problems);
    if (e == ERR_OK) {
        e = names_take_limit(&p, on, (unsigned)count, &seconds);
        e = e == ERR_OK
                ? list_change_members(p.site->social, p.arena, p.visit->viewer.id, list_id(req), on, items, count)
                : e;
    }
    const char *next = page_next(&p, "");
    if (e == ERR_OK && *next && count == 1) {
        redirect_after(&p, next, on, &items[0]);
    } else if (e == ERR_CONFLICT && *next && count == 1) {
        page_redirect(&p, next, "flash_list_full", LIST_MEMBERS_MOST_TEXT);
    } else if (e != ERR_OK) {
        if (e == ERR_CONFLICT) {
            problem_add_numbers(&problems, "names", "list_full", 0, LIST_MEMBERS_MOST, 0);
        }
        members_again(&p, &problems, e, seconds, "names");
    } else {
        page_begin(&again, req, resp);
        if (put_members(&again)) {
            names_put_results(&again, items, count, on ? added : removed);
            page_render(&again, "list_members");
        }
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

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter list_fields[] = {
    {"id", HTTP_ID, 0, 0, true, "id of the list"},
    {0},
};

static const struct http_parameter title_fields[] = {
    {"title", HTTP_TEXT, 0, 4000, false, "title of the list"},
    {0},
};

/* clang-format off */
const struct http_route routes_lists[] = {
    {HTTP_GET, "/lists", page_lists, WHO_MEMBER,
     .help = "own lists of people, and a form to make one"},
    {HTTP_POST, "/lists", page_list_create, WHO_MEMBER, {title_fields},
     .help = "makes a list"},
    {HTTP_GET, "/lists/:id", page_list_timeline, WHO_MEMBER, {list_fields, parameter_cursors},
     .help = "the posts of those on a list"},
    {HTTP_GET, "/lists/:id/members", page_list_members, WHO_MEMBER, {list_fields, parameter_time_cursors},
     .help = "who is on a list, and forms to change it"},
    {HTTP_POST, "/lists/:id/rename", page_list_rename, WHO_MEMBER, {list_fields, title_fields},
     .help = "gives a list another title"},
    {HTTP_POST, "/lists/:id/delete", page_list_delete, WHO_MEMBER, {list_fields},
     .help = "takes a list away"},
    {HTTP_POST, "/lists/:id/add", page_list_add, WHO_MEMBER, {list_fields, parameter_names, parameter_next},
     .help = "puts people on a list"},
    {HTTP_POST, "/lists/:id/remove", page_list_remove, WHO_MEMBER, {list_fields, parameter_names, parameter_next},
     .help = "takes people off a list"},
    {0},
};
/* clang-format on */
