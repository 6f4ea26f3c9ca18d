/* entity.h - users and posts as JSON: Mastodon's Account and Status, with a few more keys that only pages use.
 *
 * Pages render these and the API answers with them, so the two cannot drift apart. The keys are listed in
 * web/templates/README.md. Values go into the caller's document; strings come from its arena.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_H
#define VIEW_ENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

struct arena;
struct list;
struct locale;
struct post;
struct session;
struct user;
struct user_counts;

struct entity_context {
    struct arena *arena;
    yyjson_mut_doc *doc;
    const struct locale *locale;
    const char *origin; /* "https://example.org" */
    uint64_t now_ms;
    uint64_t viewer; /* id, 0 when signed out */
};

yyjson_mut_val *entity_account(const struct entity_context *c, const struct user *u);

/* Adds what only some pages know. */
void entity_account_counts(const struct entity_context *c, yyjson_mut_val *account, const struct user_counts *counts);
void entity_account_profile(const struct entity_context *c, yyjson_mut_val *account, const struct user *u);
void entity_account_relation(const struct entity_context *c, yyjson_mut_val *account, const struct user *u,
                             bool following, bool followed_by);
void entity_account_since(const struct entity_context *c, yyjson_mut_val *account, uint64_t since_ms);

yyjson_mut_val *entity_status(const struct entity_context *c, const struct post *p);

yyjson_mut_val *entity_list(const struct entity_context *c, const struct list *l);

yyjson_mut_val *entity_session(const struct entity_context *c, const struct session *s);

#endif
