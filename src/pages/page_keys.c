/* page_keys.c - filling the document of a page: see page.h. One connection thread per page. */
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "config/config.h"
#include "config/settings.h"
#include "pages/page.h"
#include "social/timelines/list.h"
#include "view/locale.h"
#include "view/problem_words.h"

void page_set(struct page *p, const char *key, const char *value)
{
    yyjson_mut_obj_add_str(p->entity.doc, p->root, key, value);
}

void page_set_object(struct page *p, const char *key, yyjson_mut_val *value)
{
    yyjson_mut_obj_add_val(p->entity.doc, p->root, key, value);
}

yyjson_mut_val *page_object(struct page *p, const char *key)
{
    return yyjson_mut_obj_add_obj(p->entity.doc, p->root, key);
}

yyjson_mut_val *page_list(struct page *p, const char *key)
{
    return yyjson_mut_obj_add_arr(p->entity.doc, p->root, key);
}

void page_put(struct page *p, yyjson_mut_val *object, ...)
{
    va_list args;
    va_start(args, object);
    for (const char *key; (key = va_arg(args, const char *));) {
        const char *value = va_arg(args, const char *);
        if (value) {
            yyjson_mut_obj_add_str(p->entity.doc, object, key, value);
        }
    }
    va_end(args);
}

void page_title(struct page *p, const char *key, const char *name, const char *value)
{
    page_set(p, "title",
             name ? locale_format(p->arena, p->locale, key, name, value, NULL) : locale_text(p->locale, key));
}

static yyjson_mut_val *root_object(struct page *p, const char *key)
{
    yyjson_mut_val *object = yyjson_mut_obj_get(p->root, key);
    return object ? object : page_object(p, key);
}

void page_is(struct page *p, const char *place)
{
    yyjson_mut_obj_add_bool(p->entity.doc, root_object(p, "page"), place, true);
}

const char *page_field(const struct page *p, const char *name)
{
    const char *value = http_form(p->req, name);
    return value ? value : "";
}

const char *page_next(const struct page *p, const char *fallback)
{
    return http_safe_next(page_field(p, "next"), fallback);
}

void page_form(struct page *p, ...)
{
    yyjson_mut_val *form = root_object(p, "form");
    va_list args;
    va_start(args, p);
    for (const char *field; (field = va_arg(args, const char *));) {
        yyjson_mut_obj_add_str(p->entity.doc, form, field, page_field(p, field));
    }
    va_end(args);
}

void page_way_back(struct page *p, const char *next)
{
    struct buffer encoded = buffer_make(p->arena);
    http_encode(&encoded, next, "-._~/");
    page_put(p, root_object(p, "form"), "next", next, "next_encoded", buffer_string(&encoded), NULL);
}

void page_share(struct page *p, const char *headline, const char *text, const char *path)
{
    const char *url = arena_printf(p->arena, "%s%s", p->entity.origin, path);
    page_put(p, page_object(p, "share"), "headline", headline, "excerpt", text, "url", url, "origin", p->entity.origin,
             NULL);
}

const char *page_problem_of(struct page *p, const char *field)
{
    for (unsigned i = 0; p->problems && i < p->problems->count; i++) {
        if (strcmp(p->problems->items[i].field, field) == 0) {
            return problem_words(p->arena, p->locale, &p->problems->items[i]);
        }
    }
    return NULL;
}

void page_problems(struct page *p, const struct problems *problems)
{
    yyjson_mut_val *errors = page_object(p, "errors"), *list = page_list(p, "error_list");
    for (unsigned i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        const char *text = problem_words(p->arena, p->locale, problem);
        page_put(p, errors, problem->field, text, NULL);
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
        page_put(p, one, "field", problem->field, "text", text, NULL);
    }
    if (problems->count) {
        yyjson_mut_obj_add_bool(p->entity.doc, page_object(p, "focus"), problems->items[0].field, true);
    }
}

bool page_is_form_error(enum err e)
{
    switch (e) {
    case ERR_INVALID:
    case ERR_TAKEN:
    case ERR_FORBIDDEN:
    case ERR_CONFLICT:
    case ERR_TOO_MANY:
    case ERR_BUSY:
    case ERR_UNAVAILABLE:
    case ERR_READ_ONLY:
        return true;
    default:
        return false;
    }
}

