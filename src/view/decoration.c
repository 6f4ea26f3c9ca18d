/* decoration.c - see decoration.h: people, lists, sessions. Posts are in decoration_post.c. One thread at a time per context. */
#include "view/decoration.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "social/people/session.h"
#include "social/people/user.h"
#include "social/timelines/list.h"
#include "view/decoration_parts.h"
#include "view/locale.h"

#define HUES 12

/* --- people --------------------------------------------------------------------------------------------------------
 * */

const char *decoration_time(struct arena *a, uint64_t ms)
{
    char iso[CLOCK_ISO_SIZE];
    clock_iso(ms, iso);
    return arena_printf(a, "%.10s %.8sZ", iso, iso + 11);
}

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
    static const char *const names[HUES] = {"hue0", "hue1", "hue2", "hue3", "hue4",  "hue5",
                                            "hue6", "hue7", "hue8", "hue9", "hue10", "hue11"};
    return names[(id * 0x9E3779B97F4A7C15u >> 32) % HUES];
}

void decoration_decorate(const struct entity_context *c, yyjson_mut_val *o, const struct user *u)
{
    put_href(c, o);
    put_text(c, o, "name_shown", decoration_shown(u));
    put_text(c, o, "avatar_initial", initial(c, u));
    put_text(c, o, "avatar_hue", hue(u->id));
}

yyjson_mut_val *decoration_account(const struct entity_context *c, const struct user *u)
{
    yyjson_mut_val *o = entity_account(c, u);
    decoration_decorate(c, o, u);
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
    put_bool(c, account, "bot", u->is_bot);
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
