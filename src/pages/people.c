/* people.c - a person's page, lists of following and followers, and following. Connection threads. */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "config/config.h"
#include "pages/act.h"
#include "pages/beside.h"
#include "pages/handlers.h"
#include "pages/names.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/follow.h"
#include "social/people/people.h"
#include "social/people/tie.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_ties.h"
#include "social/timelines/list.h"
#include "social/timelines/tag_trends.h"
#include "view/locale.h"

#define NEWEST_BESIDE 10 /* of whom some are shown: those whom the visitor does not follow */

/* What two people share: a kind each (the class on the page, too), whose words are those of the kind. */
static void put_shared(struct page *p, yyjson_mut_val *list, const char *kind, const struct follow_common *c,
                       const char *words, const char *name)
{
    if (!c->count) {
        return;
    }
    const char *key = c->is_least ? arena_printf(p->arena, "%s_least", words) : words;
    yyjson_mut_val *common = yyjson_mut_arr_add_obj(p->entity.doc, list);
    page_put(p, common, "kind", kind, "text", locale_plural(p->arena, p->locale, key, c->count, "name", name, NULL),
             NULL);
    yyjson_mut_val *accounts = yyjson_mut_obj_add_arr(p->entity.doc, common, "accounts");
    for (size_t i = 0; i < c->some_count; i++) {
        yyjson_mut_arr_append(accounts, decoration_account(&p->entity, &c->some[i]));
    }
}

static void put_common(struct page *p, const struct user *u, const struct follow_relation *r)
{
    static const struct {
        const char *kind, *words;
    } shared[FOLLOW_SHARED_KINDS] = {
        [FOLLOW_SHARED_FOLLOWERS] = {"common", "common_followers"},
        [FOLLOW_SHARED_KNOWN] = {"common-known", "common_known"},
        [FOLLOW_SHARED_FOLLOWING] = {"common-following", "common_following"},
    };
    yyjson_mut_val *list = page_list(p, "common");
    for (unsigned i = 0; i < FOLLOW_SHARED_KINDS; i++) {
        put_shared(p, list, shared[i].kind, &r->common[i], shared[i].words, decoration_shown(u));
    }
}

/* `known` (NULL: nothing) is how he stands to the visitor. */
static void put_account(struct page *p, const struct user *u, const struct user_counts *counts,
                        const struct follow_relation *known)
{
    const struct entity_relation relation = {.following = visit_follows(p->visit, u->id),
                                             .requested = visit_asked(p->visit, u->id),
                                             .followed_by = known && known->followed_by,
                                             .endorsed = known && known->endorsed,
                                             .tie = visit_tie(p->visit, u->id),
                                             .apart = visit_apart(p->visit, u->id)};
    yyjson_mut_val *account = decoration_account(&p->entity, u);
    decoration_account_counts(&p->entity, account, counts);
    decoration_account_profile(&p->entity, account, u);
    decoration_account_relation(&p->entity, account, u, &relation);
    if (relation.tie && *relation.tie->languages) {
        page_put(p, account, "languages", relation.tie->languages, NULL);
    }
    page_set_object(p, "account", account);
    if (u->id == p->viewer.id) {
        page_is(p, "is_own_profile");
    }
}

/* What is said in place of the posts when one of both blocks the other. */
static void put_apart(struct page *p, const struct user *u)
{
    unsigned apart = visit_apart(p->visit, u->id);
    if (apart & (APART_BLOCKS | APART_BLOCKED_BY)) {
        const char *key = apart & APART_BLOCKS ? "apart_blocked" : "apart_blocked_by";
        page_set(p, "apart_text", locale_format(p->arena, p->locale, key, "name", u->name, NULL));
    }
}

/* Somebody, above some of his posts: a tab for each choice. *remark: what the visitor has noted about him. False: an
 * error was answered. */
