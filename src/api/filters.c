/* filters.c - what the caller does not want to read, as the first version of Mastodon's filters has it, and as the second.
 * Connection threads.
 *
 * In the second version a filter has keywords and single statuses, which have numbers of their own; in the first each
 * keyword is a filter, by its number. What a request changes in one says filter_edits.h.
 */
#include "social/people/filter.h"

#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/filter_edits.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "social/posts/post_pick.h"
#include "view/entity_filter.h"

#define TEXT_BYTES 4000
#define CHANGED_TRIES 4 /* of a filter that somebody else changes at the same time */

/* --- what they look like ------------------------------------------------------------------------------------------- */

typedef yyjson_mut_val *filter_shape(const struct api *c, const struct filter_found *f);

static yyjson_mut_val *shape_whole(const struct api *c, const struct filter_found *f)
{
    return entity_filter(&c->entity, &f->filter);
}

static yyjson_mut_val *shape_v1(const struct api *c, const struct filter_found *f)
{
    return entity_filter_v1(&c->entity, &f->filter, &f->filter.keywords[f->at]);
}

static yyjson_mut_val *shape_keywords(const struct api *c, const struct filter_found *f)
{
    return entity_filter_keywords(&c->entity, &f->filter);
}

static yyjson_mut_val *shape_keyword(const struct api *c, const struct filter_found *f)
{
    return entity_filter_keyword(&c->entity, &f->filter.keywords[f->at]);
}

static yyjson_mut_val *shape_posts(const struct api *c, const struct filter_found *f)
{
    return entity_filter_statuses(&c->entity, &f->filter);
}

static yyjson_mut_val *shape_post(const struct api *c, const struct filter_found *f)
{
    return entity_filter_status(&c->entity, &f->filter.posts[f->at]);
}

static yyjson_mut_val *shape_nothing(const struct api *c, const struct filter_found *f)
{
    (void)f;
    return yyjson_mut_obj(c->entity.doc);
}

/* --- the one that is meant ----------------------------------------------------------------------------------------- */

enum found_by { BY_FILTER, BY_KEYWORD, BY_POST };

/* Whether the number is that of the filter, of a keyword or of a post of it: *at is which. */
static bool is_meant(const struct filter *f, enum found_by by, uint64_t id, size_t *at)
{
    size_t count = by == BY_KEYWORD ? f->keyword_count : by == BY_POST ? f->post_count : 0;
    for (*at = 0; *at < count; (*at)++) {
        if ((by == BY_KEYWORD ? f->keywords[*at].id : f->posts[*at].id) == id) {
            return true;
        }
    }
    *at = 0;
    return by == BY_FILTER && f->id == id;
}

/* With room for what the request may add. */
static struct filter filter_copy(struct arena *a, const struct filter *f)
{
    struct filter out = *f;
    out.keywords = arena_alloc(a, (FILTER_KEYWORDS_MOST + f->keyword_count) * sizeof(*out.keywords));
    out.posts = arena_alloc(a, (FILTER_POSTS_MOST + f->post_count) * sizeof(*out.posts));
    for (size_t i = 0; i < f->keyword_count; i++) {
        out.keywords[i] = f->keywords[i];
    }
    for (size_t i = 0; i < f->post_count; i++) {
        out.posts[i] = f->posts[i];
    }
    return out;
}

/* Reads the one of the path, and the post that the request names. False: an error was answered. */
static bool find_filter(struct api *c, enum found_by by, struct filter_found *out)
{
    uint64_t id = strtoull(http_variable(c->req, "id"), NULL, 10); /* digits only: the route's declaration says so */
    const char *named = api_text(c, "status_id");
    uint64_t post = named ? id_parse(named) : 0;
    visit_want_filters(c->visit);
    out->picked = post_pick_ask(c->visit, &post, post != 0);
    if (!api_read(c)) {
        return false;
    }
    size_t count;
    const struct filter *all = visit_filters(c->visit, &count);
    for (size_t i = 0; i < count; i++) {
        if (is_meant(&all[i], by, id, &out->at)) {
            out->filter = filter_copy(c->arena, &all[i]);
            return true;
        }
    }
    api_error(c, ERR_NOT_FOUND, NULL);
    return false;
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

static void answer_filter(struct http_request *req, struct http_response *resp, enum found_by by, filter_shape *shape)
{
    struct api c;
    struct filter_found f;
    api_begin(&c, req, resp);
    if (find_filter(&c, by, &f)) {
        api_answer(&c, shape(&c, &f));
    }
}

static void api_filters(struct http_request *req, struct http_response *resp)
{
    struct api c;
    size_t count = 0;
    api_begin(&c, req, resp);
    visit_want_filters(c.visit);
    if (!api_read(&c)) {
        return;
    }
    const struct filter *all = visit_filters(c.visit, &count);
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_arr_append(list, entity_filter(&c.entity, &all[i]));
    }
    api_answer(&c, list);
}

