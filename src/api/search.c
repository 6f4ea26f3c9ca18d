/* search.c - finding people, posts and tags by what somebody typed, or by the address of a page of the site. Connection
 * threads.
 *
 * What is typed says what is meant: @name, or name@host, somebody of exactly that name and those whose names begin so;
 * #tag a tag; an address of this site what stands there. Apps find every account that they do not know by its name here.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "config/config.h"
#include "social/people/people.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_interests.h"
#include "social/posts/post_pick.h"
#include "social/search/search.h"
#include "social/timelines/tag_trends.h"
#include "view/entity_tag.h"

#define STANDARD 20
#define MOST 40
#define PEOPLE_STANDARD 40
#define PEOPLE_MOST 80

/* What is asked for. */
struct question {
    char *text;       /* tidied */
    const char *name; /* of somebody; NULL: none is meant */
    const char *tag;  /* beginning of one; NULL: none is meant */
    uint64_t post;    /* 0: none is meant */
    bool words;       /* the text may be words of posts */
    bool wants_people, wants_posts, wants_tags;
    unsigned offset;
    struct timeline_query page; /* cursors are for posts */
};

/* What is found, or will be. */
struct found {
    const struct user *named;
    const struct people *people;
    const struct search_posts *posts;
    const struct post_picked *picked;
    const struct search_tags *tags;
    const struct tag_history *history; /* of these, from a place on */
    size_t offset;
};

/* --- what is meant ------------------------------------------------------------------------------------------------- */

/* An address of this site: of somebody's page, a post, a tag. */
static void mean_address(const char *path, struct question *q)
{
    if (strncmp(path, "/tags/", 6) == 0) {
        q->tag = path + 6;
    } else if (strncmp(path, "/@", 2) == 0) {
        const char *name = path + 2, *end = strchr(name, '/');
        q->post = end ? id_parse(end + 1) : 0;
        q->name = end ? NULL : name;
    }
}

static void mean(const struct api *c, struct question *q)
{
    size_t origin = strlen(c->req->origin);
    const char *text = q->text;
    if (strncasecmp(text, c->req->origin, origin) == 0 && text[origin] == '/') {
        mean_address(text + origin, q);
    } else if (strncasecmp(text, "http://", 7) == 0 || strncasecmp(text, "https://", 8) == 0) {
        q->words = true; /* addresses stand in posts, too */
    } else if (*text == '#') {
        q->tag = text + 1;
    } else if (strchr(text, '@') && !strchr(text, ' ')) {
        q->name = api_handle_name(c, text);
    } else {
        q->name = q->tag = text;
        q->words = true;
    }
}

/* False: an error was answered. What lies behind SEARCH_MOST is not there: clients go on until nothing comes. */
static bool question_read(struct api *c, unsigned standard, unsigned most, struct question *q)
{
    const char *typed = api_text(c, "q"), *type = api_text(c, "type");
    int64_t offset = api_number(c, "offset", 0);
    *q = (struct question){.text = arena_dup(c->arena, typed ? typed : "")};
    text_tidy(q->text);
    if (!*q->text || offset < 0) {
        api_http_error(c->req, c->resp, 400, *q->text ? "offset must not be negative" : "q says what to look for");
        return false;
    }
    bool is_one = type && *type;
    q->wants_people = !is_one || strcmp(type, "accounts") == 0;
    q->wants_posts = !is_one || strcmp(type, "statuses") == 0;
    q->wants_tags = !is_one || strcmp(type, "hashtags") == 0;
    q->offset = offset > SEARCH_MOST ? SEARCH_MOST : (unsigned)offset;
    mean(c, q);
    return api_query(c, standard, most, &q->page);
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static const struct search_posts *ask_words(struct api *c, const struct question *q)
{
    uint64_t of = 0, below = q->page.max_id;
    unsigned limit = q->offset + q->page.limit < SEARCH_MOST ? q->offset + q->page.limit : SEARCH_MOST;
    return api_ids(c, "account_id", &of, 1) ? search_posts_of_ask(c->visit, of, q->text, below, limit)
                                            : search_posts_ask(c->visit, q->text, below, limit);
}

static int by_tag_length(const void *x, const void *y)
{
    const char *a = *(const char *const *)x, *b = *(const char *const *)y;
    size_t i = strlen(a), k = strlen(b);
    return i != k ? (i > k) - (i < k) : strcmp(a, b);
}

/* Tags that may be shown, while it is not known which of them are used still: these are in the order of their length. */
static size_t found_names(struct arena *a, const void *from, const char **out)
{
    const struct found *f = from;
    const char **names = arena_alloc(a, (f->tags->count + 1) * sizeof(*names));
    for (size_t i = 0; i < f->tags->count; i++) {
        names[i] = f->tags->tags[i].name;
    }
    qsort(names, f->tags->count, sizeof(*names), by_tag_length);
    size_t n = 0;
    while (n < TAG_DAYS_MOST && f->offset + n < f->tags->count) {
        out[n] = names[f->offset + n];
        n++;
    }
    return n;
}

static void question_ask(struct api *c, const struct question *q, struct found *f)
{
    bool has_index = c->site->config->search.enabled;
    if (q->wants_people && q->name) {
        visit_want_following(c->visit);
        visit_want_apart(c->visit);
        f->named = user_named_ask(c->visit, q->name);
        f->people = has_index ? search_people_ask(c->visit, q->name, (size_t)q->offset + q->page.limit + 1) : NULL;
    }
    if (q->wants_posts && q->post) {
        f->picked = post_pick_ask(c->visit, &q->post, 1);
    } else if (q->wants_posts && q->words && has_index) {
        f->posts = ask_words(c, q);
    }
    if (q->wants_tags && q->tag && has_index) {
        visit_want_interests(c->visit);
        f->tags = search_tags_ask(c->visit, q->tag, SEARCH_BY_LENGTH, (size_t)q->offset + q->page.limit);
        f->history = tag_history_behind_ask(c->visit, found_names, f);
        f->offset = q->offset;
    }
}

/* --- answering ----------------------------------------------------------------------------------------------------- */

/* Whoever has blocked somebody finds him by his whole name: how else would he unblock him? */
static bool is_hidden(const struct api *c, const struct user *u, bool is_named)
{
    unsigned apart = visit_apart(c->visit, u->id);
    return apart & APART_BLOCKS ? !is_named : apart & APART_BLOCKED_BY;
}

/* Adds somebody if it is his turn. */
static void put_person(const struct api *c, const struct question *q, const struct user *u, size_t *turn,
                       yyjson_mut_val *list)
{
    if (api_bool(c, "following", false) && !visit_follows(c->visit, u->id)) {
        return;
    }
    if (*turn >= q->offset && yyjson_mut_arr_size(list) < q->page.limit) {
        yyjson_mut_arr_append(list, api_account(c, u));
    }
    (*turn)++;
}

/* Whoever has exactly that name first. */
static yyjson_mut_val *people_found(const struct api *c, const struct question *q, const struct found *f)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    uint64_t first = f->named ? f->named->id : 0;
    size_t turn = 0;
    if (first && !is_hidden(c, f->named, true)) {
        put_person(c, q, f->named, &turn, list);
    }
    for (size_t i = 0; f->people && i < f->people->count; i++) {
        if (f->people->users[i].id != first && !is_hidden(c, &f->people->users[i], false)) {
            put_person(c, q, &f->people->users[i], &turn, list);
        }
    }
    return list;
}

