/* entity_whole.c - see entity_whole.h. One thread at a time per context. */
#include "view/entity_whole.h"

#include <string.h>

#include "base/arena.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/text.h"
#include "http/static.h"
#include "social/people/app.h"
#include "social/people/preference.h"
#include "social/people/profile_field.h"
#include "social/people/tie.h"
#include "social/people/user.h"
#include "social/people/user_numbers.h"
#include "social/posts/post.h"
#include "social/posts/tags.h"
#include "view/content.h"
#include "view/entity.h"
#include "view/entity_filter.h"
#include "view/put.h"

static yyjson_mut_val *put_empty(const struct entity_context *c, yyjson_mut_val *o, const char *key)
{
    return yyjson_mut_obj_add_arr(c->doc, o, key);
}

/* --- people -------------------------------------------------------------------------------------------------------- */

/* Nobody has a picture of his own here: all have the same. */
static void put_pictures(const struct entity_context *c, yyjson_mut_val *o)
{
    const char *avatar = arena_printf(c->arena, "%s/static/%s/icons/avatar.png", c->origin, static_version());
    const char *header = arena_printf(c->arena, "%s/static/%s/icons/header.png", c->origin, static_version());
    put_text(c, o, "avatar", avatar);
    put_text(c, o, "avatar_static", avatar);
    put_text(c, o, "header", header);
    put_text(c, o, "header_static", header);
}

static void put_last_day(const struct entity_context *c, yyjson_mut_val *o, uint64_t last_post)
{
    if (last_post) {
        put_day(c, o, "last_status_at", id_ms(last_post));
    } else {
        put_null(c, o, "last_status_at");
    }
}

yyjson_mut_val *entity_account_whole(const struct entity_context *c, const struct user *u,
                                     const struct user_counts *counts, uint64_t last_post)
{
    static const struct user_numbers none;
    const struct user_numbers *known = u->numbers ? u->numbers : &none;
    yyjson_mut_val *o = entity_account(c, u);
    put_text(c, o, "uri", arena_printf(c->arena, "%s/@%s", c->origin, u->name));
    entity_account_note(c, o, u);
    entity_account_fields(c, o, u);
    entity_account_counts(c, o, counts ? counts : &known->counts);
    put_pictures(c, o);
    put_bool(c, o, "bot", u->is_bot);
    put_bool(c, o, "group", false);
    put_bool(c, o, "discoverable", u->is_discoverable);
    put_bool(c, o, "indexable", u->is_indexable);
    put_bool(c, o, "hide_collections", u->hides_people);
    put_empty(c, o, "emojis");
    put_empty(c, o, "roles");
    put_last_day(c, o, last_post ? last_post : known->last_post);
    return o;
}

static void put_source_fields(const struct entity_context *c, yyjson_mut_val *source, const struct user *u)
{
    struct profile_field fields[PROFILE_FIELDS_MAX];
    size_t count = profile_fields_read(c->arena, u->profile_fields, fields);
    yyjson_mut_val *list = put_empty(c, source, "fields");
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->doc, list);
        put_text(c, one, "name", fields[i].name);
        put_text(c, one, "value", fields[i].value);
        put_null(c, one, "verified_at");
    }
}

yyjson_mut_val *entity_account_own(const struct entity_context *c, const struct user *u,
                                   const struct user_counts *counts, uint64_t last_post, int64_t requests)
{
    yyjson_mut_val *o = entity_account_whole(c, u, counts, last_post);
    yyjson_mut_val *source = yyjson_mut_obj_add_obj(c->doc, o, "source");
    const char *language = preference_of(u->preferred, PREFERENCE_LANGUAGE);
    put_text(c, source, "privacy", preference_of(u->preferred, PREFERENCE_VISIBILITY));
    put_bool(c, source, "sensitive", preference_is_on(u->preferred, PREFERENCE_SENSITIVE));
    if (language[0]) {
        put_text(c, source, "language", language);
    } else {
        put_null(c, source, "language");
    }
    put_text(c, source, "note", u->bio);
    put_source_fields(c, source, u);
    put_count(c, source, "follow_requests_count", requests);
    put_bool(c, source, "discoverable", u->is_discoverable);
    put_bool(c, source, "indexable", u->is_indexable);
    put_bool(c, source, "hide_collections", u->hides_people);
    yyjson_mut_val *role = yyjson_mut_obj_add_obj(c->doc, o, "role");
    put_text(c, role, "id", u->is_admin ? "1" : "-99"); /* -99: everybody's */
    put_text(c, role, "name", u->is_admin ? "Admin" : "");
    put_text(c, role, "color", "");
    put_text(c, role, "permissions", "0"); /* nothing is administered by the API */
    put_bool(c, role, "highlighted", false);
    return o;
}

