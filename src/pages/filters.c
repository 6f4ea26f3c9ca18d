/* filters.c - the page of keyword filters. Connection threads. */
#include "social/people/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/text.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/visit.h"
#include "view/locale.h"

#define PATH "/settings/filters"
#define FILTER_SECONDS_MAX (400 * 86400)

static const char *place_text(const struct page *p, unsigned place)
{
    return locale_text(p->locale, arena_printf(p->arena, "filter_place_%s", filter_place_word(place)));
}

static const char *const action_words[] = {
    [FILTER_WARN] = "filter_warn", [FILTER_HIDE] = "filter_hide", [FILTER_BLUR] = "filter_blur"};

/* "tea, cake: ": the words of a filter, unless its title is all that there is. */
static void put_filter_words(struct buffer *out, const struct filter *f)
{
    bool is_title = f->keyword_count == 1 && strcmp(f->keywords[0].phrase, f->title) == 0;
    for (size_t i = 0; i < f->keyword_count && !is_title; i++) {
        buffer_printf(out, "%s%s", f->keywords[i].phrase, i + 1 < f->keyword_count ? ", " : ": ");
    }
}

/* "Home and lists, Profiles: Hide" */
static const char *filter_what(struct page *p, const struct filter *f)
{
    struct buffer out = buffer_make(p->arena);
    const char *between = "";
    put_filter_words(&out, f);
    for (unsigned i = 0; i < FILTER_PLACES; i++) {
        if (f->places & 1u << i) {
            buffer_printf(&out, "%s%s", between, place_text(p, i));
            between = " · ";
        }
    }
    buffer_printf(&out, ": %s", locale_text(p->locale, action_words[f->action]));
    if (f->keyword_count && f->keywords[0].whole_word) {
        buffer_printf(&out, " · %s", locale_text(p->locale, "filter_whole_word"));
    }
    return buffer_string(&out);
}

static void put_filter_row(struct page *p, yyjson_mut_val *list, const struct filter *f)
{
    yyjson_mut_val *row = yyjson_mut_arr_add_obj(p->entity.doc, list);
    page_put(p, row, "id", arena_printf(p->arena, "%llu", (unsigned long long)f->id), "phrase", f->title, "what",
             filter_what(p, f), NULL);
    if (f->until_ms && f->until_ms <= p->entity.now_ms) {
        yyjson_mut_obj_add_bool(p->entity.doc, row, "is_over", true);
    } else if (f->until_ms) {
        page_put(p, row, "until", locale_date(p->arena, f->until_ms), "until_date", locale_date(p->arena, f->until_ms),
                 NULL);
    }
}

static bool fill_filters(struct page *p, const char *subject)
{
    (void)subject;
    visit_want_filters(p->visit);
    if (!page_read(p)) {
        return false;
    }
    size_t count;
    const struct filter *all = visit_filters(p->visit, &count);
    yyjson_mut_val *list = page_list(p, "filters"), *places = page_list(p, "places");
    for (size_t i = count; i > 0; i--) {
        put_filter_row(p, list, &all[i - 1]);
    }
    for (unsigned i = 0; i < FILTER_PLACES; i++) {
        page_put(p, yyjson_mut_arr_add_obj(p->entity.doc, places), "name", filter_place_word(i), "text",
                 place_text(p, i), NULL);
    }
    page_settings_place(p, "settings_filters", PATH);
    return true;
}

static void page_settings_filters(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (fill_filters(&p, NULL)) {
        page_render(&p, "settings_filters");
    }
}

static bool is_chosen(const struct page *p, const char *field)
{
    return strcmp(page_field(p, field), "true") == 0;
}

static void page_filter_add(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry form = {.template = "settings_filters", .fill = fill_filters, .fields = {"phrase"}};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    uint64_t seconds = strtoull(page_field(&p, "duration"), NULL, 10);
    struct filter_keyword keyword = {.phrase = page_field(&p, "phrase"), .whole_word = is_chosen(&p, "whole_word")};
    struct filter f = {.title = keyword.phrase,
                       .keywords = &keyword,
                       .keyword_count = 1,
                       .action = strcmp(page_field(&p, "filter_action"), "hide") == 0 ? FILTER_HIDE : FILTER_WARN,
                       .until_ms = seconds ? clock_site_ms() + seconds * 1000 : 0};
    for (unsigned i = 0; i < FILTER_PLACES; i++) {
        f.places |= is_chosen(&p, filter_place_word(i)) ? 1u << i : 0;
    }
    enum err e = filter_add(p.site->social, p.arena, &by, &f, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, PATH, "flash_filter_added", NULL);
    } else if (e == ERR_CONFLICT) {
        page_redirect(&p, PATH, "flash_filter_limit", TEXT_OF(FILTER_MOST));
    } else {
        page_refuse(&p, e, &problems, &form);
    }
}

static void page_filter_remove(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    uint64_t id = strtoull(http_variable(req, "id"), NULL, 10);
    enum err e = filter_remove(p.site->social, p.arena, &by, id, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, PATH, "flash_filter_removed", NULL);
    } else {
        page_refuse(&p, e, &problems, NULL);
    }
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter filter_fields[] = {
    {"phrase", HTTP_TEXT, 0, 4000, false, "what is looked for"},
    {"whole_word", HTTP_TEXT, 0, 16, false, "true: only whole words"},
    {"filter_action", HTTP_TEXT, 0, 16, false, "hide, or warn"},
    {"duration", HTTP_NUMBER, 0, FILTER_SECONDS_MAX, false, "for how many seconds; 0: until it is removed"},
    {0},
};

static const struct http_parameter filter_places[] = {
#define X(id, letter, word) {word, HTTP_TEXT, 0, 16, false, "true: there"},
    FILTER_CONTEXT_TABLE(X)
#undef X
        {0},
};

static const struct http_parameter filter_id[] = {
    {"id", HTTP_TEXT, 1, 20, true, "number of the filter"},
    {0},
};

/* clang-format off */
const struct http_route routes_filters[] = {
    {HTTP_GET, "/settings/filters", page_settings_filters, WHO_MEMBER,
     .help = "what one does not want to read"},
    {HTTP_POST, "/settings/filters", page_filter_add, WHO_MEMBER, {filter_fields, filter_places},
     .help = "filters what one reads"},
    {HTTP_POST, "/settings/filters/:id/delete", page_filter_remove, WHO_MEMBER, {filter_id},
     .help = "takes a filter away"},
    {0},
};
/* clang-format on */
