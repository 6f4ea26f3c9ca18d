/* notifications_grouped.c - notifications in groups (the second version), and which of them one wants. Connection threads.
 *
 * A group is a notice as pages have it: all favourites of a post, whenever they came. It stands once, where its newest is,
 * so a client that goes on below a page's oldest ids misses none. Kinds that a client cannot show in groups
 * (grouped_types[]) come one by one.
 */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/notices.h"
#include "base/arena.h"
#include "view/entity_notice.h"

#define STANDARD 40
#define MOST 80
#define SAMPLE 8 /* people of a group who are shown */
#define KEY_MOST 40

/* The kinds that the client shows in groups. */
static unsigned grouped_of(const struct api *c)
{
    size_t named;
    unsigned kinds = api_notice_kinds(c, "grouped_types", &named);
    return named ? kinds & NOTICE_GROUPED : NOTICE_GROUPED;
}

/* --- groups, with all that they name ------------------------------------------------------------------------------- */

struct results {
    struct api *c;
    yyjson_mut_val *accounts, *partial, *statuses, *groups;
    uint64_t *seen; /* ids of the people who are there */
    size_t count;
};

static bool is_first_seen(struct results *r, uint64_t id)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->seen[i] == id) {
            return false;
        }
    }
    r->seen[r->count++] = id;
    return true;
}

/* The newest of each first: these are shown in full. */
static void put_first_people(struct results *r, const struct notice_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct user *u = &page->items[i].people[0];
        if (is_first_seen(r, u->id)) {
            yyjson_mut_arr_append(r->accounts, api_account(r->c, u));
        }
    }
}

static void put_others(struct results *r, const struct notice *n)
{
    for (size_t i = 1; i < n->people_count; i++) {
        if (!is_first_seen(r, n->people[i].id)) {
            continue;
        }
        if (r->partial) {
            yyjson_mut_arr_append(r->partial, entity_account_partial(&r->c->entity, &n->people[i]));
        } else {
            yyjson_mut_arr_append(r->accounts, api_account(r->c, &n->people[i]));
        }
    }
}

/* Whether an earlier group is about the same post. */
static bool has_status(const struct notice_page *page, size_t i)
{
    bool has = false;
    for (size_t j = 0; j < i; j++) {
        has |= page->items[j].post.id == page->items[i].post.id;
    }
    return has;
}

static void answer_groups(struct api *c, const struct notice_page *page, unsigned grouped, bool is_paged)
{
    yyjson_mut_doc *doc = c->entity.doc;
    const char *expand = api_text(c, "expand_accounts");
    bool is_partial = expand && strcmp(expand, "partial_avatars") == 0;
    struct results r = {c,
                        yyjson_mut_arr(doc),
                        is_partial ? yyjson_mut_arr(doc) : NULL,
                        yyjson_mut_arr(doc),
                        yyjson_mut_arr(doc),
                        arena_alloc(c->arena, (page->count * SAMPLE + 1) * sizeof(*r.seen)),
                        0};
    put_first_people(&r, page);
    for (size_t i = 0; i < page->count; i++) {
        const struct notice *n = &page->items[i];
        put_others(&r, n);
        if (n->post.id && !has_status(page, i)) {
            yyjson_mut_arr_append(r.statuses, api_post_json(c, &n->post));
        }
        yyjson_mut_arr_append(r.groups, entity_notification_group(&c->entity, n, grouped, is_paged));
    }
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_val(doc, o, "accounts", r.accounts);
    if (r.partial) {
        yyjson_mut_obj_add_val(doc, o, "partial_accounts", r.partial);
    }
    yyjson_mut_obj_add_val(doc, o, "statuses", r.statuses);
    yyjson_mut_obj_add_val(doc, o, "notification_groups", r.groups);
    api_answer(c, o);
}

static void api_groups(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    unsigned grouped = grouped_of(&c);
    struct notice_query q = {.single = NOTICE_GROUPED & ~grouped, .shown = SAMPLE, .spans = true};
    const char *expand = api_text(&c, "expand_accounts");
    if (expand && strcmp(expand, "full") != 0 && strcmp(expand, "partial_avatars") != 0) {
        api_http_error(req, resp, 400,
                       "Invalid value for 'expand_accounts', allowed values are 'full' and 'partial_avatars'");
        return;
    }
    if (!api_time_query(&c, STANDARD, MOST, &q.at)) {
        return;
    }
    const struct notice_page *page =
        api_notice_query(&c, &q) ? notice_page_ask(c.visit, &q) : arena_zero(c.arena, sizeof(*page));
    if (!api_read(&c)) {
        return;
    }
    if (page->count) {
        api_link(&c, page->older_us, page->items[0].at_us);
    }
    answer_groups(&c, page, grouped, true);
}

static void api_groups_unread(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    struct notice_query q = {.single = NOTICE_GROUPED & ~grouped_of(&c)};
    api_answer_unread(&c, &q);
}

/* --- one group ------------------------------------------------------------------------------------------------------ */

/* What the key in the path names: a group, or (NULL) a single notification by its id; neither: nothing can be such. */
static const char *path_group(const struct api *c, uint64_t *id)
{
    const char *group;
    return entity_notice_key_parse(c->arena, http_variable(c->req, "id"), &group, id) ? group : NULL;
}

/* Reads the one of the path, in which a group may be; NULL: an error was answered. */
static const struct notice_page *read_group(struct api *c, bool bare, const char **group)
{
    uint64_t id;
    *group = path_group(c, &id);
    struct notice_query q = {.group = *group, .at.limit = 1, .shown = SAMPLE, .bare = bare};
    if (!*group) {
        q.single = NOTICE_GROUPED;
        q.at = (struct follow_query){.max_us = id + 1, .since_us = id ? id - 1 : 0, .limit = 1};
    }
    const struct notice_page *page = notice_page_ask(c->visit, &q);
    if (!api_read(c)) {
        return NULL;
    }
    if (!page->count) {
        api_error(c, ERR_NOT_FOUND, NULL);
    }
    return page->count ? page : NULL;
}

