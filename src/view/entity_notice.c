/* entity_notice.c - see entity_notice.h. One thread at a time per context. */
#include "view/entity_notice.h"

#include <string.h>

#include "social/notices/notice.h"
#include "view/entity_kept.h"
#include "view/entity_whole.h"
#include "view/put.h"

static const char *const notification_types[NOTICE_KINDS] = {
    [NOTICE_FAVOURITE] = "favourite", [NOTICE_BOOST] = "reblog",  [NOTICE_MENTION] = "mention",
    [NOTICE_REPLY] = "mention",       [NOTICE_FOLLOW] = "follow", [NOTICE_REQUEST] = "follow_request",
    [NOTICE_EDIT] = "update",         [NOTICE_STATUS] = "status",
};

#define ALONE "ungrouped-"

static const char *notice_key(struct arena *a, const struct notice *n, unsigned grouped)
{
    if (grouped & NOTICE_GROUPED & 1u << n->kind) {
        return arena_printf(a, "%s-%s", notification_types[n->kind], n->group + 2); /* past "f:" */
    }
    return arena_printf(a, ALONE "%llu", (unsigned long long)n->at_us);
}

yyjson_mut_val *entity_notification(const struct entity_context *c, struct kept *kept, const struct notice *n)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "id", arena_printf(c->arena, "%llu", (unsigned long long)n->at_us));
    put_text(c, o, "type", notification_types[n->kind]);
    put_time(c, o, "created_at", n->at_us / 1000);
    put_text(c, o, "group_key", notice_key(c->arena, n, NOTICE_GROUPED));
    put_value(c, o, "account", entity_account_whole(c, &n->people[0], NULL, 0));
    if (n->post.id) {
        put_value(c, o, "status", entity_status_kept(c, kept, &n->post));
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
