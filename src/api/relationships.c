/* relationships.c - how one stands to others: following, blocking, muting, and who asks to follow. Connection threads.
 *
 * Each change is one action upon somebody, whose id is in the path; it answers with how things stand afterwards, which a
 * fresh visit reads. What was so already is no mistake.
 */
#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/arena.h"
#include "base/clock.h"
#include "social/people/apart.h"
#include "social/people/endorse.h"
#include "social/people/people.h"
#include "social/people/relation.h"
#include "social/people/remark.h"
#include "social/people/request.h"
#include "social/people/shown.h"
#include "social/people/tie.h"
#include "social/people/visit_apart.h"

#define PICKED_MOST 100
#define STANDARD 40
#define MOST 80
#define MUTE_SECONDS_MOST ((int64_t)400 * 86400)

/* Those of the people that are there, in the order in which they were asked for. */
static void api_relationships(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct people found;
    uint64_t ids[PICKED_MOST];
    api_begin(&c, req, resp);
    size_t count = api_ids(&c, "id", ids, PICKED_MOST);
    people_ask(c.visit, ids, count, &found);
    const struct relations *relations = relation_ask(c.visit, ids, count);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < count; i++) {
        if (found.users[i].id) {
            yyjson_mut_arr_append(list, api_relationship(&c, &relations->items[i]));
        }
    }
    api_answer(&c, list);
}

/* --- changing ------------------------------------------------------------------------------------------------------ */

/* What is done to somebody. */
typedef enum err person_action(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p);

/* How one stands to him after the change: read in the round trip of the change (people/shown.h). */
struct shown_relation {
    struct shown shown; /* first */
    const struct relations *now;
};

static void ask_relation(struct shown *self, struct visit *v, uint64_t id)
{
    ((struct shown_relation *)self)->now = relation_ask(v, &id, 1);
}

/* Reads by itself when nothing was changed. */
static void answer_relationship(struct api *c, const struct shown_relation *read, uint64_t id)
{
    const struct relations *now = read->now;
    c->visit = read->shown.is_read ? read->shown.visit : visit_again(c->visit);
    if (!read->shown.is_read) {
        now = relation_ask(c->visit, &id, 1);
    }
    if (read->shown.is_read || api_read(c)) {
        api_answer(c, api_relationship(c, &now->items[0]));
    }
}

/* Actions go by names, and judge whom they find. False: an error was answered. */
static bool find_person(struct api *c, struct follow_item *item)
{
    struct people found;
    struct user known;
    uint64_t id = api_id(c);
    if (user_cache_get(c->site->social, c->arena, id, &known) && known.id && !known.is_deleted &&
        !user_is_hidden(&known, c->viewer.id)) {
        *item = (struct follow_item){.name = known.name, .uid = id};
        return true;
    }
    people_ask(c->visit, &id, 1, &found);
    if (!api_read(c)) {
        return false;
    }
    *item = (struct follow_item){.name = found.users[0].name, .uid = found.users[0].id};
    if (!found.users[0].id) {
        api_error(c, ERR_NOT_FOUND, NULL);
    }
    return found.users[0].id != 0;
}

static person_action endorse_person;

static void change_person(struct http_request *req, struct http_response *resp, person_action *action)
{
    struct api c;
    struct follow_item item;
    struct problems problems = {.count = 0};
    api_begin(&c, req, resp);
    if (!find_person(&c, &item)) {
        return;
    }
    struct shown_relation read = {.shown = {.verified = c.visit, .ask = ask_relation}};
    struct actor by = api_actor(&c);
    by.shown = &read.shown;
    enum err e = action(&c, &by, &item, &problems);
    if (e == ERR_CONFLICT) {
        api_http_error(req, resp, 422,
                       "Validation failed: You follow, block, mute, endorse or note as many people as one may");
    } else if (e != ERR_OK) {
        api_refuse(&c, e, &problems);
    } else if (item.result == FOLLOW_UNKNOWN) {
        api_error(&c, ERR_NOT_FOUND, NULL);
    } else if (item.result == FOLLOW_REFUSED && action == endorse_person) {
        api_http_error(req, resp, 422, "Validation failed: You must follow whom you endorse");
    } else if (item.result == FOLLOW_REFUSED) {
        api_error(&c, ERR_FORBIDDEN, NULL);
    } else {
        answer_relationship(&c, &read, api_id(&c));
    }
}

/* A boolean; FOLLOW_AS_IS: it was not sent, or is none. */
static enum follow_choice choice_sent(const struct api *c, const char *name)
{
    bool on = api_bool(c, name, false);
    return on != api_bool(c, name, true) ? FOLLOW_AS_IS : on ? FOLLOW_YES : FOLLOW_NO;
}