static void api_group(struct http_request *req, struct http_response *resp)
{
    struct api c;
    const char *group;
    api_begin(&c, req, resp);
    const struct notice_page *page = read_group(&c, false, &group);
    if (page) {
        answer_groups(&c, page, group ? NOTICE_GROUPED : 0, false);
    }
}

static void api_group_accounts(struct http_request *req, struct http_response *resp)
{
    struct api c;
    uint64_t id;
    struct notice_query q = {.single = NOTICE_GROUPED};
    api_begin(&c, req, resp);
    q.group = path_group(&c, &id);
    if (!api_time_query(&c, STANDARD, MOST, &q.at)) {
        return;
    }
    bool goes_on = q.at.max_us || q.at.min_us || q.at.since_us;
    if (!q.group) {
        q.at = (struct follow_query){.max_us = id + 1, .since_us = id ? id - 1 : 0, .limit = 1};
    }
    const struct notice_page *page = notice_page_ask(c.visit, &q);
    if (!api_read(&c)) {
        return;
    }
    if (!page->count && !goes_on) {
        api_error(&c, ERR_NOT_FOUND, NULL);
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < page->count; i++) {
        yyjson_mut_arr_append(list, api_account(&c, &page->items[i].people[0]));
    }
    if (page->count) {
        api_link(&c, page->older_us, page->items[0].at_us);
    }
    api_answer(&c, list);
}

static void api_group_dismiss(struct http_request *req, struct http_response *resp)
{
    struct api c;
    const char *group;
    api_begin(&c, req, resp);
    const struct notice_page *page = read_group(&c, true, &group);
    if (page) {
        const struct actor by = api_actor(&c);
        enum err e = group ? notice_dismiss(c.site->social, c.arena, &by, group, INT64_MAX / 2)
                           : notice_dismiss_one(c.site->social, c.arena, &by, &page->items[0]);
        api_after_notices(&c, e);
    }
}

/* --- which one wants ------------------------------------------------------------------------------------------------ */

/* All are told here of everybody whom they have not blocked or muted: there is no other way. */
static const char *const policies[] = {"for_not_following", "for_not_followers", "for_new_accounts",
                                       "for_private_mentions", "for_limited_accounts"};

#define POLICIES (sizeof(policies) / sizeof(*policies))

static void answer_policy(struct api *c)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    for (size_t i = 0; i < POLICIES; i++) {
        yyjson_mut_obj_add_str(doc, o, policies[i], "accept");
    }
    yyjson_mut_val *summary = yyjson_mut_obj_add_obj(doc, o, "summary");
    yyjson_mut_obj_add_int(doc, summary, "pending_requests_count", 0);
    yyjson_mut_obj_add_int(doc, summary, "pending_notifications_count", 0);
    api_answer(c, o);
}

static void api_policy(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        answer_policy(&c);
    }
}

static void api_policy_set(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (!api_read(&c)) {
        return;
    }
    for (size_t i = 0; i < POLICIES; i++) {
        const char *value = api_text(&c, policies[i]);
        if (value && strcmp(value, "accept") != 0) {
            api_http_error(req, resp, 422,
                           "Validation failed: this site knows no policy but accept; mute or block people");
            return;
        }
    }
    answer_policy(&c);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter group_key[] = {
    {"id", HTTP_TEXT, 1, KEY_MOST, true, "group_key of the group"},
    {0},
};

#define PATH "/api/v2/notifications"
#define FILTERS "types[] exclude_types[] grouped_types[] account_id"

/* clang-format off */
const struct http_route api_routes_notifications_grouped[] = {
    {HTTP_GET, PATH, api_groups, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:notifications", .answer = "GroupedNotificationsResults",
     .forgiven = "max_id since_id min_id limit expand_accounts include_filtered " FILTERS,
     .help = "what others did that concerns one, in groups"},
    {HTTP_GET, PATH "/unread_count", api_groups_unread, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:notifications",
     .forgiven = "limit " FILTERS, .answer = "UnreadCount", .help = "how many groups were not seen, up to a limit"},
    {HTTP_GET, PATH "/policy", api_policy, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:notifications", .answer = "NotificationPolicy",
     .help = "of whom one is told: of everybody but those whom one blocks or mutes"},
    {HTTP_PATCH, PATH "/policy", api_policy_set, WHO_MEMBER, .bodies = API_BODIES, .scopes = "write:notifications",
     .answer = "NotificationPolicy",
     .forgiven = "for_not_following for_not_followers for_new_accounts for_private_mentions for_limited_accounts",
     .help = "the same: anything but accept is refused"},
    {HTTP_GET, PATH "/:id", api_group, WHO_MEMBER, {group_key}, .flags = HTTP_RECALLED, .scopes = "read:notifications",
     .answer = "GroupedNotificationsResults", .help = "one group"},
    {HTTP_GET, PATH "/:id/accounts", api_group_accounts, WHO_MEMBER, {group_key}, .flags = HTTP_RECALLED, .scopes = "read:notifications",
     .answer = "[Account]", .forgiven = "max_id since_id min_id limit", .help = "the people of a group"},
    {HTTP_POST, PATH "/:id/dismiss", api_group_dismiss, WHO_MEMBER, {group_key}, .bodies = API_BODIES,
     .scopes = "write:notifications", .answer = "Empty", .help = "takes a group away"},
    {0},
};
/* clang-format on */
