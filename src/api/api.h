/* api.h - what all handlers of the API share: begin, read, input, answers, errors, paging. Inside api/ only.
 *
 * A handler begins a call (whose token is it), asks call->visit for all that it shows, reads, and answers with JSON.
 * api_read answers by itself when it returns false: the handler just returns.
 *
 * What clients need, and how they break: rules of Mastodon's API are named where they are obeyed.
 *
 * Threads: a call belongs to one connection thread.
 */
#ifndef API_API_H
#define API_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "http/http.h"
#include "social/core/actor.h"
#include "social/core/problem.h"
#include "social/people/visit.h"
#include "social/timelines/timeline.h"
#include "view/entity.h"
#include "view/entity_whole.h"
#include "view/json.h"
#include "view/site.h"

struct locale;

/* Every write takes every encoding. */
#define API_BODIES (HTTP_FORM | HTTP_JSON | HTTP_MULTIPART)

struct api {
    struct site *site;
    struct http_request *req;
    struct http_response *resp;
    struct arena *arena;
    struct visit *visit;
    struct user viewer; /* id 0: nobody, an application by itself, or not known before the call has read */
    struct entity_context entity;
};

/* Who asks. No round trip yet. */
void api_begin(struct api *c, struct http_request *req, struct http_response *resp);

/* Reads all that was asked of call->visit. False: an error was answered: the token is bad or says too little, somebody
 * must be signed in, or an error of the reads. A handler for unsafe methods of members need not read to know who asks:
 * call->viewer is known from api_begin on. */
bool api_read(struct api *c);

/* The visitor as an actor, once he is known. */
struct actor api_actor(const struct api *c);

/* --- answers ------------------------------------------------------------------------------------------------------- */

/* 200 with this value. */
void api_answer(struct api *c, yyjson_mut_val *value);
void api_answer_empty(struct api *c); /* {} */
void api_answer_none(struct api *c);  /* [] */

/* {"error": text}; text NULL: the standard one of the status. */
void api_error(struct api *c, enum err e, const char *text);

/* The refusal of an action: with words for what is wrong ("Validation failed: ..."), or seconds to wait. */
void api_refuse(struct api *c, enum err e, const struct problems *p);

/* Token (oauth.c). */
struct token_made;
void api_answer_token(struct api *c, const struct token_made *token);

/* --- input --------------------------------------------------------------------------------------------------------- */

/* Of the body, else of the query; the last of several, as in Rails. NULL: absent. */
const char *api_text(const struct api *c, const char *name);

/* true, True, 1, on, t, yes / false, 0, off, …, in any case; what is neither: fallback. */
bool api_bool(const struct api *c, const char *name, bool fallback);
bool api_bool_of(const char *value, bool fallback); /* of a value, NULL: absent */

/* A decimal number, may be negative; fallback where it is absent or no number. */
int64_t api_number(const struct api *c, const char *name, int64_t fallback);

/* The values of name[] and name, in the order in which they came: in the arena; *count of them. */
const char *const *api_texts(const struct api *c, const char *name, size_t *count);

/* The same as ids; what is no id is left out. */
size_t api_ids(const struct api *c, const char *name, uint64_t *ids, size_t most);

/* The id in the path, 0 if it is none. */
uint64_t api_id(const struct api *c);

/* --- paging -------------------------------------------------------------------------------------------------------- */

/* `limit`, clamped to 1..most. False: a negative one was answered with 400. */
bool api_limit(struct api *c, unsigned standard, unsigned most, unsigned *limit);

/* The cursors of the request. False: answered with 400. */
bool api_query(struct api *c, unsigned standard, unsigned most, struct timeline_query *q);

/* The same of lists whose cursors are times. */
struct follow_query;
bool api_time_query(struct api *c, unsigned standard, unsigned most, struct follow_query *q);

/* Adds the Link header: absolute addresses with the other parameters of the query, next first. older: where the next
 * page begins (max_id), newer: where the one before does (min_id); 0: there is none. With neither there is no header.
 * Not for an empty page: Mastodon.py fails there. */
void api_link(struct api *c, uint64_t older, uint64_t newer);

/* The same for a page without entries that is not the last: so many were looked at, and there are more behind. Clients
 * that follow addresses go on; those that look for the cursor themselves stop. With neither there is no header. */
void api_link_empty(struct api *c, uint64_t older, uint64_t newer);

/* Statuses with the Link header: prev always, so that a client can ask what came meanwhile. */
void api_answer_statuses(struct api *c, const struct timeline_page *t);

/* --- lists of things (api_show.c) ---------------------------------------------------------------------------------- */

/* An array of them. */
struct post;

/* Reads a post by its id, with all that was asked besides. NULL: an error was answered, for one that the caller may not
 * see too. */
const struct post *api_pick(struct api *c, uint64_t id);

/* The same, the first of some that is there. */
const struct post *api_pick_first(struct api *c, const uint64_t *ids, size_t count);

/* Status, as text: nothing can be added to it any more. */
yyjson_mut_val *api_post_json(const struct api *c, const struct post *p);

yyjson_mut_val *api_posts(const struct api *c, const struct post *posts, size_t count);

/* Accounts with the Link header, whose cursors are times. */
struct follow_page;
void api_answer_people(struct api *c, const struct follow_page *page);

/* Conversation (conversations.c). */
struct talk;
yyjson_mut_val *api_conversation_json(const struct api *c, const struct talk *t);

/* --- people (api_account.c) ---------------------------------------------------------------------------------------- */

/* Account, with the numbers that the visit has read. */
struct user;
yyjson_mut_val *api_account(const struct api *c, const struct user *u);

/* An array of them, without those of id 0. */
yyjson_mut_val *api_people(const struct api *c, const struct user *users, size_t count);

/* Relationship. */
struct relation;
yyjson_mut_val *api_relationship(const struct api *c, const struct relation *r);

/* The name in "name", "@name", "name@host", "@name@host"; "" if the host is another one. */
const char *api_handle_name(const struct api *c, const char *handle);

/* --- the areas (areas.c) ------------------------------------------------------------------------------------------- */

enum err api_verify(struct http_request *req);
void api_http_error(struct http_request *req, struct http_response *resp, int status, const char *text);
void api_denied(struct http_request *req, struct http_response *resp, enum err e);
void api_invalid(struct http_request *req, struct http_response *resp, const struct http_parameter *p);

#endif
