/* entity_notice.c - see entity_notice.h. One thread at a time per context. */
#include "view/entity_notice.h"

#include <string.h>

#include "social/notices/notice.h"
#include "view/entity_whole.h"
#include "view/put.h"

static const char *const notification_types[NOTICE_KINDS] = {
    [NOTICE_FAVOURITE] = "favourite", [NOTICE_BOOST] = "reblog",  [NOTICE_MENTION] = "mention",
    [NOTICE_REPLY] = "mention",       [NOTICE_FOLLOW] = "follow", [NOTICE_REQUEST] = "follow_request",
    [NOTICE_EDIT] = "update",
};

yyjson_mut_val *entity_notification(const struct entity_context *c, const struct notice *n)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    const char *id = arena_printf(c->arena, "%llu", (unsigned long long)n->at_us);
    put_text(c, o, "id", id);
    put_text(c, o, "type", notification_types[n->kind]);
    put_time(c, o, "created_at", n->at_us / 1000);
    put_text(c, o, "group_key", arena_printf(c->arena, "ungrouped-%s", id));
    put_value(c, o, "account", entity_account_whole(c, &n->people[0], NULL, 0));
    if (n->post.id) {
        put_value(c, o, "status", entity_status_whole(c, &n->post));
    }
    return o;
}

unsigned entity_notification_kinds(const char *type)
{
    unsigned kinds = 0;
    for (unsigned k = 0; k < NOTICE_KINDS; k++) {
        kinds |= strcmp(notification_types[k], type) == 0 ? 1u << k : 0;
    }
    return kinds;
}
