/* notifications.c - what the visitor is told, and what he does with it. Connection threads. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "config/config.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/notices/notice.h"
#include "view/locale.h"

#define PATH "/notifications"
#define GROUP_MAX 32

/* The tabs. A mention is also an answer, and whoever asks to follow is about to. */
static const struct tab {
    const char *types, *title; /* "": all of them */
    unsigned kinds;
} tabs[] = {
    {"", "title_notifications", 0},
    {"mention", "title_notices_mention", 1u << NOTICE_MENTION | 1u << NOTICE_REPLY},
    {"favourite", "title_notices_favourite", 1u << NOTICE_FAVOURITE},
    {"follow", "title_notices_follow", 1u << NOTICE_FOLLOW | 1u << NOTICE_REQUEST},
};

#define TABS (sizeof(tabs) / sizeof(tabs[0]))

/* The kinds that a word of ?types= stands for: a tab's, or one kind. */
static unsigned kinds_of_word(const char *word, size_t length)
{
    for (size_t i = 1; i < TABS; i++) {
        if (strlen(tabs[i].types) == length && memcmp(tabs[i].types, word, length) == 0) {
            return tabs[i].kinds;
        }
    }
    for (int k = 0; k < NOTICE_KINDS; k++) {
        const char *known = notice_info((enum notice_kind)k)->word;
        if (strlen(known) == length && memcmp(known, word, length) == 0) {
            return 1u << k;
        }
    }
    return 0;
}

static unsigned kinds_of(const char *types)
{
    unsigned kinds = 0;
    size_t length;
    for (const char *at; types && (at = text_entry(&types, &length));) {
        kinds |= kinds_of_word(at, length);
    }
    return kinds;
}

/* The same as ?types= says it; what came from outside goes into no address. */
static const char *types_of(struct page *p, unsigned kinds)
{
    struct buffer out = buffer_make(p->arena);
    for (int k = 0; k < NOTICE_KINDS; k++) {
        if (kinds & 1u << k) {
            buffer_printf(&out, "%s%s", out.length ? "," : "", notice_info((enum notice_kind)k)->word);
        }
    }
    return buffer_string(&out);
}

static const struct tab *put_tabs(struct page *p, unsigned kinds)
{
    const struct tab *current = NULL;
    yyjson_mut_val *list = page_list(p, "tabs");
    for (size_t i = 0; i < TABS; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
        page_put(p, one, "href", i ? arena_printf(p->arena, PATH "?types=%s", tabs[i].types) : PATH, "text",
                 locale_text(p->locale, i ? tabs[i].title : "notifications_all"), NULL);
        yyjson_mut_obj_add_bool(p->entity.doc, one, "current", tabs[i].kinds == kinds);
        current = tabs[i].kinds == kinds ? &tabs[i] : current;
    }
    return current;
}

static void page_notifications(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct notice_query q = {.at = page_time_query(&p), .kinds = kinds_of(http_query(req, "types"))};
    q.sees = !q.kinds && !q.at.max_us && !q.at.min_us;
    const struct notice_page *notices = notice_page_ask(p.visit, &q);
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *list = page_list(&p, "notices");
    for (size_t i = 0; i < notices->count; i++) {
        yyjson_mut_arr_append(list, decoration_notice(&p.entity, &notices->items[i]));
    }
    const struct tab *tab = put_tabs(&p, q.kinds);
    page_title(&p, tab ? tab->title : tabs[0].title, NULL, NULL);
    page_is(&p, "is_notifications");
    if (notices->newest_us) {
        page_set(&p, "until", arena_printf(p.arena, "%llu", (unsigned long long)notices->newest_us));
    }
    page_time_paging(&p, q.kinds ? arena_printf(p.arena, PATH "?types=%s", types_of(&p, q.kinds)) : PATH,
                     notices->older_us, notices->newer_us);
    page_render(&p, "notifications");
}

/* --- changes -------------------------------------------------------------------------------------------------------
 * */

static uint64_t until_of(const struct page *p)
{
    return strtoull(page_field(p, "until"), NULL, 10); /* digits only: the route's declaration says so */
}

static void after(struct page *p, enum err e, const char *flash)
{
    struct problems none = {.count = 0};
    if (e == ERR_OK) {
        page_redirect(p, page_next(p, PATH), flash, NULL);
    } else {
        page_refuse(p, e, &none, NULL);
    }
}

static void page_notifications_read(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    after(&p, notice_read(p.site->social, p.arena, &by, until_of(&p)), NULL);
}

static void page_notifications_dismiss(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    after(&p, notice_dismiss(p.site->social, p.arena, &by, page_field(&p, "id"), until_of(&p)), NULL);
}

static void page_notifications_clear(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    after(&p, notice_clear(p.site->social, p.arena, &by, until_of(&p)), "flash_notifications_cleared");
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter types_field[] = {
    {"types", HTTP_TEXT, 0, 200, false,
     "only these: mention, favourite, boost, follow, request, update, status; comma separated"},
    {0},
};

static const struct http_parameter until_field[] = {
    {"until", HTTP_NUMBER, 1, INT64_MAX / 2, true, "time (us) up to which: what came later stays"},
    {0},
};

static const struct http_parameter group_field[] = {
    {"id", HTTP_TEXT, 1, GROUP_MAX, true, "which one"},
    {0},
};

/* clang-format off */
const struct http_route routes_notifications[] = {
    {HTTP_GET, PATH, page_notifications, WHO_MEMBER, {types_field, parameter_time_cursors},
     .help = "what others did that concerns the visitor; the first page of all marks it as seen"},
    {HTTP_POST, PATH "/read", page_notifications_read, WHO_MEMBER, {until_field, parameter_next},
     .help = "marks as seen"},
    {HTTP_POST, PATH "/dismiss", page_notifications_dismiss, WHO_MEMBER, {group_field, until_field, parameter_next},
     .help = "takes one away"},
    {HTTP_POST, PATH "/clear", page_notifications_clear, WHO_MEMBER, {until_field, parameter_next},
     .help = "takes all away"},
    {0},
};
/* clang-format on */
