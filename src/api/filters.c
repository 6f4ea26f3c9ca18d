/* filters.c - what the caller does not want to read, as the first version of Mastodon's filters has it, and as the second.
 * Connection threads.
 *
 * A filter here looks for one word or phrase. In the second version that is its title and its one keyword, which has the
 * same id. Clients that make the filter first and its keywords then find the first keyword in its place; each further one
 * becomes a filter of its own, which is as good.
 */
#include "social/people/filter.h"

#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/text.h"

#define SECONDS_MOST ((int64_t)400 * 86400)
#define PHRASE_BYTES 4000

/* --- what they look like ------------------------------------------------------------------------------------------- */

typedef yyjson_mut_val *filter_shape(const struct entity_context *c, const struct filter *f);

static yyjson_mut_val *keywords_of(const struct entity_context *c, const struct filter *f)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->doc);
    if (!f->is_empty) {
        yyjson_mut_arr_append(list, entity_filter_keyword(c, f));
    }
    return list;
}

static yyjson_mut_val *filter_whole(const struct entity_context *c, const struct filter *f)
{
    yyjson_mut_val *o = entity_filter(c, f);
    yyjson_mut_obj_add_val(c->doc, o, "keywords", keywords_of(c, f));
    yyjson_mut_obj_add_arr(c->doc, o, "statuses");
    return o;
}

static void answer_filters(struct http_request *req, struct http_response *resp, filter_shape *shape, bool empty_too)
{
    struct api c;
    api_begin(&c, req, resp);
    visit_want_filters(c.visit);
    if (!api_read(&c)) {
        return;
    }
    size_t count;
    const struct filter *all = visit_filters(c.visit, &count);
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < count; i++) {
        if (empty_too || !all[i].is_empty) {
            yyjson_mut_arr_append(list, shape(&c.entity, &all[i]));
        }
    }
    api_answer(&c, list);
}

/* Reads the one of the path. NULL: an error was answered. */
static const struct filter *find_filter(struct api *c)
{
    uint64_t id = strtoull(http_variable(c->req, "id"), NULL, 10); /* digits only: the route's declaration says so */
    visit_want_filters(c->visit);
    if (!api_read(c)) {
        return NULL;
    }
    size_t count;
    const struct filter *all = visit_filters(c->visit, &count);
    for (size_t i = 0; i < count; i++) {
        if (all[i].id == id) {
            return &all[i];
        }
    }
    api_error(c, ERR_NOT_FOUND, NULL);
    return NULL;
}

static void answer_filter(struct http_request *req, struct http_response *resp, filter_shape *shape)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct filter *f = find_filter(&c);
    if (f) {
        api_answer(&c, shape(&c.entity, f));
    }
}

static void api_filters_v1(struct http_request *req, struct http_response *resp)
{
    answer_filters(req, resp, entity_filter_v1, false);
}

static void api_filter_v1(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, entity_filter_v1);
}

static void api_filters(struct http_request *req, struct http_response *resp)
{
    answer_filters(req, resp, filter_whole, true);
}

static void api_filter(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, filter_whole);
}

static void api_filter_keywords(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, keywords_of);
}

static void api_filter_keyword(struct http_request *req, struct http_response *resp)
{
    answer_filter(req, resp, entity_filter_keyword);
}

/* --- what the request says ----------------------------------------------------------------------------------------- */

/* context[], when it is there. False: a word of it is no place. */
static bool read_places(const struct api *c, struct filter *f)
{
    size_t count;
    const char *const *words = api_texts(c, "context", &count);
    unsigned places = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned place = 0;
        while (place < FILTER_PLACES && strcmp(words[i], filter_place_word(place)) != 0) {
            place++;
        }
        if (place == FILTER_PLACES) {
            return false;
        }
        places |= 1u << place;
    }
    f->places = count ? places : f->places;
    return true;
}

/* expires_in, when it is there; empty: never. */
static void read_end(const struct api *c, struct filter *f)
{
    const char *sent = api_text(c, "expires_in");
    int64_t seconds = api_number(c, "expires_in", 0);
    if (sent) {
        seconds = seconds > SECONDS_MOST ? SECONDS_MOST : seconds;
        f->until_ms = seconds > 0 ? clock_site_ms() + (uint64_t)seconds * 1000 : 0;
    }
}

