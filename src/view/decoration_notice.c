/* decoration_notice.c - what pages show of a notice: see decoration.h. One thread at a time per context. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "social/notices/notice.h"
#include "view/decoration.h"
#include "view/locale.h"
#include "view/put.h"

#define EXCERPT_MAX 200 /* code points */

/* "Ann liked your post", "Ann and 3 others liked your post". */
static const char *sentence(const struct entity_context *c, const struct notice *n)
{
    const char *name = decoration_isolated(c, &n->people[0]);
    const char *key = arena_printf(c->arena, "notice_%s", notice_info(n->kind)->word);
    if (n->count <= 1) {
        return locale_format(c->arena, c->locale, key, "name", name, NULL);
    }
    return locale_plural(c->arena, c->locale, arena_printf(c->arena, "%s_more", key), (uint64_t)n->count - 1, "name",
                         name, NULL);
}

const char *decoration_beginning(struct arena *a, const char *text)
{
    size_t length = strlen(text), end = 0;
    uint32_t code_point;
    for (unsigned count = 0; end < length && count < EXCERPT_MAX; count++) {
        size_t size = text_decode(text + end, length - end, &code_point);
        end += size ? size : 1;
    }
    return arena_printf(a, "%.*s%s", (int)end, text, end < length ? "…" : "");
}

const char *decoration_excerpt(struct arena *a, const struct post *p)
{
    return decoration_beginning(a, *p->spoiler ? p->spoiler : p->text);
}

static void put_notice_post(const struct entity_context *c, yyjson_mut_val *o, const struct notice *n)
{
    if (n->kind == NOTICE_MENTION || n->kind == NOTICE_REPLY || n->kind == NOTICE_STATUS) {
        put_value(c, o, "status", decoration_status(c, &n->post));
    } else if (n->post.id) {
        yyjson_mut_val *about = yyjson_mut_obj(c->doc);
        put_text(c, about, "href", decoration_post_path(c->arena, &n->post));
        put_text(c, about, "excerpt", decoration_excerpt(c->arena, &n->post));
        put_value(c, o, "about", about);
    }
}

yyjson_mut_val *decoration_notice(const struct entity_context *c, const struct notice *n)
{
    static const char *const icons[NOTICE_KINDS] = {
        [NOTICE_FAVOURITE] = "star", [NOTICE_BOOST] = "boost",  [NOTICE_MENTION] = "mention", [NOTICE_REPLY] = "reply",
        [NOTICE_FOLLOW] = "people",  [NOTICE_REQUEST] = "lock", [NOTICE_EDIT] = "pen",        [NOTICE_STATUS] = "bell"};
    yyjson_mut_val *o = yyjson_mut_obj(c->doc), *accounts = yyjson_mut_arr(c->doc);
    put_text(c, o, "id", n->group);
    put_text(c, o, "kind", notice_info(n->kind)->word);
    put_text(c, o, "icon", icons[n->kind]);
    put_text(c, o, "until", arena_printf(c->arena, "%llu", (unsigned long long)n->at_us));
    put_bool(c, o, "is_new", n->is_unread);
    put_bool(c, o, "asks", n->kind == NOTICE_REQUEST);
    put_text(c, o, "text", sentence(c, n));
    put_text(c, o, "at", decoration_time(c->arena, n->at_us / 1000));
    put_text(c, o, "elapsed", locale_short(c->arena, c->locale, n->at_us / 1000, c->now_ms));
    for (size_t i = 0; i < n->people_count; i++) {
        yyjson_mut_arr_append(accounts, decoration_account(c, &n->people[i]));
    }
    put_value(c, o, "accounts", accounts);
    put_notice_post(c, o, n);
    return o;
}
