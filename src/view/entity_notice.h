/* entity_notice.h - notices as JSON: Mastodon's Notification. Part of entity.h.
 *
 * One Notification stands for a group of notices (social/notices/notice.h) and names the newest of its people. Its id is the
 * time of that: a later favourite of the same post is another Notification, which comes in place of the first.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_NOTICE_H
#define VIEW_ENTITY_NOTICE_H

#include <yyjson.h>

#include "view/entity_context.h"

struct notice;

yyjson_mut_val *entity_notification(const struct entity_context *c, const struct notice *n);

/* The kinds of notices (bits 1 << NOTICE_…) that a type of Mastodon's stands for; 0: there are none such. */
unsigned entity_notification_kinds(const char *type);

#endif
