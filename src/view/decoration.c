/* decoration.c - see decoration.h. One thread at a time per context. */
#include "view/decoration.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "social/people/session.h"
#include "social/people/user.h"
#include "social/posts/place.h"
#include "social/posts/post.h"
#include "social/timelines/list.h"
#include "view/locale.h"
#include "view/put.h"

#define HUES 12

/* The address within the site is the end of the entity's url. */
static void put_href(const struct entity_context *c, yyjson_mut_val *o)
{
    put_text(c, o, "href", yyjson_mut_get_str(yyjson_mut_obj_get(o, "url")) + strlen(c->origin));
}

static void put_elapsed(const struct entity_context *c, yyjson_mut_val *o, const char *key, uint64_t ms)
{
    put_text(c, o, key, locale_elapsed(c->arena, c->locale, ms, c->now_ms));
}

/* --- people --------------------------------------------------------------------------------------------------------
 * */

const char *decoration_shown(const struct user *u)
{
    return u->display[0] ? u->display : u->name;
}

const char *decoration_isolated(const struct entity_context *c, const struct user *u)
{
    return arena_printf(c->arena, "\xe2\x81\xa8%s\xe2\x81\xa9", decoration_shown(u));
}

/* The first character, upper case where that is simple. */
static const char *initial(const struct entity_context *c, const struct user *u)
{
    const char *name = decoration_shown(u);
    uint32_t code_point;
    size_t size = text_decode(name, strlen(name), &code_point);
    char *out = arena_dup_n(c->arena, name, size ? size : 1);
    if (out[0] >= 'a' && out[0] <= 'z') {
        out[0] = (char)(out[0] - 'a' + 'A');
    }
    return out;
}

static const char *hue(uint64_t id)
{
    static const char *const names[HUES] = {"hue-0", "hue-1", "hue-2", "hue-3", "hue-4",  "hue-5",
                                            "hue-6", "hue-7", "hue-8", "hue-9", "hue-10", "hue-11"};
    return names[(id * 0x9E3779B97F4A7C15u >> 32) % HUES];
}

static void decorate_account(const struct entity_context *c, yyjson_mut_val *o, const struct user *u)
{
    put_href(c, o);
    put_text(c, o, "name_shown", decoration_shown(u));
    put_text(c, o, "avatar_initial", initial(c, u));
    put_text(c, o, "avatar_hue", hue(u->id));
}

yyjson_mut_val *decoration_account(const struct entity_context *c, const struct user *u)
{
    yyjson_mut_val *o = entity_account(c, u);
    decorate_account(c, o, u);
    return o;
}

void decoration_account_counts(const struct entity_context *c, yyjson_mut_val *account,
                               const struct user_counts *counts)
{
    entity_account_counts(c, account, counts);
    put_text(c, account, "statuses_label",
             locale_plural(c->arena, c->locale, "count_statuses", (uint64_t)counts->posts, NULL));
    put_text(c, account, "followers_label",
             locale_plural(c->arena, c->locale, "count_followers", (uint64_t)counts->followers, NULL));
}

void decoration_account_profile(const struct entity_context *c, yyjson_mut_val *account, const struct user *u)
{
    entity_account_note(c, account, u);
    entity_account_fields(c, account, u);
    put_bool(c, account, "has_fields", yyjson_mut_arr_size(yyjson_mut_obj_get(account, "fields")) > 0);
    put_text(c, account, "joined", locale_joined(c->arena, c->locale, id_ms(u->id)));
}

void decoration_account_relation(const struct entity_context *c, yyjson_mut_val *account, const struct user *u,
                                 const struct entity_relation *relation)
{
    if (!c->viewer) {
        return;
    }
    yyjson_mut_val *r = entity_relationship(c, u, relation);
    put_bool(c, r, "is_self", u->id == c->viewer);
    put_value(c, account, "relationship", r);
}