static void put_tie_languages(const struct entity_context *c, yyjson_mut_val *o, const struct tie *tie)
{
    if (!tie || !*tie->languages) {
        put_null(c, o, "languages");
        return;
    }
    yyjson_mut_val *list = put_empty(c, o, "languages");
    const char *rest = tie->languages;
    size_t length;
    for (const char *at; (at = text_entry(&rest, &length));) {
        yyjson_mut_arr_add_strncpy(c->doc, list, at, length);
    }
}

yyjson_mut_val *entity_relationship_whole(const struct entity_context *c, const struct user *u,
                                          const struct entity_relation *r)
{
    yyjson_mut_val *o = entity_relationship(c, u, r);
    put_bool(c, o, "requested_by", r->requested_by);
    put_bool(c, o, "domain_blocking", false);
    put_text(c, o, "note", r->remark ? r->remark : "");
    put_tie_languages(c, o, r->tie);
    return o;
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static void put_post_tags(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    yyjson_mut_val *list = put_empty(c, o, "tags");
    const char *rest = tags_of(c->arena, p->text, strlen(p->text));
    for (const char *tag; (tag = tags_next(c->arena, &rest));) {
        struct buffer url = buffer_make(c->arena);
        buffer_printf(&url, "%s/tags/", c->origin);
        content_path(&url, tag, strlen(tag));
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->doc, list);
        put_text(c, one, "name", tag);
        put_text(c, one, "url", buffer_string(&url));
    }
}

/* What it was written with. */
static void put_application(const struct entity_context *c, yyjson_mut_val *o, const char *app)
{
    const char *name, *website;
    if (!app || !*app) {
        put_null(c, o, "application");
        return;
    }
    app_sign_read(c->arena, app, &name, &website);
    yyjson_mut_val *shown = yyjson_mut_obj(c->doc);
    put_text(c, shown, "name", name);
    if (*website) {
        put_text(c, shown, "website", website);
    } else {
        put_null(c, shown, "website");
    }
    put_value(c, o, "application", shown);
}

/* What entity_status leaves out where there is nothing to say. */
static void put_absent(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    if (!p->edited_ms) {
        put_null(c, o, "edited_at");
    }
    if (!p->reply_to) {
        put_null(c, o, "in_reply_to_id");
        put_null(c, o, "in_reply_to_account_id");
    }
    if (!p->language[0]) {
        put_null(c, o, "language");
    }
    put_null(c, o, "poll");
    put_null(c, o, "card");
    put_application(c, o, p->app);
    put_count(c, o, "quotes_count", 0);
}

struct post entity_status_words(const struct post *p)
{
    const struct post *shown = p->boosted;
    struct post own = *p;
    own.boosted = NULL;
    if (shown) {
        own.text = shown->text;
        own.spoiler = shown->spoiler;
        own.is_sensitive = shown->is_sensitive;
        own.language = shown->language;
        own.mentions = shown->mentions;
        own.mention_count = shown->mention_count;
        own.marks = shown->marks;
        own.reply_count = shown->reply_count;
        own.favourite_count = shown->favourite_count;
        own.boost_count = shown->boost_count;
    }
    return own;
}

yyjson_mut_val *entity_status_rest(const struct entity_context *c, const struct post *p)
{
    yyjson_mut_val *o = entity_status(c, p);
    yyjson_mut_obj_remove_key(o, "account");
    put_post_tags(c, o, p);
    put_absent(c, o, p);
    return o;
}

yyjson_mut_val *entity_status_whole(const struct entity_context *c, const struct post *p)
{
    const struct post own = entity_status_words(p);
    yyjson_mut_val *o = entity_status_rest(c, &own);
    put_value(c, o, "account", entity_account_whole(c, &p->author, NULL, 0));
    if (c->viewer) {
        put_value(c, o, "filtered", entity_filtered(c, p));
    }
    if (p->boosted) {
        yyjson_mut_obj_put(o, yyjson_mut_str(c->doc, "reblog"), entity_status_whole(c, p->boosted));
    }
    return o;
}