static bool put_somebody(struct page *p, const char *name, enum timeline_own which, const char **remark)
{
    struct timeline_query q = page_query(p);
    visit_want_following(p->visit);
    visit_want_apart(p->visit);
    visit_want_ties(p->visit);
    const struct timeline_profile *own = timeline_profile_ask(p->visit, name, which, &q);
    const struct follow_relation *relation = follow_common_ask(p->visit, &own->user);
    const struct lists *lists = list_all_ask(p->visit, &own->user);
    const struct people *newest = newest_people_ask(p->visit, NEWEST_BESIDE);
    const struct trends *trends = trends_ask(p->visit, true);
    if (!page_read(p)) {
        return false;
    }
    const struct user *u = &own->user;
    page_set(p, "title", arena_printf(p->arena, "%s (@%s)", decoration_shown(u), u->name));
    page_is(p, "is_profile");
    if (which == TIMELINE_OWN_ALL) {
        page_is(p, "is_profile_replies");
    } else {
        page_pins(p, &own->pins);
    }
    put_account(p, u, &own->counts, relation);
    put_common(p, u, relation);
    put_apart(p, u);
    page_people_lists(p, lists);
    const char *path = arena_printf(p->arena, "/@%s", u->name);
    page_share(p, decoration_shown(u), u->bio, path);
    page_set(p, "feed", arena_printf(p->arena, "%s/feed", path));
    const char *base = which == TIMELINE_OWN_ALL ? arena_printf(p->arena, "%s/replies", path) : path;
    page_timeline(p, "statuses", &own->page, base);
    page_trends(p, trends, PAGE_TRENDS_BESIDE);
    beside_profile(p, newest, u->id);
    *remark = relation->remark;
    return true;
}

bool page_fill_profile(struct page *p, const char *subject)
{
    const char *remark;
    return put_somebody(p, subject, TIMELINE_OWN_WITHOUT_ANSWERS, &remark);
}

static void profile(struct http_request *req, struct http_response *resp, enum timeline_own which)
{
    struct page p;
    const char *remark;
    page_begin(&p, req, resp);
    if (put_somebody(&p, http_variable(req, "name"), which, &remark)) {
        page_put(&p, page_object(&p, "form"), "comment", remark, NULL);
        page_render(&p, "profile");
    }
}

static void page_profile(struct http_request *req, struct http_response *resp)
{
    profile(req, resp, TIMELINE_OWN_WITHOUT_ANSWERS);
}

static void page_profile_replies(struct http_request *req, struct http_response *resp)
{
    profile(req, resp, TIMELINE_OWN_ALL);
}

/* --- lists --- */

static void put_rows(struct page *p, const struct follow_page *list, const char *base)
{
    yyjson_mut_val *accounts = page_list(p, "accounts");
    for (size_t i = 0; i < list->count; i++) {
        const struct follow_row *row = &list->rows[i];
        const struct entity_relation relation = {.following = visit_follows(p->visit, row->user.id),
                                                 .requested = visit_asked(p->visit, row->user.id),
                                                 .followed_by = row->followed_by,
                                                 .apart = visit_apart(p->visit, row->user.id)};
        yyjson_mut_val *account = decoration_account_row(&p->entity, &row->user, &relation);
        decoration_account_since(&p->entity, account, row->since_us / 1000);
        yyjson_mut_arr_append(accounts, account);
    }
    page_time_paging(p, base, list->older_us, list->newer_us);
}

/* Fills a list page. False: an error was answered. */
static bool put_people(struct page *p, const char *name, bool followers)
{
    struct follow_query q = page_time_query(p);
    visit_want_apart(p->visit);
    const struct follow_page *list = follow_list_ask(p->visit, name, followers, &q);
    if (!page_read(p)) {
        return false;
    }
    const char *base = arena_printf(p->arena, "/@%s/%s", list->user.name, followers ? "followers" : "following");
    page_title(p, followers ? "title_followers" : "title_following", "name", decoration_shown(&list->user));
    page_is(p, followers ? "is_followers" : "is_following");
    put_account(p, &list->user, &list->counts, NULL);
    put_rows(p, list, base);
    if (user_hides_people(&list->user, p->viewer.id)) {
        page_is(p, "people_hidden");
    }
    page_path(p, base);
    return true;
}

