/* instance.c - what the site is, may be asked for by anybody: the instance documents, the rules, and lists of things that
 * the site has none of. Connection threads.
 *
 * The documents promise nothing that the program lacks: no media, polls, translation. Apps of Mastodon decide by `version`
 * and `api_versions` what else they try.
 */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "config/settings.h"
#include "http/static.h"
#include "social/people/interest.h"
#include "social/people/population.h"
#include "social/people/profile_field.h"
#include "social/posts/react.h"
#include "view/instance.h"
#include "view/openapi.h"

/* The parts of an entity that the settings and the request decide. */
static struct instance instance_of(struct api *c)
{
    const struct settings *settings = settings_get(c->site->settings);
    struct instance out = {
        .title = arena_dup(c->arena, settings->site_name),
        .description = arena_dup(c->arena, settings->site_description),
        .contact = arena_dup(c->arena, settings->contact),
        .rules = arena_dup(c->arena, settings->rules),
        .language = arena_dup(c->arena, settings->default_locale),
        .origin = c->req->origin,
        .post_length = settings->post_length,
        .is_open = settings->registration != REGISTRATION_CLOSED,
        .needs_invitation = settings->registration == REGISTRATION_INVITE,
    };
    settings_release(c->site->settings, settings);
    out.icon = arena_printf(c->arena, "%s/static/%s/icons/touch-512.png", c->req->origin, static_version());
    return out;
}

static void api_instance(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        struct instance site = instance_of(&c);
        site.numbers = population_read(c.site->social, c.arena);
        api_answer(&c, entity_instance_v1(&c.entity, &site));
    }
}

static void api_instance_v2(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        struct instance site = instance_of(&c);
        site.numbers = population_read(c.site->social, c.arena);
        api_answer(&c, entity_instance(&c.entity, &site));
    }
}

static void api_rules(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        struct instance site = instance_of(&c);
        api_answer(&c, entity_rules(&c.entity, &site));
    }
}

static void api_extended_description(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        struct instance site = instance_of(&c);
        yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
        yyjson_mut_obj_add_null(c.entity.doc, o, "updated_at");
        yyjson_mut_obj_add_val(c.entity.doc, o, "content", entity_description(&c.entity, &site));
        api_answer(&c, o);
    }
}

static void api_languages(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        struct instance site = instance_of(&c);
        yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc), *one = yyjson_mut_arr_add_obj(c.entity.doc, list);
        yyjson_mut_obj_add_str(c.entity.doc, one, "code", site.language);
        yyjson_mut_obj_add_str(c.entity.doc, one, "name", site.language);
        api_answer(&c, list);
    }
}

/* Of what the site has none: no picture of its own among emojis, nobody to announce anything, no other servers. */
static void api_nothing(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        api_answer_none(&c);
    }
}

/* The API itself, made anew each time: seldom asked for. */
static void api_document(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        struct instance site = instance_of(&c);
        api_answer(&c, openapi(&c.entity, c.site->areas, site.title));
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_instance[] = {
    {HTTP_GET, "/api", api_document, WHO_ANYONE, .help = "this document: every address of the API, by OpenAPI 3.1"},
    {HTTP_GET, "/api/v1/instance", api_instance, WHO_ANYONE, .answer = "V1_Instance", .help = "the site, as older apps ask for it"},
    {HTTP_GET, "/api/v2/instance", api_instance_v2, WHO_ANYONE, .answer = "Instance", .help = "the site, and what it can do"},
    {HTTP_GET, "/api/v1/instance/rules", api_rules, WHO_ANYONE, .answer = "[any]", .help = "the rules of the site"},
    {HTTP_GET, "/api/v1/instance/extended_description", api_extended_description, WHO_ANYONE, .answer = "ExtendedDescription", .help = "what the site is for, as HTML"},
    {HTTP_GET, "/api/v1/instance/languages", api_languages, WHO_ANYONE, .answer = "[any]", .help = "the language of the site"},
    {HTTP_GET, "/api/v1/instance/peers", api_nothing, WHO_ANYONE, .answer = "[any]", .help = "other servers that are known: none"},
    {HTTP_GET, "/api/v1/instance/activity", api_nothing, WHO_ANYONE, .answer = "[any]", .help = "numbers of past weeks: none are kept"},
    {HTTP_GET, "/api/v1/custom_emojis", api_nothing, WHO_ANYONE, .answer = "[any]", .help = "pictures for text: none"},
    {HTTP_GET, "/api/v1/announcements", api_nothing, WHO_MEMBER, .answer = "[any]", .help = "announcements: none"},
    {0},
};
/* clang-format on */