yyjson_mut_val *decoration_account_row(const struct entity_context *c, const struct user *u,
                                       const struct entity_relation *relation)
{
    yyjson_mut_val *account = decoration_account(c, u);
    if (u->bio[0]) {
        put_text(c, account, "bio", decoration_beginning(c->arena, u->bio));
    }
    if (relation) {
        decoration_account_relation(c, account, u, relation);
    }
    return account;
}

void decoration_account_since(const struct entity_context *c, yyjson_mut_val *account, uint64_t since_ms)
{
    put_time(c, account, "followed_at", since_ms);
    put_elapsed(c, account, "followed_at_elapsed", since_ms);
}

void decoration_account_muted(const struct entity_context *c, yyjson_mut_val *account, uint64_t until_ms)
{
    if (until_ms) {
        put_time(c, account, "muted_until", until_ms);
        put_text(c, account, "muted_until_date", locale_date(c->arena, until_ms));
    }
}

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

/* Where the parent is, and whose. */
static void put_parent(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    const char *name = p->reply_name[0] ? p->reply_name : p->reply_author == p->author.id ? p->author.name : "";
    if (p->reply_to && name[0]) {
        yyjson_mut_val *parent = yyjson_mut_obj(c->doc);
        put_text(c, parent, "href", arena_printf(c->arena, "/@%s/%s", name, id_text(c->arena, p->reply_to)));
        put_text(c, parent, "username", name);
        put_value(c, o, "in_reply_to", parent);
    }
}

/* Of a post that is not public: for whom it is. */
static void put_visibility(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    static const struct {
        const char *label, *icon;
    } shown[VISIBILITIES] = {[VISIBILITY_UNLISTED] = {"visibility_unlisted", "quiet"},
                             [VISIBILITY_PRIVATE] = {"visibility_private", "lock"},
                             [VISIBILITY_DIRECT] = {"visibility_direct", "mail"}};
    if (shown[p->visibility].label) {
        put_text(c, o, "visibility_label", locale_text(c->locale, shown[p->visibility].label));
        put_text(c, o, "visibility_icon", shown[p->visibility].icon);
    }
}

/* Who may hand it on: what is for all, everybody; what is for his followers alone, its author. */
static bool is_boostable(const struct entity_context *c, const struct post *p)
{
    return post_is_for_all(p) || (p->visibility == VISIBILITY_PRIVATE && p->author.id == c->viewer);
}

/* Where it was written, and a map of that. */
static void put_place(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    if (*p->place) {
        struct place_parts at = place_parts(c->arena, p->place);
        yyjson_mut_val *place = yyjson_mut_obj(c->doc);
        put_text(c, place, "text", arena_printf(c->arena, "%s, %s", at.latitude, at.longitude));
        put_text(c, place, "href",
                 arena_printf(c->arena, "https://www.openstreetmap.org/?mlat=%s&mlon=%s#map=15/%s/%s", at.latitude,
                              at.longitude, at.latitude, at.longitude));
        put_value(c, o, "place", place);
    }
}

/* The warning of a post that meets a filter of the viewer's. */
static void put_filter(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    if (p->filtered) {
        put_text(c, o, "filter_label", locale_format(c->arena, c->locale, "filtered_by", "phrase", p->filtered, NULL));
    }
}

/* Above a post that stands there because somebody boosted it. */
static void put_booster(const struct entity_context *c, yyjson_mut_val *o, const struct post *boost)
{
    yyjson_mut_val *by = yyjson_mut_obj(c->doc);
    put_text(c, by, "href", arena_printf(c->arena, "/@%s", boost->author.name));
    put_text(c, by, "text",
             locale_format(c->arena, c->locale, "boosted_by", "name", decoration_isolated(c, &boost->author), NULL));
    put_text(c, by, "elapsed", locale_elapsed(c->arena, c->locale, id_ms(boost->id), c->now_ms));
    put_time(c, by, "created_at", id_ms(boost->id));
    put_value(c, o, "boosted_by", by);
    put_text(c, o, "key", id_text(c->arena, boost->id));
}