static void people(struct http_request *req, struct http_response *resp, bool followers)
{
    struct page p;
    page_begin(&p, req, resp);
    if (put_people(&p, http_variable(req, "name"), followers)) {
        page_render(&p, followers ? "followers" : "following");
    }
}

static void page_following(struct http_request *req, struct http_response *resp)
{
    people(req, resp, false);
}

static void page_followers(struct http_request *req, struct http_response *resp)
{
    people(req, resp, true);
}

/* --- following one --- */

static enum follow_choice follow_chosen(struct page *p, const char *field)
{
    const char *word = page_field(p, field);
    return strcmp(word, "true") == 0 ? FOLLOW_YES : strcmp(word, "false") == 0 ? FOLLOW_NO : FOLLOW_AS_IS;
}

/* The codes that were typed, with commas or blanks between. NULL: something is no code, or they are too many. */
static const char *languages_typed(struct page *p)
{
    const char *codes[TIE_LANGUAGES_MOST + 1], *rest = page_field(p, "languages"), *at;
    size_t count = 0, length;
    while (count <= TIE_LANGUAGES_MOST && (at = text_token(&rest, ", \t\r\n", &length))) {
        codes[count++] = arena_printf(p->arena, "%.*s", (int)length, at);
    }
    return tie_languages(p->arena, codes, count);
}

static void follow_button_change(struct http_request *req, struct http_response *resp, bool on)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item item = {.name = http_variable(req, "name")};
    struct follow_options how = {.boosts = follow_chosen(&p, "reblogs"), .tells = follow_chosen(&p, "notify")};
    const char *next = page_next(&p, arena_printf(p.arena, "/@%s", item.name));
    if (follow_chosen(&p, "by_language") == FOLLOW_YES && !(how.languages = languages_typed(&p))) {
        page_redirect(&p, next, "flash_languages_unknown", TEXT_OF(TIE_LANGUAGES_MOST));
        return;
    }
    enum err e = on ? follow_one(p.site->social, p.arena, &by, &item, &how, &problems)
                    : follow_many(p.site->social, p.arena, &by, false, &item, 1, &problems);
    if (e == ERR_CONFLICT) {
        page_redirect(&p, next, "flash_follow_limit", TEXT_OF(FOLLOW_MOST));
    } else if (e != ERR_OK || item.result == FOLLOW_UNKNOWN) {
        page_refuse(&p, e != ERR_OK ? e : ERR_NOT_FOUND, &problems, NULL);
    } else if (item.result == FOLLOW_SELF) {
        page_redirect(&p, next, "flash_follow_self", NULL);
    } else if (item.result == FOLLOW_REFUSED) {
        page_redirect(&p, next, "flash_follow_refused", item.name);
    } else {
        bool asked = item.result == FOLLOW_ASKED;
        page_redirect(&p, next, asked ? "flash_asked" : on ? "flash_followed" : "flash_unfollowed", item.name);
    }
}

static void page_follow(struct http_request *req, struct http_response *resp)
{
    follow_button_change(req, resp, true);
}

static void page_unfollow(struct http_request *req, struct http_response *resp)
{
    follow_button_change(req, resp, false);
}

/* --- following many --- */

static const char *const followed[] = {
    [FOLLOW_CHANGED] = "result_followed", [FOLLOW_UNCHANGED] = "result_already_following",
    [FOLLOW_SELF] = "result_self",        [FOLLOW_UNKNOWN] = "result_unknown",
    [FOLLOW_REFUSED] = "result_refused",  [FOLLOW_ASKED] = "result_asked"};
static const char *const unfollowed[] = {[FOLLOW_CHANGED] = "result_unfollowed",
                                         [FOLLOW_UNCHANGED] = "result_not_following",
                                         [FOLLOW_SELF] = "result_self",
                                         [FOLLOW_UNKNOWN] = "result_unknown"};