static yyjson_mut_val *posts_found(const struct api *c, const struct question *q, const struct found *f)
{
    if (f->picked) {
        return api_posts(c, f->picked->posts, q->offset ? 0 : f->picked->count);
    }
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = q->offset; f->posts && i < f->posts->count && f->posts->posts[i].id > q->page.min_id; i++) {
        yyjson_mut_arr_append(list, api_post_json(c, &f->posts->posts[i]));
    }
    return list;
}

static yyjson_mut_val *tags_found(const struct api *c, const struct question *q, const struct found *f)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = q->offset; f->tags && i < f->tags->count && yyjson_mut_arr_size(list) < q->page.limit; i++) {
        const char *name = f->tags->tags[i].name;
        const struct entity_tag tag = {name, tag_history_of(f->history, name), visit_is_interested(c->visit, name)};
        yyjson_mut_arr_append(list, entity_tag(&c->entity, &tag));
    }
    return list;
}

static void api_search(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct question q;
    struct found found = {0};
    api_begin(&c, req, resp);
    if (!question_read(&c, STANDARD, MOST, &q)) {
        return;
    }
    q.offset = api_text(&c, "type") && *api_text(&c, "type") ? q.offset : 0; /* of one kind alone */
    question_ask(&c, &q, &found);
    if (!api_read(&c)) {
        return;
    }
    if (!c.viewer.id && (api_bool(&c, "resolve", false) || q.offset)) {
        api_error(&c, ERR_UNAUTHORIZED,
                  q.offset ? "Search queries pagination is not supported without authentication"
                           : "Search queries that resolve remote resources are not supported without authentication");
        return;
    }
    yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
    yyjson_mut_obj_add_val(c.entity.doc, o, "accounts", people_found(&c, &q, &found));
    yyjson_mut_obj_add_val(c.entity.doc, o, "statuses", posts_found(&c, &q, &found));
    yyjson_mut_obj_add_val(c.entity.doc, o, "hashtags", tags_found(&c, &q, &found));
    api_answer(&c, o);
}

/* People alone: apps ask while a name is being typed. */
static void api_search_people(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct question q;
    struct found found = {0};
    api_begin(&c, req, resp);
    if (!question_read(&c, PEOPLE_STANDARD, PEOPLE_MOST, &q)) {
        return;
    }
    q.wants_people = true;
    q.wants_posts = q.wants_tags = false;
    question_ask(&c, &q, &found);
    if (api_read(&c)) {
        api_answer(&c, people_found(&c, &q, &found));
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_search[] = {
    {HTTP_GET, "/api/v2/search", api_search, WHO_ANYONE, .scopes = "read:search", .flags = HTTP_SEARCHING,
     .answer = "Search", .forgiven = "q type resolve limit offset following min_id max_id account_id",
     .help = "people, posts and tags"},
    {HTTP_GET, "/api/v1/accounts/search", api_search_people, WHO_MEMBER, .scopes = "read:accounts", .flags = HTTP_SEARCHING,
     .forgiven = "q limit offset resolve following", .answer = "[Account]", .help = "people by the beginnings of their names"},
    {0},
};
/* clang-format on */