void decoration_status_counts(const struct entity_context *c, yyjson_mut_val *status, const struct post *p)
{
    put_text(c, status, "favourites_label",
             locale_plural(c->arena, c->locale, "count_favourites", (uint64_t)p->favourite_count, NULL));
    put_text(c, status, "boosts_label",
             locale_plural(c->arena, c->locale, "count_boosts", (uint64_t)p->boost_count, NULL));
}

yyjson_mut_val *decoration_status(const struct entity_context *c, const struct post *p)
{
    if (p->boosted) { /* shown as what it boosts */
        yyjson_mut_val *boosted = decoration_status(c, p->boosted);
        put_booster(c, boosted, p);
        put_filter(c, boosted, p);
        return boosted;
    }
    yyjson_mut_val *o = entity_status(c, p);
    uint64_t ms = id_ms(p->id);
    decorate_account(c, yyjson_mut_obj_get(o, "account"), &p->author);
    put_href(c, o);
    put_parent(c, o, p);
    put_visibility(c, o, p);
    put_place(c, o, p);
    put_filter(c, o, p);
    put_bool(c, o, "has_replies", p->reply_count > 0);
    put_bool(c, o, "has_favourites", p->favourite_count > 0);
    put_bool(c, o, "has_boosts", p->boost_count > 0);
    put_bool(c, o, "is_boostable", is_boostable(c, p));
    put_bool(c, o, "is_pinnable", c->viewer && p->author.id == c->viewer && post_is_for_all(p));
    put_elapsed(c, o, "elapsed", ms);
    put_text(c, o, "date", locale_date(c->arena, ms));
    if (p->edited_ms) {
        put_elapsed(c, o, "edited_elapsed", p->edited_ms);
    }
    put_bool(c, o, "is_mine", c->viewer && p->author.id == c->viewer);
    return o;
}

yyjson_mut_val *decoration_pin(const struct entity_context *c, const struct post *p)
{
    yyjson_mut_val *o = decoration_status(c, p);
    put_bool(c, o, "is_pinned", true);
    put_text(c, o, "key", arena_printf(c->arena, "pinned-%s", id_text(c->arena, p->id)));
    return o;
}

yyjson_mut_val *decoration_version(const struct entity_context *c, const struct post *p, uint64_t since_ms)
{
    yyjson_mut_val *o = decoration_status(c, p);
    put_time(c, o, "since", since_ms);
    put_elapsed(c, o, "since_elapsed", since_ms);
    put_text(c, o, "since_date", locale_date(c->arena, since_ms));
    return o;
}

/* --- lists and sessions --------------------------------------------------------------------------------------------
 * */

yyjson_mut_val *decoration_list(const struct entity_context *c, const struct list *l)
{
    yyjson_mut_val *o = entity_list(c, l);
    put_text(c, o, "href", arena_printf(c->arena, "/lists/%s", id_text(c->arena, l->id)));
    put_count(c, o, "members_count", l->members);
    put_text(c, o, "members_label", locale_plural(c->arena, c->locale, "count_users", (uint64_t)l->members, NULL));
    put_bool(c, o, "has", l->has);
    put_bool(c, o, "shows_followed", l->replies == LIST_REPLIES_FOLLOWED);
    put_bool(c, o, "shows_none", l->replies == LIST_REPLIES_NONE);
    return o;
}

yyjson_mut_val *decoration_session(const struct entity_context *c, const struct session *s)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "id", s->id);
    put_bool(c, o, "current", s->is_current);
    put_text(c, o, "user_agent", s->agent);
    put_text(c, o, "address", s->address);
    put_time(c, o, "created_at", s->created_ms);
    put_elapsed(c, o, "created_elapsed", s->created_ms);
    put_time(c, o, "last_seen_at", s->seen_ms);
    put_elapsed(c, o, "last_seen_elapsed", s->seen_ms);
    return o;
}
