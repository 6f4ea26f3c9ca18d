/* apart.c - blocking, muting, and taking followers away. Connection threads. */
#include "social/people/apart.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"

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

/* --- rows ---------------------------------------------------------------------------------------------------------- */

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
    {0},
};
/* clang-format on */