static void api_filters_v1(struct http_request *req, struct http_response *resp)
{
    struct api c;
    size_t count = 0;
    api_begin(&c, req, resp);
    visit_want_filters(c.visit);
    if (!api_read(&c)) {
        return;
    }
    const struct filter *all = visit_filters(c.visit, &count);
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < all[i].keyword_count; k++) {
            yyjson_mut_arr_append(list, entity_filter_v1(&c.entity, &all[i], &all[i].keywords[k]));
        }
    }
    api_answer(&c, list);
}

static void api_filter_v1(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, BY_KEYWORD, shape_v1);
}

static void api_filter(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, BY_FILTER, shape_whole);
}

static void api_filter_keywords(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, BY_FILTER, shape_keywords);
}

static void api_filter_keyword(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, BY_KEYWORD, shape_keyword);
}

static void api_filter_posts(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, BY_FILTER, shape_posts);
}

static void api_filter_post(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, BY_POST, shape_post);
}

/* --- changes ------------------------------------------------------------------------------------------------------- */

static void refuse(struct api *c, enum err e, const char *wrong, const struct problems *p)
{
    if (wrong == filter_edit_missing) {
        api_error(c, ERR_NOT_FOUND, NULL);
    } else if (wrong) {
        api_error(c, ERR_INVALID, wrong);
    } else if (e == ERR_CONFLICT) {
        api_error(c, ERR_INVALID, "Validation failed: you have " TEXT_OF(FILTER_MOST) " filters, more is not possible");
    } else {
        api_refuse(c, e, p);
    }
}

static void create_filter(struct http_request *req, struct http_response *resp, filter_edit *edit, filter_shape *shape)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct filter_found f = {.filter = filter_copy(c.arena, &(struct filter){.title = ""})};
    const char *wrong = edit(&c, &f);
    enum err e = wrong ? ERR_INVALID : filter_add(c.site->social, c.arena, &by, &f.filter, &problems);
    if (e == ERR_OK) {
        api_answer(&c, shape(&c, &f));
    } else {
        refuse(&c, e, wrong, &problems);
    }
}

/* As it is to be is made of what it is: again, if somebody changed it meanwhile. */
static void change_filter(struct http_request *req, struct http_response *resp, enum found_by how, filter_edit *edit,
                          filter_shape *shape)
{
    struct api c;
    struct filter_found f;
    struct problems problems = {.count = 0};
    const char *wrong = NULL;
    enum err e = ERR_BUSY;
    for (unsigned i = 0; i < CHANGED_TRIES && e == ERR_BUSY && !wrong; i++) {
        api_begin(&c, req, resp);
        if (!find_filter(&c, how, &f)) {
            return;
        }
        const struct actor by = api_actor(&c);
        wrong = edit(&c, &f);
        e = wrong ? ERR_INVALID : filter_set(c.site->social, c.arena, &by, &f.filter, &problems);
    }
    if (e == ERR_OK) {
        api_answer(&c, shape(&c, &f));
    } else {
        refuse(&c, e, wrong, &problems);
    }
}

static void api_filter_v1_create(struct http_request *req, struct http_response *resp)
{
    create_filter(req, resp, filter_edit_v1, shape_v1);
}

static void api_filter_v1_change(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, BY_KEYWORD, filter_edit_v1, shape_v1);
}

static void api_filter_create(struct http_request *req, struct http_response *resp)
{
    create_filter(req, resp, filter_edit_v2, shape_whole);
}

static void api_filter_change(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, BY_FILTER, filter_edit_v2, shape_whole);
}

static void api_filter_keyword_change(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, BY_KEYWORD, filter_edit_keyword, shape_keyword);
}

static void api_filter_keyword_add(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, BY_FILTER, filter_edit_keyword_add, shape_keyword);
}

static void api_filter_keyword_delete(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, BY_KEYWORD, filter_edit_keyword_drop, shape_nothing);
}

static void api_filter_post_add(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, BY_FILTER, filter_edit_post_add, shape_post);
}

static void api_filter_post_delete(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, BY_POST, filter_edit_post_drop, shape_nothing);
}

static void remove_filter(struct api *c, uint64_t id)
{
    const struct actor by = api_actor(c);
    struct problems problems = {.count = 0};
    enum err e = filter_remove(c->site->social, c->arena, &by, id, &problems);
    if (e == ERR_OK) {
        api_answer_empty(c);
    } else {
        api_refuse(c, e, &problems);
    }
}

static void api_filter_delete(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    remove_filter(&c, strtoull(http_variable(req, "id"), NULL, 10));
}