void page_explain(struct page *p, struct problems *problems, enum err e, unsigned seconds)
{
    if (problems->count == 0) {
        page_is(p, "is_refused");
    }
    if (e == ERR_TOO_MANY) {
        problem_add_numbers(problems, "form", RULE_WAIT, 0, 0, seconds ? seconds : 1);
        http_header(p->resp, "Retry-After", arena_printf(p->arena, "%u", seconds ? seconds : 1));
    } else if (problems->count == 0) {
        problem_add(problems, "form", e == ERR_BUSY ? "busy" : e == ERR_READ_ONLY ? "read_only" : "unavailable");
        if (err_info(e)->http_status == 503) {
            http_header(p->resp, "Retry-After", "2");
        }
    }
}

/* --- timelines --- */

struct timeline_query page_query(const struct page *p)
{
    const char *max = http_query(p->req, "max_id"), *min = http_query(p->req, "min_id"),
               *since = http_query(p->req, "since_id");
    return (struct timeline_query){.max_id = max ? id_parse(max) : 0,
                                   .min_id = min ? id_parse(min) : 0,
                                   .since_id = since ? id_parse(since) : 0,
                                   .limit = (unsigned)p->site->config->timeline.page};
}

static void put_cursor(struct page *p, const char *key, const char *base, const char *cursor, const char *value)
{
    const char *join = strchr(base, '?') ? "&" : "?";
    page_set(p, key, arena_printf(p->arena, "%s%s%s=%s", base, join, cursor, value));
}

static void put_paging(struct page *p, const char *base, const char *older, const char *newer)
{
    if (older) {
        put_cursor(p, "older_url", base, "max_id", older);
    }
    if (newer) {
        put_cursor(p, "newer_url", base, "min_id", newer);
    } else if (!older &&
               (http_query(p->req, "max_id") || http_query(p->req, "min_id") || http_query(p->req, "since_id"))) {
        page_set(p, "newer_url", base); /* a page beyond the end: not the end of the list, nor an empty one */
    }
}

void page_statuses(struct page *p, const char *key, const struct timeline_page *t)
{
    yyjson_mut_val *list = page_list(p, key);
    for (size_t i = 0; i < t->count; i++) {
        yyjson_mut_arr_append(list, decoration_status(&p->entity, &t->posts[i]));
    }
}

void page_pins(struct page *p, const struct timeline_page *t)
{
    yyjson_mut_val *list = page_list(p, "pins");
    for (size_t i = 0; i < t->count; i++) {
        yyjson_mut_arr_append(list, decoration_pin(&p->entity, &t->posts[i]));
    }
}

void page_timeline(struct page *p, const char *key, const struct timeline_page *t, const char *base)
{
    page_statuses(p, key, t);
    const char *older = NULL, *newer = NULL;
    if (t->has_older) {
        older = id_text(p->arena, t->older_id ? t->older_id : t->posts[t->count - 1].id);
    }
    if (t->has_newer) {
        newer = id_text(p->arena, t->newer_id ? t->newer_id : t->posts[0].id);
    }
    put_paging(p, base, older, newer);
}

static uint64_t number(const char *text)
{
    uint64_t n = 0;
    for (; text && *text; text++) {
        n = n * 10 + (uint64_t)(*text - '0'); /* digits only: the route's declaration says so */
    }
    return n;
}

struct follow_query page_time_query(const struct page *p)
{
    bool is_get = p->req->method != HTTP_POST;
    return (struct follow_query){.max_us = is_get ? number(http_query(p->req, "max_id")) : 0,
                                 .min_us = is_get ? number(http_query(p->req, "min_id")) : 0,
                                 .limit = (unsigned)p->site->config->timeline.page};
}

void page_time_paging(struct page *p, const char *base, uint64_t older_us, uint64_t newer_us)
{
    char *older = older_us ? arena_printf(p->arena, "%llu", (unsigned long long)older_us) : NULL;
    char *newer = newer_us ? arena_printf(p->arena, "%llu", (unsigned long long)newer_us) : NULL;
    put_paging(p, base, older, newer);
}

void page_people_lists(struct page *p, const struct lists *lists)
{
    yyjson_mut_val *list = page_list(p, "lists");
    for (size_t i = 0; i < lists->count; i++) {
        yyjson_mut_arr_append(list, decoration_list(&p->entity, &lists->items[i]));
    }
}
