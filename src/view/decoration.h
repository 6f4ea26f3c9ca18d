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

struct notice;
struct session;
struct talk;

/* "2025-03-04 12:05:32Z": for <time>, and shown beside its short words. */
const char *decoration_time(struct arena *a, uint64_t ms);

yyjson_mut_val *decoration_account(const struct entity_context *c, const struct user *u);

/* The same for a row of a list: with the beginning of what he says of himself, and what the visitor has to do with him
 * (NULL: does not matter there). */
yyjson_mut_val *decoration_account_row(const struct entity_context *c, const struct user *u,
                                       const struct entity_relation *relation);

/* Add what only some pages know. The relationship is left out when nobody is signed in. */
void decoration_account_counts(const struct entity_context *c, yyjson_mut_val *account,
                               const struct user_counts *counts);
void decoration_account_profile(const struct entity_context *c, yyjson_mut_val *account, const struct user *u);
void decoration_account_relation(const struct entity_context *c, yyjson_mut_val *account, const struct user *u,
                                 const struct entity_relation *relation);
void decoration_account_since(const struct entity_context *c, yyjson_mut_val *account, uint64_t since_ms);
void decoration_account_muted(const struct entity_context *c, yyjson_mut_val *account, uint64_t until_ms);

/* In two parts, of which the one that is the same for everybody is rendered once (fragment.h): a key that depends on the
 * viewer or on the time belongs into the other. The context must stay as it is until the page is rendered. */
yyjson_mut_val *decoration_status(const struct entity_context *c, const struct post *p);
/* A version of a post that was edited, with the time since which it had those words. */
yyjson_mut_val *decoration_version(const struct entity_context *c, const struct post *p, uint64_t since_ms);
/* Adds what only the page of the post says: the words after its numbers, its time in whole words. */
void decoration_status_counts(const struct entity_context *c, yyjson_mut_val *status, const struct post *p);

/* The beginning of a text; in the arena. */
const char *decoration_beginning(struct arena *a, const char *text);

/* Its page within the site; in the arena. */
const char *decoration_post_path(struct arena *a, const struct post *p);

/* The beginning of its text, or the warning that it stands behind; in the arena. */
const char *decoration_excerpt(struct arena *a, const struct post *p);

/* A post as it stands on top of its author's profile. */
yyjson_mut_val *decoration_pin(const struct entity_context *c, const struct post *p);

yyjson_mut_val *decoration_list(const struct entity_context *c, const struct list *l);

/* What is told of something, in words: see social/notices/notice.h. */
yyjson_mut_val *decoration_notice(const struct entity_context *c, const struct notice *n);

/* Direct posts by conversation: see social/notices/talk.h. `viewer` reads it. */
yyjson_mut_val *decoration_talk(const struct entity_context *c, const struct talk *t, uint64_t viewer);

/* The name that is shown of somebody. */
const char *decoration_shown(const struct user *u);

/* The same between U+2068 and U+2069: a sentence around it keeps its direction, whatever that of the name is. */
const char *decoration_isolated(const struct entity_context *c, const struct user *u);

/* Mastodon has no such entity. */
yyjson_mut_val *decoration_session(const struct entity_context *c, const struct session *s);

#endif
