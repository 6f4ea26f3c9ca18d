/* accounts.c - people: one or several, whom they follow and who follows them, what they wrote. Changing oneself:
 * account_edit.c; how one stands to others: relationships.c; finding people: search.c. Connection threads.
 */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/arena.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "social/people/follow.h"
#include "social/people/people.h"
#include "social/timelines/timeline.h"

#define PICKED_MOST 40
#define FAMILIAR_MOST 5 /* people at once: each is compared with all whom the visitor knows */
#define PEOPLE_STANDARD 40
#define PEOPLE_MOST 80
#define POSTS_STANDARD 20
#define POSTS_MOST 40

static void api_account_show(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct people found;
    uint64_t id;
    api_begin(&c, req, resp);
    id = api_id(&c);
    people_ask(c.visit, &id, 1, &found);
    if (!api_read(&c)) {
        return;
    }
    if (found.users[0].id) {
        api_answer(&c, api_account(&c, &found.users[0]));
    } else {
        api_error(&c, ERR_NOT_FOUND, NULL);
    }
}

static void api_accounts(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct people found;
    uint64_t ids[PICKED_MOST];
    api_begin(&c, req, resp);
    people_ask(c.visit, ids, api_ids(&c, "id", ids, PICKED_MOST), &found);
    if (api_read(&c)) {
        api_answer(&c, api_people(&c, found.users, found.count));
    }
}

static void api_lookup(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const char *acct = api_text(&c, "acct");
    const struct user *u = user_named_ask(c.visit, api_handle_name(&c, acct ? acct : ""));
    if (!api_read(&c)) {
        return;
    }
    if (u->id) {
        api_answer(&c, api_account(&c, u));
    } else {
        api_error(&c, ERR_NOT_FOUND, NULL);
    }
}

/* --- lists --------------------------------------------------------------------------------------------------------- */

static void answer_follow_list(struct http_request *req, struct http_response *resp, bool followers)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, PEOPLE_STANDARD, PEOPLE_MOST, &q)) {
        return;
    }
    const struct follow_page *page = follow_list_of_ask(c.visit, api_id(&c), followers, &q);
    if (api_read(&c)) {
        api_answer_people(&c, page);
    }
}

static void api_followers(struct http_request *req, struct http_response *resp)
{
    answer_follow_list(req, resp, true);
}

static void api_following(struct http_request *req, struct http_response *resp)
{
    answer_follow_list(req, resp, false);
}

/* Whom the visitor follows among each one's followers; only some of them. */
static void api_familiar_followers(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct people found;
    uint64_t ids[FAMILIAR_MOST];
    const struct follow_relation *relations[FAMILIAR_MOST];
    api_begin(&c, req, resp);
    size_t count = api_ids(&c, "id", ids, FAMILIAR_MOST);
    people_ask(c.visit, ids, count, &found);
    for (size_t i = 0; i < count; i++) {
        relations[i] = follow_common_ask(c.visit, &found.users[i]);
    }
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < count; i++) {
        const struct follow_common *known = &relations[i]->common[FOLLOW_SHARED_KNOWN];
        if (found.users[i].id) {
            yyjson_mut_val *one = yyjson_mut_arr_add_obj(c.entity.doc, list);
            yyjson_mut_obj_add_str(c.entity.doc, one, "id", id_text(c.arena, ids[i]));
            yyjson_mut_obj_add_val(c.entity.doc, one, "accounts", api_people(&c, known->some, known->some_count));
        }
    }
    api_answer(&c, list);
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

/* Folded; NULL: no tag is wanted. */
static const char *tag_wanted(const struct api *c)
{
    const char *tag = api_text(c, "tagged");
    size_t length = tag ? strlen(tag) : 0;
    return length ? entity_scan_fold(tag, length, arena_alloc(c->arena, length + 1)) : NULL;
}

static void api_account_statuses(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct timeline_query q;
    api_begin(&c, req, resp);
    if (!api_query(&c, POSTS_STANDARD, POSTS_MOST, &q)) {
        return;
    }
    bool pinned = api_bool(&c, "pinned", false);
    const struct timeline_leaves leaves = {.answers = api_bool(&c, "exclude_replies", false),
                                           .boosts = api_bool(&c, "exclude_reblogs", false),
                                           .but_tagged = tag_wanted(&c)};
    const struct timeline_profile *own = timeline_of_ask(c.visit, api_id(&c), &leaves, &q);
    if (!api_read(&c)) {
        return;
    }
    if (api_bool(&c, "only_media", false)) {
        api_answer_none(&c); /* no post has pictures */
    } else if (pinned) {
        api_answer(&c, api_posts(&c, own->pins.posts, own->pins.count < q.limit ? own->pins.count : q.limit));
    } else {
        api_answer_statuses(&c, &own->page);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

#define OF_LINKS .forgiven = "max_id since_id min_id limit"

/* clang-format off */
const struct http_route api_routes_accounts[] = {
    {HTTP_GET, "/api/v1/accounts", api_accounts, WHO_ANYONE, .scopes = "read:accounts",
     .forgiven = "id[]", .answer = "[Account]", .help = "people by their ids, id[]: those that are there"},
    {HTTP_GET, "/api/v1/accounts/lookup", api_lookup, WHO_ANYONE, .flags = HTTP_RECALLED, .scopes = "read:accounts",
     .forgiven = "acct", .answer = "Account", .help = "somebody by his name"},
    {HTTP_GET, "/api/v1/accounts/familiar_followers", api_familiar_followers, WHO_MEMBER, .scopes = "read:follows",
     .forgiven = "id[]", .answer = "[FamiliarFollowers]", .help = "some of those whom one follows among the followers of people, id[]"},
    {HTTP_GET, "/api/v1/accounts/:id", api_account_show, WHO_ANYONE, {api_parameter_account}, .flags = HTTP_RECALLED, .scopes = "read:accounts",
     .answer = "Account", .help = "somebody"},
    {HTTP_GET, "/api/v1/accounts/:id/statuses", api_account_statuses, WHO_ANYONE, {api_parameter_account}, .flags = HTTP_RECALLED, .scopes = "read:statuses",
     .forgiven = "max_id since_id min_id limit exclude_replies exclude_reblogs only_media pinned tagged",
     .answer = "[Status]", .help = "his posts"},
    {HTTP_GET, "/api/v1/accounts/:id/followers", api_followers, WHO_ANYONE, {api_parameter_account}, .flags = HTTP_RECALLED, .scopes = "read:accounts",
     OF_LINKS, .answer = "[Account]", .help = "who follows him, those who came last first"},
    {HTTP_GET, "/api/v1/accounts/:id/following", api_following, WHO_ANYONE, {api_parameter_account}, .flags = HTTP_RECALLED, .scopes = "read:accounts",
     OF_LINKS, .answer = "[Account]", .help = "whom he follows, likewise"},
    {0},
};
/* clang-format on */