static enum err follow_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    size_t count;
    const char *const *languages = api_texts(c, "languages", &count);
    struct follow_options how = {.boosts = choice_sent(c, "reblogs"), .tells = choice_sent(c, "notify")};
    how.languages = count ? tie_languages(c->arena, languages, count) : NULL;
    if (count && !how.languages) {
        problem_add(p, "languages", "choice_unknown");
        return ERR_INVALID;
    }
    enum err e = follow_one(c->site->social, c->arena, by, item, &how, p);
    return e == ERR_OK && item->result == FOLLOW_SELF ? ERR_FORBIDDEN : e;
}

static enum err unfollow_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return follow_many(c->site->social, c->arena, by, false, item, 1, p);
}

static enum err block_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return apart_block(c->site->social, c->arena, by, item, p);
}

static enum err unblock_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return apart_unblock(c->site->social, c->arena, by, item, p);
}

static enum err mute_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    int64_t seconds = api_number(c, "duration", 0);
    seconds = seconds < 0 ? 0 : seconds > MUTE_SECONDS_MOST ? MUTE_SECONDS_MOST : seconds;
    const struct apart_mute how = {.notifications = api_bool(c, "notifications", true), .seconds = (uint64_t)seconds};
    return apart_mute(c->site->social, c->arena, by, item, &how, p);
}

static enum err unmute_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return apart_unmute(c->site->social, c->arena, by, item, p);
}

static enum err endorse_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    enum err e = endorse_set(c->site->social, c->arena, by, item, true, p);
    return e == ERR_OK && item->result == FOLLOW_SELF ? ERR_FORBIDDEN : e;
}

static enum err unendorse_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return endorse_set(c->site->social, c->arena, by, item, false, p);
}

static enum err note_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    const char *comment = api_text(c, "comment");
    enum err e = remark_set(c->site->social, c->arena, by, item, comment ? comment : "", p);
    return e == ERR_OK && item->result == FOLLOW_SELF ? ERR_FORBIDDEN : e;
}

static enum err remove_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return apart_remove(c->site->social, c->arena, by, item, p);
}

/* Of those who do not ask there is nothing to answer. */
static enum err answer_person(struct api *c, const struct actor *by, bool grants, struct follow_item *item,
                              struct problems *p)
{
    enum err e = request_answer(c->site->social, c->arena, by, grants, item, 1, p);
    return e == ERR_OK && item->result != FOLLOW_CHANGED ? ERR_NOT_FOUND : e;
}

static enum err authorize_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return answer_person(c, by, true, item, p);
}

static enum err reject_person(struct api *c, const struct actor *by, struct follow_item *item, struct problems *p)
{
    return answer_person(c, by, false, item, p);
}

#define CHANGE(name)                                                                                                   \
    static void api_##name(struct http_request *req, struct http_response *resp)                                       \
    {                                                                                                                  \
        change_person(req, resp, name##_person);                                                                       \
    }
CHANGE(follow)
CHANGE(unfollow)
CHANGE(block)
CHANGE(unblock)
CHANGE(mute)
CHANGE(unmute)
CHANGE(remove)
CHANGE(endorse)
CHANGE(unendorse)
CHANGE(note)
CHANGE(authorize)
CHANGE(reject)

/* --- lists --------------------------------------------------------------------------------------------------------- */

static void put_mute_end(struct api *c, yyjson_mut_val *account, uint64_t until_ms)
{
    if (until_ms) {
        char *text = arena_alloc(c->arena, CLOCK_ISO_SIZE);
        clock_iso(until_ms, text);
        yyjson_mut_obj_add_str(c->entity.doc, account, "mute_expires_at", text);
    } else {
        yyjson_mut_obj_add_null(c->entity.doc, account, "mute_expires_at");
    }
}

static void apart_people(struct http_request *req, struct http_response *resp, unsigned flag)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, STANDARD, MOST, &q)) {
        return;
    }
    const struct apart_page *page = apart_list_ask(c.visit, flag, &q);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < page->count; i++) {
        yyjson_mut_val *account = api_account(&c, &page->rows[i].user);
        if (flag == APART_MUTES) {
            put_mute_end(&c, account, page->rows[i].until_ms);
        }
        yyjson_mut_arr_append(list, account);
    }
    if (page->count) {
        api_link(&c, page->older_id, page->rows[0].user.id);
    }
    api_answer(&c, list);
}

static void api_blocks(struct http_request *req, struct http_response *resp)
{
    apart_people(req, resp, APART_BLOCKS);
}

static void api_mutes(struct http_request *req, struct http_response *resp)
{
    apart_people(req, resp, APART_MUTES);
}

static void api_follow_requests(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, STANDARD, MOST, &q)) {
        return;
    }
    const struct follow_page *page = request_list_ask(c.visit, &q);
    if (api_read(&c)) {
        api_answer_people(&c, page);
    }
}

