/* entity_notice.c - see entity_notice.h. One thread at a time per context. */
#include "view/entity_notice.h"

#include <stdlib.h>
#include <string.h>

#include "base/id.h"
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

static bool is_grouped(enum notice_kind k)
{
    return (NOTICE_GROUPED & 1u << k) != 0;
}

static const char *notice_key(struct arena *a, const struct notice *n, unsigned grouped)
{
    if (is_grouped(n->kind) && (grouped & 1u << n->kind)) {
        return arena_printf(a, "%s-%s", notification_types[n->kind], n->group + 2); /* past "f:" */
    }
    return arena_printf(a, ALONE "%llu", (unsigned long long)n->at_us);
}

bool entity_notice_key_parse(struct arena *a, const char *key, const char **group, uint64_t *id)
{
    *group = NULL;
    *id = 0;
    if (strncmp(key, ALONE, strlen(ALONE)) == 0) {
        const char *digits = key + strlen(ALONE);
        size_t length = strspn(digits, "0123456789");
        *id = length > 0 && length <= ID_DIGITS && !digits[length] ? strtoull(digits, NULL, 10) : 0;
        return *id != 0;
    }
    for (unsigned k = 0; k < NOTICE_KINDS; k++) {
        size_t length = strlen(notification_types[k]);
        if (is_grouped(k) && strncmp(key, notification_types[k], length) == 0 && key[length] == '-') {
            enum notice_kind kind;
            uint64_t number;
            *group = arena_printf(a, "%c:%s", notice_info(k)->letter, key + length + 1);
            return notice_group_parse(*group, &kind, &number);
        }
    }
    return false;
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

/* What only a group that stands on a page has. */
static void put_page(const struct entity_context *c, yyjson_mut_val *o, const struct notice *n)
{
    put_text(c, o, "page_min_id", arena_printf(c->arena, "%llu", (unsigned long long)n->oldest_us));
    put_text(c, o, "page_max_id", arena_printf(c->arena, "%llu", (unsigned long long)n->newest_us));
    put_time(c, o, "latest_page_notification_at", n->newest_us / 1000);
}

yyjson_mut_val *entity_notification_group(const struct entity_context *c, const struct notice *n, unsigned grouped,
                                          bool is_paged)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc), *ids = yyjson_mut_arr(c->doc);
    put_text(c, o, "group_key", notice_key(c->arena, n, grouped));
    put_count(c, o, "notifications_count", n->count);
    put_text(c, o, "type", notification_types[n->kind]);
    put_count(c, o, "most_recent_notification_id", (int64_t)n->newest_us); /* a number, as Mastodon's */
    if (is_paged) {
        put_page(c, o, n);
    }
    for (size_t i = 0; i < n->people_count; i++) {
        yyjson_mut_arr_add_strcpy(c->doc, ids, id_write(n->people[i].id, (char[ID_SIZE]){0}));
    }
    put_value(c, o, "sample_account_ids", ids);
    if (n->post.id) {
        put_text(c, o, "status_id", id_write(n->post.id, arena_alloc(c->arena, ID_SIZE)));
    }
    return o;
}

yyjson_mut_val *entity_account_partial(const struct entity_context *c, const struct user *u)
{
    static const char *const names[] = {"id", "acct", "url", "avatar", "avatar_static", "locked", "bot"};
    yyjson_mut_val *o = yyjson_mut_obj(c->doc), *whole = entity_account_whole(c, u, NULL, 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        put_value(c, o, names[i], yyjson_mut_val_mut_copy(c->doc, yyjson_mut_obj_get(whole, names[i])));
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
