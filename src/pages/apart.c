/* apart.c - blocking, muting, and taking followers away. Connection threads. */
#include "social/people/apart.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/visit_apart.h"

#define MUTE_SECONDS_MAX (400 * 86400)

typedef enum err apart_action(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                              struct problems *p);

/* Answers what came of an action upon one person. */
static void answer_apart(struct page *p, enum err e, const struct follow_item *item, struct problems *problems,
                         const char *flash)
{
    const char *next = page_next(p, arena_printf(p->arena, "/@%s", item->name));
    if (e == ERR_CONFLICT) {
        page_redirect(p, next, "flash_apart_limit", APART_LIMIT);
    } else if (e != ERR_OK || item->result == FOLLOW_UNKNOWN) {
        page_refuse(p, e != ERR_OK ? e : ERR_NOT_FOUND, problems, NULL);
    } else if (item->result == FOLLOW_SELF) {
        page_redirect(p, next, "flash_apart_self", NULL);
    } else {
        page_redirect(p, next, flash, item->name);
    }
}

static void change_apart(struct http_request *req, struct http_response *resp, apart_action *action, const char *flash)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item item = {.name = http_variable(req, "name")};
    answer_apart(&p, action(p.site->social, p.arena, &by, &item, &problems), &item, &problems, flash);
}

static void page_block(struct http_request *req, struct http_response *resp)
{
    change_apart(req, resp, apart_block, "flash_blocked");
}

static void page_unblock(struct http_request *req, struct http_response *resp)
{
    change_apart(req, resp, apart_unblock, "flash_unblocked");
}

static void page_unmute(struct http_request *req, struct http_response *resp)
{
    change_apart(req, resp, apart_unmute, "flash_unmuted");
}

static void page_remove(struct http_request *req, struct http_response *resp)
{
    change_apart(req, resp, apart_remove, "flash_follower_removed");
}

static void page_mute(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item item = {.name = http_variable(req, "name")};
    const struct apart_mute how = {.notifications = strcmp(page_field(&p, "notifications"), "true") == 0,
                                   .seconds = strtoull(page_field(&p, "duration"), NULL, 10)};
    enum err e = apart_mute(p.site->social, p.arena, &by, &item, &how, &problems);
    answer_apart(&p, e, &item, &problems, "flash_muted");
}

/* --- who it is -----------------------------------------------------------------------------------------------------
 * */

/* A settings page with those whom the visitor keeps apart in this way. */
static void page_of_apart(struct http_request *req, struct http_response *resp, unsigned flag, const char *place,
                          const char *path)
{
    struct page p;
    page_begin(&p, req, resp);
    struct follow_query q = page_time_query(&p);
    const struct apart_page *list = apart_list_ask(p.visit, flag, &q);
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *accounts = page_list(&p, "accounts");
    for (size_t i = 0; i < list->count; i++) {
        yyjson_mut_val *account = decoration_account(&p.entity, &list->rows[i].user);
        decoration_account_muted(&p.entity, account, flag == APART_MUTES ? list->rows[i].until_ms : 0);
        yyjson_mut_arr_append(accounts, account);
    }
    page_time_paging(&p, path, list->older_id, list->newer_id);
    page_settings_place(&p, place, path);
    page_render(&p, "settings_apart");
}

static void page_settings_blocks(struct http_request *req, struct http_response *resp)
{
    page_of_apart(req, resp, APART_BLOCKS, "settings_blocks", "/settings/blocks");
}

static void page_settings_mutes(struct http_request *req, struct http_response *resp)
{
    page_of_apart(req, resp, APART_MUTES, "settings_mutes", "/settings/mutes");
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter mute_fields[] = {
    {"notifications", HTTP_TEXT, 0, 16, false, "true: what he does is not told either"},
    {"duration", HTTP_NUMBER, 0, MUTE_SECONDS_MAX, false, "for how many seconds; 0: until it is taken back"},
    {0},
};

/* clang-format off */
const struct http_route routes_apart[] = {
    {HTTP_POST, "/@:name/block", page_block, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "blocks him"},
    {HTTP_POST, "/@:name/unblock", page_unblock, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "blocks him no more"},
    {HTTP_POST, "/@:name/mute", page_mute, WHO_MEMBER, {parameter_name, mute_fields, parameter_next},
     .help = "mutes him"},
    {HTTP_POST, "/@:name/unmute", page_unmute, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "mutes him no more"},
    {HTTP_POST, "/@:name/remove", page_remove, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "takes him from one's followers"},
    {HTTP_GET, "/settings/blocks", page_settings_blocks, WHO_MEMBER, {parameter_time_cursors},
     .help = "whom one blocks"},
    {HTTP_GET, "/settings/mutes", page_settings_mutes, WHO_MEMBER, {parameter_time_cursors},
     .help = "whom one mutes"},
    {0},
};
/* clang-format on */