/* The keyword of keywords_attributes[…][keyword], unless it is to be taken away. Returns how many there are. */
static size_t read_keyword(const struct api *c, struct filter *f)
{
    static const char begin[] = "keywords_attributes[", end[] = "[keyword]";
    size_t count = 0;
    for (size_t i = 0; i < c->req->form.count; i++) {
        const struct http_pair *pair = &c->req->form.items[i];
        size_t length = strlen(pair->name), tail = sizeof(end) - 1;
        if (strncmp(pair->name, begin, sizeof(begin) - 1) != 0 || length < tail ||
            strcmp(pair->name + length - tail, end) != 0) {
            continue;
        }
        const char *row = arena_dup_n(c->arena, pair->name, length - tail);
        if (!api_bool(c, arena_printf(c->arena, "%s[_destroy]", row), false)) {
            count++;
            f->phrase = pair->value;
            f->whole_word = api_bool(c, arena_printf(c->arena, "%s[whole_word]", row), true);
            f->is_empty = false;
        }
    }
    return count;
}

/* What the first version says; what it does not say stays. NULL, or what is wrong. */
static const char *read_v1(const struct api *c, struct filter *f)
{
    const char *phrase = api_text(c, "phrase");
    f->phrase = phrase ? phrase : f->phrase;
    f->is_empty = f->is_empty && !phrase;
    f->whole_word = api_bool(c, "whole_word", f->whole_word);
    f->hides = api_bool(c, "irreversible", f->hides);
    read_end(c, f);
    return read_places(c, f) ? NULL : "Validation failed: context names a place that is none";
}

/* The same of the second. */
static const char *read_v2(const struct api *c, struct filter *f)
{
    const char *title = api_text(c, "title"), *action = api_text(c, "filter_action");
    if (!*f->phrase || f->is_empty) {
        f->phrase = title ? title : f->phrase;
        f->is_empty = true;
    }
    if (read_keyword(c, f) > 1) {
        return "Validation failed: a filter has one keyword here";
    }
    if (action && strcmp(action, "hide") != 0 && strcmp(action, "warn") != 0 && strcmp(action, "blur") != 0) {
        return "Validation failed: filter_action is warn or hide";
    }
    f->hides = action ? strcmp(action, "hide") == 0 : f->hides;
    read_end(c, f);
    return read_places(c, f) ? NULL : "Validation failed: context names a place that is none";
}

static const char *read_one_keyword(const struct api *c, struct filter *f)
{
    const char *keyword = api_text(c, "keyword");
    f->phrase = keyword ? keyword : f->phrase;
    f->is_empty = f->is_empty && !keyword;
    f->whole_word = api_bool(c, "whole_word", f->whole_word);
    return NULL;
}

/* --- changes ------------------------------------------------------------------------------------------------------- */

typedef const char *filter_reader(const struct api *c, struct filter *f);

/* Stores it (`id` 0: as a new one), and answers with it. */
static void save_filter(struct api *c, struct filter *f, const char *wrong, filter_shape *shape)
{
    const struct actor by = api_actor(c);
    struct problems problems = {.count = 0};
    if (wrong) {
        api_error(c, ERR_INVALID, wrong);
        return;
    }
    enum err e = f->id ? filter_set(c->site->social, c->arena, &by, f, &problems)
                       : filter_add(c->site->social, c->arena, &by, f, &problems);
    if (e == ERR_OK) {
        api_answer(c, shape(&c->entity, f));
    } else if (e == ERR_CONFLICT) {
        api_error(c, ERR_INVALID, "Validation failed: you have " TEXT_OF(FILTER_MOST) " filters, more is not possible");
    } else {
        api_refuse(c, e, &problems);
    }
}

static void create_filter(struct http_request *req, struct http_response *resp, filter_reader *read,
                          filter_shape *shape)
{
    struct api c;
    struct filter f = {.phrase = ""};
    api_begin(&c, req, resp);
    const char *wrong = read(&c, &f);
    save_filter(&c, &f, wrong, shape);
}

static void change_filter(struct http_request *req, struct http_response *resp, filter_reader *read,
                          filter_shape *shape)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct filter *was = find_filter(&c);
    if (was) {
        struct filter f = *was;
        const char *wrong = read(&c, &f);
        save_filter(&c, &f, wrong, shape);
    }
}

static void api_filter_v1_create(struct http_request *req, struct http_response *resp)
{
    create_filter(req, resp, read_v1, entity_filter_v1);
}

static void api_filter_v1_change(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, read_v1, entity_filter_v1);
}

static void api_filter_create(struct http_request *req, struct http_response *resp)
{
    create_filter(req, resp, read_v2, filter_whole);
}

static void api_filter_change(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, read_v2, filter_whole);
}

static void api_filter_keyword_change(struct http_request *req, struct http_response *resp)
{
    change_filter(req, resp, read_one_keyword, entity_filter_keyword);
}

/* Into the filter that has none yet, else as a filter like it. */
static void api_filter_keyword_add(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct filter *was = find_filter(&c);
    if (was) {
        struct filter f = *was;
        f.id = was->is_empty ? was->id : 0;
        f.phrase = "";
        f.is_empty = false;
        f.whole_word = true;
        const char *wrong = read_one_keyword(&c, &f);
        save_filter(&c, &f, wrong, entity_filter_keyword);
    }
}