/* The page with the form: the people whom the actor follows now. */
static bool fill_following(struct page *p, const char *name)
{
    return put_people(p, name, false);
}

/* Where a form that says so goes on, with how many it was; nothing chosen is no mistake there. */
static void follow_goes_on(struct page *p, const char *next, const struct follow_item *items, size_t count)
{
    size_t changed = 0;
    for (size_t i = 0; i < count; i++) {
        changed += items[i].result == FOLLOW_CHANGED;
    }
    page_redirect(p, next, changed ? "flash_followed_many" : NULL,
                  changed ? arena_printf(p->arena, "%zu", changed) : NULL);
}

static void change_many(struct http_request *req, struct http_response *resp, bool on)
{
    struct page p, after;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item *items;
    size_t count;
    const char *next = on ? page_next(&p, "") : "";
    enum err e = names_read(&p, FOLLOW_BATCH_MAX, &items, &count, &problems);
    if (*next && count == 0) {
        follow_goes_on(&p, next, items, 0);
        return;
    }
    e = e == ERR_OK ? follow_many(p.site->social, p.arena, &by, on, items, count, &problems) : e;
    if (e == ERR_CONFLICT) {
        page_redirect(&p, arena_printf(p.arena, "/@%s/following", by.name), "flash_follow_limit", TEXT_OF(FOLLOW_MOST));
    } else if (e != ERR_OK) {
        page_refuse(&p, e, &problems,
                    &(struct page_retry){
                        .template = "following", .fill = fill_following, .fields = {"names"}, .subject = by.name});
    } else if (*next) {
        follow_goes_on(&p, next, items, count);
    } else {
        page_begin(&after, req, resp);
        if (fill_following(&after, by.name)) {
            names_put_results(&after, items, count, on ? followed : unfollowed);
            page_render(&after, "following");
        }
    }
}

static void page_follow_many(struct http_request *req, struct http_response *resp)
{
    change_many(req, resp, true);
}

static void page_unfollow_many(struct http_request *req, struct http_response *resp)
{
    change_many(req, resp, false);
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter follow_fields[] = {
    {"reblogs", HTTP_TEXT, 0, 8, false, "true, false: whether his boosts stand in the home"},
    {"notify", HTTP_TEXT, 0, 8, false, "true, false: whether one is told of his new posts"},
    {"by_language", HTTP_TEXT, 0, 8, false, "true: languages says which of his posts stand in the home"},
    {"languages", HTTP_TEXT, 0, 400, false, "their codes (en, es), with commas between; empty: all"},
    {0},
};

/* clang-format off */
const struct http_route routes_people[] = {
    {HTTP_POST, "/follow", page_follow_many, WHO_MEMBER, {parameter_names, parameter_next},
     .help = "follows many"},
    {HTTP_POST, "/unfollow", page_unfollow_many, WHO_MEMBER, {parameter_names, parameter_next},
     .help = "unfollows many"},
    {HTTP_GET, "/@:name", page_profile, WHO_ANYONE, {parameter_name, parameter_cursors},
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "a person and his posts, without answers to others"},
    {HTTP_GET, "/@:name/replies", page_profile_replies, WHO_ANYONE, {parameter_name, parameter_cursors},
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "a person and all his posts, answers to others among them"},
    {HTTP_GET, "/@:name/following", page_following, WHO_ANYONE, {parameter_name, parameter_time_cursors},
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "whom he follows"},
    {HTTP_GET, "/@:name/followers", page_followers, WHO_ANYONE, {parameter_name, parameter_time_cursors},
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "who follows him"},
    {HTTP_POST, "/@:name/follow", page_follow, WHO_MEMBER, {parameter_name, follow_fields, parameter_next},
     .help = "follows him, or says whether his boosts are wanted, and notices of his posts"},
    {HTTP_POST, "/@:name/unfollow", page_unfollow, WHO_MEMBER, {parameter_name},
     .help = "unfollows him"},
    {0},
};
/* clang-format on */
