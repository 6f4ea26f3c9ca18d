/* developers.c - the API for people: every address out of the tables that the server works by. Programs read GET /api.
 * Connection threads.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "http/area.h"
#include "pages/handlers.h"
#include "pages/page.h"

static const struct {
    unsigned method;
    const char *name;
} methods[] = {
    {HTTP_GET, "GET"}, {HTTP_POST, "POST"}, {HTTP_PUT, "PUT"}, {HTTP_PATCH, "PATCH"}, {HTTP_DELETE, "DELETE"}};

static const char *method_words(struct page *p, unsigned of)
{
    struct buffer b = buffer_make(p->arena);
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (of & methods[i].method) {
            buffer_printf(&b, "%s%s", b.length ? ", " : "", methods[i].name);
        }
    }
    return buffer_string(&b);
}

static void put_route_inputs(struct page *p, yyjson_mut_val *one, const struct http_route *route)
{
    struct buffer names = buffer_make(p->arena);
    for (size_t i = 0; i < HTTP_PARAMETER_SETS && route->parameters[i]; i++) {
        for (const struct http_parameter *q = route->parameters[i]; q->name; q++) {
            buffer_printf(&names, "%s%s%s", names.length ? " " : "", q->name, q->required ? "*" : "");
        }
    }
    if (route->forgiven) {
        buffer_printf(&names, "%s%s", names.length ? " " : "", route->forgiven);
    }
    page_put(p, one, "inputs", names.length ? buffer_string(&names) : NULL, NULL);
}

static void put_routes(struct page *p, yyjson_mut_val *list, const struct http_area *area)
{
    for (const struct http_route *const *table = area->tables; *table; table++) {
        for (const struct http_route *route = *table; route->path; route++) {
            yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
            page_put(p, one, "methods", method_words(p, route->methods), "address", route->path, "help", route->help,
                     "scopes", route->scopes, "answer", route->answer, NULL);
            put_route_inputs(p, one, route);
        }
    }
}

static void page_developers(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!page_read(&p)) {
        return;
    }
    page_title(&p, "title_developers", NULL, NULL);
    page_is(&p, "is_developers");
    yyjson_mut_val *list = page_list(&p, "routes");
    for (const struct http_area *const *area = p.site->areas; *area; area++) {
        if ((*area)->credential == HTTP_BEARER) {
            put_routes(&p, list, *area);
        }
    }
    page_render(&p, "developers");
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route routes_developers[] = {
    {HTTP_GET, "/developers", page_developers, WHO_ANYONE,
     .flags = HTTP_PUBLIC, .help = "the addresses that apps use"},
    {0},
};
/* clang-format on */
