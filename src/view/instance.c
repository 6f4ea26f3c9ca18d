/* instance.c - see instance.h. */
#include "view/instance.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "social/people/profile_field.h"
#include "social/posts/featured.h"
#include "social/posts/react.h"
#include "view/content.h"
#include "view/put.h"

/* Mastodon's own number first: apps choose by it what to try. The release that this API follows, then who answers. */
#define INSTANCE_VERSION "4.2.0 (compatible; Retwis " RETWIS_VERSION ")"
#define URL_CHARACTERS 23 /* what apps count for an address. Here it counts its length, which this field cannot say */

const char *instance_host(const char *origin)
{
    const char *host = strstr(origin, "://");
    return host ? host + 3 : origin;
}

/* "wss://example.org" */
static const char *streaming_of(const struct entity_context *c, const struct instance *site)
{
    bool is_secure = strncmp(site->origin, "https", 5) == 0;
    return arena_printf(c->arena, "%s://%s", is_secure ? "wss" : "ws", instance_host(site->origin));
}

static yyjson_mut_val *new_object(const struct entity_context *c, yyjson_mut_val *parent, const char *key)
{
    return yyjson_mut_obj_add_obj(c->doc, parent, key);
}

static void put_none(const struct entity_context *c, yyjson_mut_val *object, const char *key)
{
    put_value(c, object, key, yyjson_mut_arr(c->doc));
}

static void put_site_language(const struct entity_context *c, yyjson_mut_val *o, const struct instance *site)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(c->doc, o, "languages");
    yyjson_mut_arr_add_str(c->doc, list, site->language);
}

/* No files and no polls: every number of theirs is 0. Apps of iOS decode all of a group or nothing. */
static void put_configuration(const struct entity_context *c, yyjson_mut_val *configuration,
                              const struct instance *site)
{
    static const char *const files[] = {"image_size_limit", "image_matrix_limit", "video_size_limit",
                                        "video_frame_rate_limit", "video_matrix_limit"};
    static const char *const polls[] = {"max_options", "max_characters_per_option", "min_expiration", "max_expiration"};
    yyjson_mut_val *accounts = new_object(c, configuration, "accounts");
    put_count(c, accounts, "max_featured_tags", FEATURED_MOST);
    put_count(c, accounts, "max_pinned_statuses", POST_PINS_MAX);
    yyjson_mut_val *statuses = new_object(c, configuration, "statuses");
    put_count(c, statuses, "max_characters", site->post_length);
    put_count(c, statuses, "max_media_attachments", 0);
    put_count(c, statuses, "characters_reserved_per_url", URL_CHARACTERS);
    yyjson_mut_val *media = new_object(c, configuration, "media_attachments");
    put_none(c, media, "supported_mime_types");
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        put_count(c, media, files[i], 0);
    }
    yyjson_mut_val *poll = new_object(c, configuration, "polls");
    for (size_t i = 0; i < sizeof(polls) / sizeof(polls[0]); i++) {
        put_count(c, poll, polls[i], 0);
    }
}

yyjson_mut_val *entity_rules(const struct entity_context *c, const struct instance *site)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->doc);
    char *rest = arena_dup(c->arena, site->rules);
    unsigned number = 0;
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->doc, list);
        put_text(c, one, "id", arena_printf(c->arena, "%u", ++number));
        put_text(c, one, "text", line);
        put_text(c, one, "hint", "");
    }
    return list;
}

yyjson_mut_val *entity_description(const struct entity_context *c, const struct instance *site)
{
    struct buffer html = buffer_make(c->arena);
    content_html(&html, site->description, strlen(site->description), c->origin, NULL, CONTENT_ANYBODY);
    return yyjson_mut_str(c->doc, buffer_string(&html));
}

yyjson_mut_val *entity_instance(const struct entity_context *c, const struct instance *site)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "domain", instance_host(site->origin));
    put_text(c, o, "title", site->title);
    put_text(c, o, "version", INSTANCE_VERSION);
    put_text(c, o, "source_url", "");
    put_text(c, o, "description", site->description);
    put_count(c, new_object(c, new_object(c, o, "usage"), "users"), "active_month", site->numbers.month);
    put_text(c, new_object(c, o, "thumbnail"), "url", site->icon);
    put_none(c, o, "icon");
    put_site_language(c, o, site);
    yyjson_mut_val *configuration = new_object(c, o, "configuration");
    put_text(c, new_object(c, configuration, "urls"), "streaming", streaming_of(c, site));
    put_text(c, new_object(c, configuration, "vapid"), "public_key", "");
    put_configuration(c, configuration, site);
    put_bool(c, new_object(c, configuration, "translation"), "enabled", false);
    yyjson_mut_val *registrations = new_object(c, o, "registrations");
    put_bool(c, registrations, "enabled", site->is_open);
    put_bool(c, registrations, "approval_required", site->needs_invitation);
    yyjson_mut_obj_add_null(c->doc, registrations, "message");
    put_count(c, new_object(c, o, "api_versions"), "mastodon", 2);
    yyjson_mut_val *contact = new_object(c, o, "contact");
    put_text(c, contact, "email", site->contact);
    yyjson_mut_obj_add_null(c->doc, contact, "account");
    put_value(c, o, "rules", entity_rules(c, site));
    return o;
}

yyjson_mut_val *entity_instance_v1(const struct entity_context *c, const struct instance *site)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "uri", instance_host(site->origin));
    put_text(c, o, "title", site->title);
    put_text(c, o, "short_description", site->description);
    put_text(c, o, "description", site->description);
    put_text(c, o, "email", site->contact);
    put_text(c, o, "version", INSTANCE_VERSION);
    put_text(c, new_object(c, o, "urls"), "streaming_api", streaming_of(c, site));
    yyjson_mut_val *stats = new_object(c, o, "stats");
    put_count(c, stats, "user_count", site->numbers.users);
    put_count(c, stats, "status_count", site->numbers.posts);
    put_count(c, stats, "domain_count", 1);
    put_text(c, o, "thumbnail", site->icon);
    put_site_language(c, o, site);
    put_bool(c, o, "registrations", site->is_open);
    put_bool(c, o, "approval_required", site->needs_invitation);
    put_bool(c, o, "invites_enabled", false);
    put_configuration(c, new_object(c, o, "configuration"), site);
    yyjson_mut_obj_add_null(c->doc, o, "contact_account");
    put_value(c, o, "rules", entity_rules(c, site));
    return o;
}