static void answer_endorsed(struct api *c, uint64_t id)
{
    struct follow_query q;
    if (!api_time_query(c, STANDARD, MOST, &q)) {
        return;
    }
    const struct follow_page *page = endorsed_ask(c->visit, id, &q);
    if (api_read(c)) {
        api_answer_people(c, page);
    }
}

static void api_account_endorsements(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    uint64_t id = api_id(&c);
    if (id) {
        answer_endorsed(&c, id);
    } else {
        api_error(&c, ERR_NOT_FOUND, NULL);
    }
}

static void api_endorsements(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    answer_endorsed(&c, 0);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

#define OF(scope) {api_parameter_account}, .scopes = scope, .bodies = API_BODIES, .answer = "Relationship"
#define LISTED(scope) .scopes = scope, .forgiven = "max_id since_id min_id limit", .answer = "[Account]"

/* clang-format off */
const struct http_route api_routes_relationships[] = {
    {HTTP_GET, "/api/v1/accounts/relationships", api_relationships, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:follows",
     .forgiven = "id[] with_suspended", .answer = "[Relationship]", .help = "how one stands to people, id[]"},
    {HTTP_POST, "/api/v1/accounts/:id/follow", api_follow, WHO_MEMBER, OF("write:follows"),
     .forgiven = "reblogs notify languages[]",
     .help = "follows him, or asks to; or says whether his boosts are wanted, posts in which languages, and notices of them"},
    {HTTP_POST, "/api/v1/accounts/:id/unfollow", api_unfollow, WHO_MEMBER, OF("write:follows"),
     .help = "follows him no more, or asks no more"},
    {HTTP_POST, "/api/v1/accounts/:id/remove_from_followers", api_remove, WHO_MEMBER, OF("write:follows"),
     .help = "takes him from one's followers"},
    {HTTP_POST, "/api/v1/accounts/:id/pin", api_endorse, WHO_MEMBER, OF("write:accounts"),
     .help = "recommends him on one's profile; one has to follow him"},
    {HTTP_POST, "/api/v1/accounts/:id/unpin", api_unendorse, WHO_MEMBER, OF("write:accounts"),
     .help = "recommends him no more"},
    {HTTP_POST, "/api/v1/accounts/:id/endorse", api_endorse, WHO_MEMBER, OF("write:accounts"), .help = "the same as pin"},
    {HTTP_POST, "/api/v1/accounts/:id/unendorse", api_unendorse, WHO_MEMBER, OF("write:accounts"),
     .help = "the same as unpin"},
    {HTTP_POST, "/api/v1/accounts/:id/note", api_note, WHO_MEMBER, OF("write:accounts"),
     .forgiven = "comment", .help = "notes something about him, for oneself alone"},
    {HTTP_GET, "/api/v1/accounts/:id/endorsements", api_account_endorsements, WHO_ANYONE, {api_parameter_account},
     LISTED("read:accounts"), .help = "whom he recommends, those he began with last first"},
    {HTTP_GET, "/api/v1/endorsements", api_endorsements, WHO_MEMBER, LISTED("read:accounts"),
     .help = "whom one recommends oneself"},
    {HTTP_POST, "/api/v1/accounts/:id/block", api_block, WHO_MEMBER, OF("write:blocks"), .help = "blocks him"},
    {HTTP_POST, "/api/v1/accounts/:id/unblock", api_unblock, WHO_MEMBER, OF("write:blocks"),
     .help = "blocks him no more"},
    {HTTP_POST, "/api/v1/accounts/:id/mute", api_mute, WHO_MEMBER, OF("write:mutes"),
     .forgiven = "notifications duration", .help = "mutes him, his notifications too unless one says no, for seconds or for ever"},
    {HTTP_POST, "/api/v1/accounts/:id/unmute", api_unmute, WHO_MEMBER, OF("write:mutes"), .help = "mutes him no more"},
    {HTTP_GET, "/api/v1/blocks", api_blocks, WHO_MEMBER, LISTED("read:blocks"), .help = "whom one blocks"},
    {HTTP_GET, "/api/v1/mutes", api_mutes, WHO_MEMBER, LISTED("read:mutes"), .help = "whom one mutes"},
    {HTTP_GET, "/api/v1/follow_requests", api_follow_requests, WHO_MEMBER, LISTED("read:follows"),
     .help = "who asks to follow"},
    {HTTP_POST, "/api/v1/follow_requests/:id/authorize", api_authorize, WHO_MEMBER, OF("write:follows"),
     .help = "lets him follow who asks"},
    {HTTP_POST, "/api/v1/follow_requests/:id/reject", api_reject, WHO_MEMBER, OF("write:follows"),
     .help = "rejects him who asks"},
    {0},
};
/* clang-format on */