/* With its last keyword a filter goes that has nothing else. */
static void api_filter_v1_delete(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct filter_found f;
    api_begin(&c, req, resp);
    if (!find_filter(&c, BY_KEYWORD, &f)) {
        return;
    }
    if (f.filter.keyword_count > 1 || f.filter.post_count) {
        api_filter_keyword_delete(req, resp);
    } else {
        remove_filter(&c, f.filter.id);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter number_of_filter[] = {
    {"id", HTTP_NUMBER, 1, INT64_MAX / 2, true, "number of the filter, or of its keyword or status"},
    {0},
};

static const struct http_parameter v1_fields[] = {
    {"phrase", HTTP_TEXT, 0, TEXT_BYTES, false, "what is looked for"},
    {0},
};

static const struct http_parameter v2_fields[] = {
    {"title", HTTP_TEXT, 0, TEXT_BYTES, false, "what the warning says"},
    {"filter_action", HTTP_TEXT, 0, 20, false, "warn, hide, or blur (pictures alone: there are none yet)"},
    {0},
};

static const struct http_parameter keyword_fields[] = {
    {"keyword", HTTP_TEXT, 0, TEXT_BYTES, false, "what is looked for"},
    {0},
};

static const struct http_parameter post_fields[] = {
    {"status_id", HTTP_TEXT, 0, 40, false, "id of a post that is to be filtered whatever it says"},
    {0},
};

#define READS .scopes = "read:filters"
#define WRITES .bodies = API_BODIES, .scopes = "write:filters"
#define V1 "/api/v1/filters"
#define V2 "/api/v2/filters"
#define V1_MORE .forgiven = "context[] irreversible whole_word expires_in"
#define V2_MORE                                                                                                        \
    .forgiven = "context[] expires_in keywords_attributes[][id] keywords_attributes[][keyword] "                       \
                "keywords_attributes[][whole_word] keywords_attributes[][_destroy]"

/* clang-format off */
const struct http_route api_routes_filters[] = {
    {HTTP_GET, V1, api_filters_v1, WHO_MEMBER, READS, .answer = "[V1_Filter]", .help = "what one does not want to read, for older apps"},
    {HTTP_POST, V1, api_filter_v1_create, WHO_MEMBER, {v1_fields}, V1_MORE, WRITES, .answer = "V1_Filter", .help = "filters what one reads"},
    {HTTP_GET, V1 "/:id", api_filter_v1, WHO_MEMBER, {number_of_filter}, READS, .answer = "V1_Filter", .help = "one filter: a keyword"},
    {HTTP_PUT, V1 "/:id", api_filter_v1_change, WHO_MEMBER, {number_of_filter, v1_fields}, V1_MORE, WRITES,
     .answer = "V1_Filter", .help = "changes a filter; what is not sent stays"},
    {HTTP_DELETE, V1 "/:id", api_filter_v1_delete, WHO_MEMBER, {number_of_filter}, WRITES, .answer = "Empty", .help = "takes a filter away"},
    {HTTP_GET, V2, api_filters, WHO_MEMBER, READS, .answer = "[Filter]", .help = "what one does not want to read"},
    {HTTP_POST, V2, api_filter_create, WHO_MEMBER, {v2_fields}, V2_MORE, WRITES, .answer = "Filter", .help = "filters what one reads"},
    {HTTP_GET, V2 "/:id", api_filter, WHO_MEMBER, {number_of_filter}, READS, .answer = "Filter", .help = "one filter"},
    {HTTP_PUT, V2 "/:id", api_filter_change, WHO_MEMBER, {number_of_filter, v2_fields}, V2_MORE, WRITES,
     .answer = "Filter", .help = "changes a filter; what is not sent stays"},
    {HTTP_DELETE, V2 "/:id", api_filter_delete, WHO_MEMBER, {number_of_filter}, WRITES, .answer = "Empty", .help = "takes a filter away"},
    {HTTP_GET, V2 "/:id/keywords", api_filter_keywords, WHO_MEMBER, {number_of_filter}, READS, .answer = "[FilterKeyword]",
     .help = "what a filter looks for"},
    {HTTP_POST, V2 "/:id/keywords", api_filter_keyword_add, WHO_MEMBER, {number_of_filter, keyword_fields},
     .forgiven = "whole_word", WRITES, .answer = "FilterKeyword", .help = "one keyword more for a filter"},
    {HTTP_GET, V2 "/keywords/:id", api_filter_keyword, WHO_MEMBER, {number_of_filter}, READS, .answer = "FilterKeyword",
     .help = "one keyword"},
    {HTTP_PUT, V2 "/keywords/:id", api_filter_keyword_change, WHO_MEMBER, {number_of_filter, keyword_fields},
     .forgiven = "whole_word", WRITES, .answer = "FilterKeyword", .help = "changes a keyword"},
    {HTTP_DELETE, V2 "/keywords/:id", api_filter_keyword_delete, WHO_MEMBER, {number_of_filter}, WRITES,
     .answer = "Empty", .help = "takes a keyword away; its filter stays"},
    {HTTP_GET, V2 "/:id/statuses", api_filter_posts, WHO_MEMBER, {number_of_filter}, READS, .answer = "[FilterStatus]",
     .help = "the single posts that a filter is for"},
    {HTTP_POST, V2 "/:id/statuses", api_filter_post_add, WHO_MEMBER, {number_of_filter, post_fields}, WRITES,
     .answer = "FilterStatus", .help = "filters a single post"},
    {HTTP_GET, V2 "/statuses/:id", api_filter_post, WHO_MEMBER, {number_of_filter}, READS, .answer = "FilterStatus",
     .help = "one of them"},
    {HTTP_DELETE, V2 "/statuses/:id", api_filter_post_delete, WHO_MEMBER, {number_of_filter}, WRITES,
     .answer = "Empty", .help = "filters it no more"},
    {0},
};
/* clang-format on */
