/* entity_notice.h - notices as JSON: Mastodon's Notification and NotificationGroup. Part of entity.h.
 *
 * A Notification is what one person did; its id is its time, which nothing else has that its reader was ever told
 * (social/notices/notice.h). Favourites, boosts and new followers come in groups too, which are known by their keys:
 * favourite-<post>, reblog-<post>, follow-<day>; anything else is a group by itself, ungrouped-<id>.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_NOTICE_H
#define VIEW_ENTITY_NOTICE_H

#include <stdbool.h>
#include <stdint.h>

#include <yyjson.h>

#include "view/entity_context.h"

struct arena;
struct kept;
struct notice;
struct user;

/* Of one person. `kept` as for entity_status_kept. */
yyjson_mut_val *entity_notification(const struct entity_context *c, struct kept *kept, const struct notice *n);

/* Of a key: the group as notice.h names it, or NULL and the id of what is a group by itself. False: it is none. */
bool entity_notice_key_parse(struct arena *a, const char *key, const char **group, uint64_t *id);

/* NotificationGroup; grouped: kinds that come in groups; is_paged: it is one of a page. */
yyjson_mut_val *entity_notification_group(const struct entity_context *c, const struct notice *n, unsigned grouped,
                                          bool is_paged);

/* PartialAccountWithAvatar: what a row of pictures needs. */
yyjson_mut_val *entity_account_partial(const struct entity_context *c, const struct user *u);

/* The kinds of notices (bits 1 << NOTICE_…) that a type of Mastodon's stands for; 0: there are none such. */
unsigned entity_notification_kinds(const char *type);

#endif
