/* search.c - finding posts, people and tags. Connection threads. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "config/config.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "social/people/visit_apart.h"
#include "social/search/search.h"
#include "view/locale.h"

#define QUESTION_MAX 300 /* bytes */

/* The tabs, in this order. */
static const struct kind {
    const char *type, *title, *place;
    char sign; /* what is typed with it is meant for this one */
} kinds[] = {{"posts", "search_posts", "is_search_posts", 0},
             {"people", "search_people", "is_search_people", '@'},
             {"tags", "search_tags", "is_search_tags", '#'}};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *search_kind(const char *type, const char *question)
{
    for (size_t i = 0; type && i < KINDS; i++) {
        if (strcmp(kinds[i].type, type) == 0) {
            return &kinds[i];
        }
    }
    for (size_t i = 1; i < KINDS; i++) {
        if (*question == kinds[i].sign) {
            return &kinds[i];
        }
    }
    return &kinds[0];
}

static const char *address_of(struct page *p, const struct kind *k, const char *question)
{
    return arena_printf(p->arena, "/search?q=%s&type=%s", page_encoded(p, question), k->type);
}

static void put_frame(struct page *p, const struct kind *now, const char *question)
{
    yyjson_mut_val *list = page_list(p, "tabs");
    for (size_t i = 0; i < KINDS; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
        page_put(p, one, "href", address_of(p, &kinds[i], question), "text", locale_text(p->locale, kinds[i].title),
                 NULL);
        yyjson_mut_obj_add_bool(p->entity.doc, one, "current", &kinds[i] == now);
    }
    page_put(p, page_object(p, "search"), "q", question, "type", now->type, NULL);
    page_title(p, *question ? "title_search_for" : "title_search", *question ? "query" : NULL, question);
    page_is(p, "is_search");
    page_is(p, now->place);
    if (*question) {
        page_is(p, "is_asked");
    }
}

/* --- what is found ------------------------------------------------------------------------------------------------- */

static void put_found_posts(struct page *p, const struct search_posts *found, const char *base)
{
    page_statuses(p, "statuses", &(struct timeline_page){.posts = found->posts, .count = found->count});
    if (found->older_id) {
        page_set(p, "older_url", arena_printf(p->arena, "%s&max_id=%s", base, id_text(p->arena, found->older_id)));
    }
    if (http_query(p->req, "max_id")) {
        page_set(p, "newest_url", base);
    }
    if (!found->is_whole) {
        page_is(p, "is_building");
    }
}

static void put_found_people(struct page *p, const struct people *found)
{
    yyjson_mut_val *list = page_list(p, "accounts");
    for (size_t i = 0; i < found->count; i++) {
        const struct user *u = &found->users[i];
        const struct entity_relation relation = {.following = visit_follows(p->visit, u->id),
                                                 .apart = visit_apart(p->visit, u->id)};
        yyjson_mut_arr_append(list, decoration_account_row(&p->entity, u, &relation));
    }
}

static void put_found_tags(struct page *p, const struct search_tags *found)
{
    yyjson_mut_val *list = page_list(p, "tags");
    for (size_t i = 0; i < found->count; i++) {
        const struct search_tag *tag = &found->tags[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
        page_put(p, one, "name", tag->name, "href", arena_printf(p->arena, "/tags/%s", page_encoded(p, tag->name)),
                 "use", locale_plural(p->arena, p->locale, "tag_posts", (uint64_t)tag->posts, NULL), NULL);
    }
}

static void page_search(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!p.site->config->search.enabled) {
        page_error(&p, ERR_NOT_FOUND);
        return;
    }
    const char *typed = http_query(req, "q"), *max = http_query(req, "max_id");
    char *question = arena_dup(p.arena, typed ? typed : "");
    text_tidy(question);
    const struct kind *kind = search_kind(http_query(req, "type"), question);
    const struct search_posts *posts = NULL;
    const struct people *people = NULL;
    const struct search_tags *tags = NULL;
    if (kind == &kinds[1]) {
        people = search_people_ask(p.visit, question, SEARCH_SHOWN);
    } else if (kind == &kinds[2]) {
        tags = search_tags_ask(p.visit, question, SEARCH_BY_USE, SEARCH_SHOWN);
    } else {
        posts = search_posts_ask(p.visit, question, max ? id_parse(max) : 0, (unsigned)p.site->config->timeline.page);
    }
    if (!page_read(&p)) {
        return;
    }
    put_frame(&p, kind, question);
    if (posts) {
        put_found_posts(&p, posts, address_of(&p, kind, question));
    } else if (people) {
        put_found_people(&p, people);
    } else {
        put_found_tags(&p, tags);
    }
    page_render(&p, "search");
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter search_fields[] = {
    {"q", HTTP_TEXT, 0, QUESTION_MAX, false,
     "words, \"phrases\", #tags, from:name; of people and tags the beginning of a name"},
    {"type", HTTP_TEXT, 0, 16, false, "posts, people or tags"},
    {"max_id", HTTP_ID, 0, 0, false, "only posts older than this"},
    {0},
};

const struct http_route routes_search[] = {
    {HTTP_GET,
     "/search",
     page_search,
     WHO_ANYONE,
     {search_fields},
     .help = "finds posts, people and tags",
     .flags = HTTP_SEARCHING},
    {0},
};
