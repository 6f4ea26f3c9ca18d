/* notices.h - what notifications one by one (notifications.c) and in groups (notifications_grouped.c) share. Inside api/ only.
 *
 * Threads: those of the calls.
 */
#ifndef API_NOTICES_H
#define API_NOTICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/api.h"
#include "social/notices/notice.h"

/* The kinds (bits 1 << NOTICE_...) that the types name[] of the request stand for, and how many those are. */
unsigned api_notice_kinds(const struct api *c, const char *name, size_t *count);

/* What is wanted by types[], exclude_types[] and account_id. False: nothing can be such. */
bool api_notice_query(const struct api *c, struct notice_query *q);

/* Reads, and answers how many the visitor has not seen; grouped as the query says. */
void api_answer_unread(struct api *c, struct notice_query *q);

/* Answers a change. */
void api_after_notices(struct api *c, enum err e);

#endif
