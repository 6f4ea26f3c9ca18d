/* entity.h - users and posts as JSON: Mastodon's entities, and nothing else.
 *
 * The API answers with them, and pages render them with a few more keys (decoration.h), so the two cannot drift apart.
 * Values go into the caller's document; strings come from its arena.
 *
 * The folder view/ turns data into text: this file and decoration.h make the documents, template.h renders them
 * (parse.h makes a program of a template, render.c runs it), locale.h has the words of each language, content.h makes
 * HTML of what people typed.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_H
#define VIEW_ENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

#include "view/entity_context.h"

struct list;
struct post;
struct tie;
struct user;
struct user_counts;

/* Account, without the members that cost a question of their own or are seldom shown: the functions below add those. */
yyjson_mut_val *entity_account(const struct entity_context *c, const struct user *u);
void entity_account_counts(const struct entity_context *c, yyjson_mut_val *account, const struct user_counts *counts);
/* fields[]{name, value (HTML), verified_at}. */
void entity_account_fields(const struct entity_context *c, yyjson_mut_val *account, const struct user *u);
void entity_account_note(const struct entity_context *c, yyjson_mut_val *account, const struct user *u);

/* Relationship: the viewer's to u. */
struct entity_relation {
    bool following, followed_by;
    bool requested; /* he is asked to let the viewer follow */
    unsigned apart; /* flags of visit_apart.h */
    bool requested_by, endorsed;
    const struct tie *tie; /* what the viewer wants of whom he follows (people/tie.h); NULL: nothing */
    const char *remark;    /* what he has noted about him; NULL: nothing */
};
yyjson_mut_val *entity_relationship(const struct entity_context *c, const struct user *u,
                                    const struct entity_relation *r);

/* Status. */
yyjson_mut_val *entity_status(const struct entity_context *c, const struct post *p);
/* Of it what is the viewer's: what he did with the post. Nothing for nobody. */
void entity_status_marks(const struct entity_context *c, yyjson_mut_val *status, const struct post *p);

/* List. */
yyjson_mut_val *entity_list(const struct entity_context *c, const struct list *l);

#endif
