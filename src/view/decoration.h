/* decoration.h - what pages show of users, posts, lists and sessions: Mastodon's entities (entity.h) with the keys that
 * only templates use: addresses within the site, words in the visitor's language, his own marks.
 *
 * The keys are listed in web/templates/README.md. The API knows nothing of this.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_DECORATION_H
#define VIEW_DECORATION_H

#include <stdbool.h>
#include <stdint.h>

#include "view/entity.h"

struct session;

yyjson_mut_val *decoration_account(const struct entity_context *c, const struct user *u);

/* Add what only some pages know. The relationship is left out when nobody is signed in. */
void decoration_account_counts(const struct entity_context *c, yyjson_mut_val *account,
                               const struct user_counts *counts);
void decoration_account_profile(const struct entity_context *c, yyjson_mut_val *account, const struct user *u);
void decoration_account_relation(const struct entity_context *c, yyjson_mut_val *account, const struct user *u,
                                 bool following, bool followed_by);
void decoration_account_since(const struct entity_context *c, yyjson_mut_val *account, uint64_t since_ms);

yyjson_mut_val *decoration_status(const struct entity_context *c, const struct post *p);

yyjson_mut_val *decoration_list(const struct entity_context *c, const struct list *l);

/* Mastodon has no such entity. */
yyjson_mut_val *decoration_session(const struct entity_context *c, const struct session *s);

#endif
