/* known.c - what programs ask that meet the site for the first time, at addresses that are the same everywhere: which
 * software it is, where a person's page is, whom to tell of a hole. Connection threads.
 */
#include <string.h>
#include <strings.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/clock.h"
#include "config/settings.h"
#include "social/people/people.h"
#include "social/people/population.h"
#include "view/instance.h"

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

static void put_usage(struct api *c, yyjson_mut_val *usage)
{
    const struct population numbers = population_read(c->site->social, c->arena);
    yyjson_mut_val *users = yyjson_mut_obj_add_obj(c->entity.doc, usage, "users");
    yyjson_mut_obj_add_int(c->entity.doc, users, "total", numbers.users);
    yyjson_mut_obj_add_int(c->entity.doc, users, "activeMonth", numbers.month);
    yyjson_mut_obj_add_int(c->entity.doc, users, "activeHalfyear", numbers.halfyear);
    yyjson_mut_obj_add_int(c->entity.doc, usage, "localPosts", numbers.posts);
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
    yyjson_mut_obj_add_arr(doc, o, "protocols"); /* between servers: none, as it talks to no other */
    services = yyjson_mut_obj_add_obj(doc, o, "services");
    yyjson_mut_obj_add_arr(doc, services, "inbound");
    yyjson_mut_obj_add_arr(doc, services, "outbound");
    yyjson_mut_obj_add_bool(doc, o, "openRegistrations", is_open);
    put_usage(&c, yyjson_mut_obj_add_obj(doc, o, "usage"));
    metadata = yyjson_mut_obj_add_obj(doc, o, "metadata");
    yyjson_mut_obj_add_bool(doc, yyjson_mut_obj_add_obj(doc, metadata, "federation"), "enabled", false);
    yyjson_mut_obj_add_str(doc, metadata, "nodeName", name);
    yyjson_mut_obj_add_str(doc, yyjson_mut_obj_add_obj(doc, metadata, "upstream"), "name", "mastodon");
    api_answer(&c, o);
}

/* --- people by handle ---------------------------------------------------------------------------------------------- */

/* The name of "acct:name@host", if the host is ours, or of the address of a profile; NULL otherwise. */
static const char *named_by(struct api *c, const char *resource)
{
    const char *page = arena_printf(c->arena, "%s/@", c->req->origin);
    if (strncmp(resource, page, strlen(page)) == 0) {
        return resource + strlen(page);
    }
    if (strncasecmp(resource, "acct:", 5) != 0) {
        return NULL;
    }
    const char *handle = resource + 5;
    return strchr(handle + (*handle == '@'), '@') ? api_handle_name(c, handle) : NULL;
}

static void api_webfinger(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const char *resource = api_text(&c, "resource");
    const char *name = resource ? named_by(&c, resource) : NULL;
    if (!name || !name[0] || strlen(name) > USER_NAME_MAX) {
        api_error(&c, resource ? ERR_NOT_FOUND : ERR_INVALID, resource ? NULL : "resource is missing");
        return;
    }
    const struct user *u = user_named_ask(c.visit, name);
    if (!api_read(&c)) {
        return;
    }
    if (!u->id) {
        api_error(&c, ERR_NOT_FOUND, NULL);
        return;
    }
    yyjson_mut_doc *doc = c.entity.doc;
    const char *page = arena_printf(c.arena, "%s/@%s", req->origin, u->name);
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, o, "subject", arena_printf(c.arena, "acct:%s@%s", u->name, instance_host(req->origin)));
    yyjson_mut_arr_add_str(doc, yyjson_mut_obj_add_arr(doc, o, "aliases"), page);
    yyjson_mut_val *link = yyjson_mut_arr_add_obj(doc, yyjson_mut_obj_add_arr(doc, o, "links"));
    yyjson_mut_obj_add_str(doc, link, "rel", "http://webfinger.net/rel/profile-page");
    yyjson_mut_obj_add_str(doc, link, "type", "text/html");
    yyjson_mut_obj_add_str(doc, link, "href", page);
    api_answer(&c, o);
    resp->content_type = "application/jrd+json; charset=utf-8";
}

/* Older programs ask this first. The address is our own and has no character that XML would read. */
static void api_host_meta(struct http_request *req, struct http_response *resp)
{
    resp->content_type = "application/xrd+xml; charset=utf-8";
    buffer_printf(&resp->body,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<XRD xmlns=\"http://docs.oasis-open.org/ns/xri/xrd-1.0\">\n"
                  "  <Link rel=\"lrdd\" template=\"%s/.well-known/webfinger?resource={uri}\"/>\n"
                  "</XRD>\n",
                  req->origin);
}

/* RFC 9116. It says until when it is true: a day from now on at least. */
static void api_security(struct http_request *req, struct http_response *resp)
{
    const struct site *site = req->app;
    const struct settings *settings = settings_get(site->settings);
    const char *contact = arena_dup(req->arena, settings->contact);
    settings_release(site->settings, settings);
    if (!contact[0]) {
        api_http_error(req, resp, 404,
                       "the site's administrator has named no address (retwis settings set site.contact)");
        return;
    }
    char until[CLOCK_ISO_SIZE];
    clock_iso(clock_wall_ms() / CLOCK_DAY_MS * CLOCK_DAY_MS + 8 * CLOCK_DAY_MS, until);
    resp->content_type = "text/plain; charset=utf-8";
    buffer_printf(&resp->body, "Contact: mailto:%s\nExpires: %s\nCanonical: %s/.well-known/security.txt\n", contact,
                  until, req->origin);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_known[] = {
    {HTTP_GET, "/.well-known/nodeinfo", api_nodeinfo_links, WHO_ANYONE, .answer = "NodeInfoLinks", .help = "where the description of this server is"},
    {HTTP_GET, "/.well-known/webfinger", api_webfinger, WHO_ANYONE, .help = "?resource=acct:name@host: where the page of a person is"},
    {HTTP_GET, "/.well-known/host-meta", api_host_meta, WHO_ANYONE, .help = "where to ask for people"},
    {HTTP_GET, "/.well-known/security.txt", api_security, WHO_ANYONE, .help = "whom to tell of a security hole"},
    {0},
};

const struct http_route api_routes_nodeinfo[] = {
    {HTTP_GET, "/nodeinfo/2.0", api_nodeinfo, WHO_ANYONE, .answer = "NodeInfo", .help = "which software this is, and how many people are there"},
    {0},
};
/* clang-format on */
