/* entity_whole.h - people and posts with every field that apps need of Mastodon's entities: what the API answers with.
 * Pages show less, and make less (entity.h). The fields are listed in entity_table.c.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_WHOLE_H
#define VIEW_ENTITY_WHOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

#include "view/entity_context.h"

struct entity_relation;
struct post;
struct user;
struct user_counts;

/* Account. `counts` NULL and last_post (id of his newest post) 0: those that the visit knows of him, if any. */
yyjson_mut_val *entity_account_whole(const struct entity_context *c, const struct user *u,
                                     const struct user_counts *counts, uint64_t last_post);

/* CredentialAccount: his own, with what he prefers, and how many ask to follow him. */
yyjson_mut_val *entity_account_own(const struct entity_context *c, const struct user *u,
                                   const struct user_counts *counts, uint64_t last_post, int64_t requests);

/* Relationship. */
yyjson_mut_val *entity_relationship_whole(const struct entity_context *c, const struct user *u,
                                          const struct entity_relation *r);

/* Status; of a boost, with the boosted post in `reblog`. */
yyjson_mut_val *entity_status_whole(const struct entity_context *c, const struct post *p);

/* The post as it says itself: a boost says the words and has the numbers of what it boosts. */
struct post entity_status_words(const struct post *p);

/* Status without its author, of such a post. */
yyjson_mut_val *entity_status_rest(const struct entity_context *c, const struct post *p);

#endif