static void api_filter_delete(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    uint64_t id = strtoull(http_variable(req, "id"), NULL, 10);
    enum err e = filter_remove(c.site->social, c.arena, &by, id, &problems);
    if (e == ERR_OK) {
        api_answer_empty(&c);
    } else {
        api_refuse(&c, e, &problems);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter number_of_filter[] = {
    {"id", HTTP_NUMBER, 1, INT64_MAX / 2, true, "id of the filter, or of its keyword"},
    {0},
};

static const struct http_parameter v1_fields[] = {
    {"phrase", HTTP_TEXT, 0, PHRASE_BYTES, false, "what is looked for"},
    {0},
};

static const struct http_parameter v2_fields[] = {
    {"title", HTTP_TEXT, 0, PHRASE_BYTES, false, "title of a filter without keyword; else it has that of its keyword"},
    {"filter_action", HTTP_TEXT, 0, 20, false, "warn or hide"},
    {0},
};

static const struct http_parameter keyword_fields[] = {
    {"keyword", HTTP_TEXT, 0, PHRASE_BYTES, false, "what is looked for"},
    {0},
};

#define READS .scopes = "read:filters"
#define WRITES .bodies = API_BODIES, .scopes = "write:filters"
#define V1 "/api/v1/filters"
#define V2 "/api/v2/filters"
#define V1_MORE .forgiven = "context[] irreversible whole_word expires_in"
#define V2_MORE .forgiven = "context[] expires_in keywords_attributes[][keyword] keywords_attributes[][whole_word]"

/* clang-format off */
const struct http_route api_routes_filters[] = {
    {HTTP_GET, V1, api_filters_v1, WHO_MEMBER, READS, .answer = "[V1_Filter]", .help = "what one does not want to read, for older apps"},
    {HTTP_POST, V1, api_filter_v1_create, WHO_MEMBER, {v1_fields}, V1_MORE, WRITES, .answer = "V1_Filter", .help = "filters what one reads"},
    {HTTP_GET, V1 "/:id", api_filter_v1, WHO_MEMBER, {number_of_filter}, READS, .answer = "V1_Filter", .help = "one filter"},
    {HTTP_PUT, V1 "/:id", api_filter_v1_change, WHO_MEMBER, {number_of_filter, v1_fields}, V1_MORE, WRITES,
     .answer = "V1_Filter", .help = "changes a filter; what is not sent stays"},
    {HTTP_DELETE, V1 "/:id", api_filter_delete, WHO_MEMBER, {number_of_filter}, WRITES, .help = "takes a filter away"},
    {HTTP_GET, V2, api_filters, WHO_MEMBER, READS, .answer = "[Filter]", .help = "what one does not want to read"},
    {HTTP_POST, V2, api_filter_create, WHO_MEMBER, {v2_fields}, V2_MORE, WRITES, .answer = "Filter", .help = "filters what one reads"},
    {HTTP_GET, V2 "/:id", api_filter, WHO_MEMBER, {number_of_filter}, READS, .answer = "Filter", .help = "one filter"},
    {HTTP_PUT, V2 "/:id", api_filter_change, WHO_MEMBER, {number_of_filter, v2_fields}, V2_MORE, WRITES,
     .answer = "Filter", .help = "changes a filter; what is not sent stays"},
    {HTTP_DELETE, V2 "/:id", api_filter_delete, WHO_MEMBER, {number_of_filter}, WRITES, .help = "takes a filter away"},
    {HTTP_GET, V2 "/:id/keywords", api_filter_keywords, WHO_MEMBER, {number_of_filter}, READS, .answer = "[FilterKeyword]",
     .help = "what a filter looks for"},
    {HTTP_POST, V2 "/:id/keywords", api_filter_keyword_add, WHO_MEMBER, {number_of_filter, keyword_fields},
     .forgiven = "whole_word", WRITES, .answer = "FilterKeyword", .help = "a keyword for a filter, or a filter like it"},
    {HTTP_GET, V2 "/keywords/:id", api_filter_keyword, WHO_MEMBER, {number_of_filter}, READS, .answer = "FilterKeyword",
     .help = "one keyword"},
    {HTTP_PUT, V2 "/keywords/:id", api_filter_keyword_change, WHO_MEMBER, {number_of_filter, keyword_fields},
     .forgiven = "whole_word", WRITES, .answer = "FilterKeyword", .help = "changes a keyword"},
    {HTTP_DELETE, V2 "/keywords/:id", api_filter_delete, WHO_MEMBER, {number_of_filter}, WRITES,
     .help = "takes a keyword away, and with it its filter"},
    {0},
};
/* clang-format on */
