/* nodeinfo.c - what programs ask that meet the site for the first time: which software it is, and who is there.
 * Connection threads.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "config/settings.h"
#include "social/people/population.h"
#include "social/timelines/timeline.h"

static yyjson_mut_val *add_link(struct api *c, yyjson_mut_val *links, const char *rel, const char *path)
{
    yyjson_mut_val *link = yyjson_mut_arr_add_obj(c->entity.doc, links);
    yyjson_mut_obj_add_str(c->entity.doc, link, "rel", rel);
    yyjson_mut_obj_add_str(c->entity.doc, link, "href", arena_printf(c->arena, "%s%s", c->req->origin, path));
    return link;
}

static void api_nodeinfo_links(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc), *links = yyjson_mut_obj_add_arr(c.entity.doc, o, "links");
        add_link(&c, links, "http://nodeinfo.diaspora.software/ns/schema/2.0", "/nodeinfo/2.0");
        api_answer(&c, o);
    }
}

/* Clients take it for Mastodon's API by metadata.upstream; the software says its own name. */
static void api_nodeinfo(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_doc *doc = c.entity.doc;
    const struct settings *settings = settings_get(c.site->settings);
    bool is_open = settings->registration == REGISTRATION_OPEN;
    const char *name = arena_dup(c.arena, settings->site_name);
    settings_release(c.site->settings, settings);
    yyjson_mut_val *o = yyjson_mut_obj(doc), *software, *services, *metadata;
    yyjson_mut_obj_add_str(doc, o, "version", "2.0");
    software = yyjson_mut_obj_add_obj(doc, o, "software");
    yyjson_mut_obj_add_str(doc, software, "name", "retwis");
    yyjson_mut_obj_add_str(doc, software, "version", RETWIS_VERSION);
    yyjson_mut_obj_add_arr(doc, o, "protocols");
    services = yyjson_mut_obj_add_obj(doc, o, "services");
    yyjson_mut_obj_add_arr(doc, services, "inbound");
    yyjson_mut_obj_add_arr(doc, services, "outbound");
    yyjson_mut_obj_add_bool(doc, o, "openRegistrations", is_open);
    yyjson_mut_val *users = yyjson_mut_obj_add_obj(doc, yyjson_mut_obj_add_obj(doc, o, "usage"), "users");
    yyjson_mut_obj_add_int(doc, users, "total", population(c.site->social, c.arena));
    metadata = yyjson_mut_obj_add_obj(doc, o, "metadata");
    yyjson_mut_obj_add_str(doc, metadata, "nodeName", name);
    yyjson_mut_obj_add_str(doc, yyjson_mut_obj_add_obj(doc, metadata, "upstream"), "name", "mastodon");
    api_answer(&c, o);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_known[] = {
    {HTTP_GET, "/.well-known/nodeinfo", api_nodeinfo_links, WHO_ANYONE, .help = "where the description of this server is"},
    {0},
};

const struct http_route api_routes_nodeinfo[] = {
    {HTTP_GET, "/nodeinfo/2.0", api_nodeinfo, WHO_ANYONE, .help = "which software this is, and how many people are there"},
    {0},
};
/* clang-format on */
