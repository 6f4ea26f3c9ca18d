/* complete.c - what a name or tag that is being typed may become: for the scripts of the boxes (web/js/complete.js), which
 * do without where there is no answer. Connection threads. */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "config/config.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "social/search/search.h"
#include "view/json.h"
#include "view/locale.h"

#define COMPLETE_MOST 6   /* of people, of tags */
#define BEGINNING_MAX 200 /* bytes */

static void complete_item(struct page *p, yyjson_mut_val *items, const char *text, const char *name, const char *href)
{
    page_put(p, yyjson_mut_arr_add_obj(p->entity.doc, items), "text", text, "name", name, "href", href, NULL);
}

static void complete_people(struct page *p, yyjson_mut_val *items, const struct people *found)
{
    for (size_t i = 0; i < found->count && i < COMPLETE_MOST; i++) {
        const struct user *u = &found->users[i];
        complete_item(p, items, arena_printf(p->arena, "@%s", u->name), decoration_shown(u),
                      arena_printf(p->arena, "/@%s", u->name));
    }
}

static void complete_tags(struct page *p, yyjson_mut_val *items, const struct search_tags *found)
{
    for (size_t i = 0; i < found->count && i < COMPLETE_MOST; i++) {
        const struct search_tag *tag = &found->tags[i];
        complete_item(p, items, arena_printf(p->arena, "#%s", tag->name),
                      locale_plural(p->arena, p->locale, "tag_posts", (uint64_t)tag->posts, NULL),
                      arena_printf(p->arena, "/tags/%s", page_encoded(p, tag->name)));
    }
}

/* {"items": [{"text": "@ann", "name": "Ann", "href": "/@ann"}, ...]}: people whom the visitor follows first. */
static void page_complete(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    char *typed = arena_dup(p.arena, http_query(req, "q"));
    text_tidy(typed);
    if (!p.site->config->search.enabled || !*typed) {
        page_error(&p, ERR_NOT_FOUND);
        return;
    }
    const struct people *people = *typed != '#' ? search_people_ask(p.visit, typed, SEARCH_SHOWN) : NULL;
    const struct search_tags *tags =
        *typed != '@' ? search_tags_ask(p.visit, typed, SEARCH_BY_USE, SEARCH_SHOWN) : NULL;
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_doc *doc = p.entity.doc = view_doc(p.arena);
    yyjson_mut_val *root = yyjson_mut_obj(doc), *items = yyjson_mut_obj_add_arr(doc, root, "items");
    yyjson_mut_doc_set_root(doc, root);
    if (people) {
        complete_people(&p, items, people);
    }
    if (tags) {
        complete_tags(&p, items, tags);
    }
    resp->content_type = "application/json";
    view_json(&resp->body, doc);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter complete_fields[] = {
    {"q", HTTP_TEXT, 1, BEGINNING_MAX, true, "the beginning of a name (@) or tag (#), or of either"},
    {0},
};

const struct http_route routes_complete[] = {
    {HTTP_GET,
     "/complete",
     page_complete,
     WHO_ANYONE,
     {complete_fields},
     .help = "people and tags whose names begin like this, as JSON",
     .flags = HTTP_SEARCHING},
    {0},
};
