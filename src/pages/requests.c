/* requests.c - locked accounts: who asks to follow, the answers, and the lock. Connection threads. */
#include "social/people/request.h"

#include <string.h>

#include "base/arena.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"

#define PATH "/requests"

static void page_requests(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct follow_query q = page_time_query(&p);
    const struct follow_page *list = request_list_ask(p.visit, &q);
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *accounts = page_list(&p, "accounts");
    for (size_t i = 0; i < list->count; i++) {
        yyjson_mut_val *account = decoration_account_row(&p.entity, &list->rows[i].user, NULL);
        decoration_account_since(&p.entity, account, list->rows[i].since_us / 1000);
        yyjson_mut_arr_append(accounts, account);
    }
    yyjson_mut_obj_add_bool(p.entity.doc, p.root, "has_asking", list->count > 0);
    page_title(&p, "title_requests", NULL, NULL);
    page_is(&p, "is_requests");
    page_time_paging(&p, PATH, list->older_us, list->newer_us);
    page_render(&p, "requests");
}

/* --- answering one -------------------------------------------------------------------------------------------------
 * */

static void answer_one(struct http_request *req, struct http_response *resp, bool grants)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item item = {.name = http_variable(req, "name")};
    enum err e = request_answer(p.site->social, p.arena, &by, grants, &item, 1, &problems);
    if (e != ERR_OK || item.result == FOLLOW_UNKNOWN) {
        page_refuse(&p, e != ERR_OK ? e : ERR_NOT_FOUND, &problems, NULL);
    } else {
        const char *flash = item.result != FOLLOW_CHANGED ? "flash_not_asking"
                            : grants                      ? "flash_accepted"
                                                          : "flash_rejected";
        page_redirect(&p, page_next(&p, PATH), flash, item.name);
    }
}

static void page_accept(struct http_request *req, struct http_response *resp)
{
    answer_one(req, resp, true);
}

static void page_reject(struct http_request *req, struct http_response *resp)
{
    answer_one(req, resp, false);
}

/* --- answering all -------------------------------------------------------------------------------------------------
 * */

static void answer_all(struct http_request *req, struct http_response *resp, bool grants)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    int64_t count;
    enum err e = request_answer_all(p.site->social, p.arena, &by, grants, &count, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, PATH, grants ? "flash_accepted_all" : "flash_rejected_all",
                      arena_printf(p.arena, "%lld", (long long)count));
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

static void page_accept_all(struct http_request *req, struct http_response *resp)
{
    answer_all(req, resp, true);
}

static void page_reject_all(struct http_request *req, struct http_response *resp)
{
    answer_all(req, resp, false);
}

/* --- the lock ------------------------------------------------------------------------------------------------------
 * */

static void page_settings_locked(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    bool on = strcmp(page_field(&p, "locked"), "true") == 0;
    enum err e = request_lock(p.site->social, p.arena, &by, on, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, "/settings/profile", on ? "flash_locked" : "flash_unlocked", NULL);
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter locked_fields[] = {
    {"locked", HTTP_TEXT, 0, 16, false, "true: whoever wants to follow has to ask"},
    {0},
};

/* clang-format off */
const struct http_route routes_requests[] = {
    {HTTP_GET, "/requests", page_requests, WHO_MEMBER, {parameter_time_cursors},
     .help = "who asks to follow"},
    {HTTP_POST, "/requests/accept", page_accept_all, WHO_MEMBER,
     .help = "lets all follow who ask"},
    {HTTP_POST, "/requests/reject", page_reject_all, WHO_MEMBER,
     .help = "rejects all who ask"},
    {HTTP_POST, "/@:name/accept", page_accept, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "lets him follow who asks"},
    {HTTP_POST, "/@:name/reject", page_reject, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "rejects him who asks to follow"},
    {HTTP_POST, "/settings/locked", page_settings_locked, WHO_MEMBER, {locked_fields},
     .help = "locks the account, or opens it"},
    {0},
};
/* clang-format on */
