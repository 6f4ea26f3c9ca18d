/* entity.c - see entity.h. One thread at a time per context. */
#include "view/entity.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "social/people/session.h"
#include "social/people/user.h"
#include "social/posts/post.h"
#include "social/timelines/list.h"
#include "view/content.h"
#include "view/locale.h"

#define HUES 12

/* Strings that outlive the document: constants and what lies in the arena. */
static void put(const struct entity_context *c, yyjson_mut_val *object, const char *key, const char *value)
{
    yyjson_mut_obj_add_str(c->doc, object, key, value);
}

static void put_bool(const struct entity_context *c, yyjson_mut_val *object, const char *key, bool value)
{
    yyjson_mut_obj_add_bool(c->doc, object, key, value);
}

static void put_count(const struct entity_context *c, yyjson_mut_val *object, const char *key, int64_t value)
{
    yyjson_mut_obj_add_int(c->doc, object, key, value);
}

static void put_empty(const struct entity_context *c, yyjson_mut_val *object, const char *key)
{
    yyjson_mut_obj_add_val(c->doc, object, key, yyjson_mut_arr(c->doc));
}

static const char *iso(const struct entity_context *c, uint64_t ms)
{
    char *out = arena_alloc(c->arena, CLOCK_ISO_SIZE);
    clock_iso(ms, out);
    return out;
}

static const char *shown(const struct user *u)
{
    return u->display[0] ? u->display : u->name;
}

/* The first character, upper case where that is simple. */
static const char *initial(const struct entity_context *c, const struct user *u)
{
    const char *name = shown(u);
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

yyjson_mut_val *entity_account(const struct entity_context *c, const struct user *u)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put(c, o, "id", id_text(c->arena, u->id));
    put(c, o, "username", u->name);
    put(c, o, "acct", u->name);
    put(c, o, "display_name", u->display);
    const char *href = arena_printf(c->arena, "/@%s", u->name);
    put(c, o, "url", arena_printf(c->arena, "%s%s", c->origin, href));
    put(c, o, "created_at", iso(c, id_ms(u->id)));
    put(c, o, "href", href);
    put(c, o, "name_shown", shown(u));
    put(c, o, "avatar_initial", initial(c, u));
    put(c, o, "avatar_hue", hue(u->id));
    return o;
}

void entity_account_counts(const struct entity_context *c, yyjson_mut_val *account, const struct user_counts *counts)
{
    put_count(c, account, "statuses_count", counts->posts);
    put_count(c, account, "following_count", counts->following);
    put_count(c, account, "followers_count", counts->followers);
    put(c, account, "statuses_label",
        locale_plural(c->arena, c->locale, "count_statuses", (uint64_t)counts->posts, NULL));
    put(c, account, "followers_label",
        locale_plural(c->arena, c->locale, "count_followers", (uint64_t)counts->followers, NULL));
}

void entity_account_profile(const struct entity_context *c, yyjson_mut_val *account, const struct user *u)
{
    struct buffer note = buffer_make(c->arena);
    content_html(&note, u->bio, strlen(u->bio), c->origin, NULL, 0);
    put(c, account, "note", buffer_string(&note));
    put(c, account, "joined", locale_joined(c->arena, c->locale, id_ms(u->id)));
}

void entity_account_relation(const struct entity_context *c, yyjson_mut_val *account, const struct user *u,
                             bool following, bool followed_by)
{
    if (!c->viewer) {
        return;
    }
    yyjson_mut_val *r = yyjson_mut_obj(c->doc);
    put_bool(c, r, "following", following);
    put_bool(c, r, "followed_by", followed_by);
    put_bool(c, r, "is_self", u->id == c->viewer);
    yyjson_mut_obj_add_val(c->doc, account, "relationship", r);
}

void entity_account_since(const struct entity_context *c, yyjson_mut_val *account, uint64_t since_ms)
{
    put(c, account, "followed_at", iso(c, since_ms));
    put(c, account, "followed_at_elapsed", locale_elapsed(c->arena, c->locale, since_ms, c->now_ms));
}

/* The text as HTML, and the list of the people it mentions. */
static void put_content(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    struct content_mention mentions[POST_MENTIONS_MAX];
    yyjson_mut_val *list = yyjson_mut_arr(c->doc);
    for (size_t i = 0; i < p->mention_count; i++) {
        const struct post_mention *m = &p->mentions[i];
        char *folded = arena_alloc(c->arena, strlen(m->name) + 1);
        mentions[i] = (struct content_mention){m->name, text_fold(m->name, folded), m->uid};
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->doc, list);
        put(c, one, "id", id_text(c->arena, m->uid));
        put(c, one, "username", m->name);
        put(c, one, "acct", m->name);
        put(c, one, "url", arena_printf(c->arena, "%s/@%s", c->origin, m->name));
    }
    struct buffer html = buffer_make(c->arena);
    content_html(&html, p->text, strlen(p->text), c->origin, mentions, p->mention_count);
    put(c, o, "content", buffer_string(&html));
    yyjson_mut_obj_add_val(c->doc, o, "mentions", list);
}

static void put_reply(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    if (!p->reply_to) {
        return;
    }
    const char *id = id_text(c->arena, p->reply_to);
    put(c, o, "in_reply_to_id", id);
    put(c, o, "in_reply_to_account_id", id_text(c->arena, p->reply_author));
    yyjson_mut_val *reply = yyjson_mut_obj(c->doc);
    const char *name = p->reply_name[0] ? p->reply_name : p->reply_author == p->author.id ? p->author.name : "";
    if (name[0]) {
        put(c, reply, "href", arena_printf(c->arena, "/@%s/%s", name, id));
        put(c, reply, "username", name);
        yyjson_mut_obj_add_val(c->doc, o, "in_reply_to", reply);
    }
}

yyjson_mut_val *entity_status(const struct entity_context *c, const struct post *p)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    const char *id = id_text(c->arena, p->id);
    uint64_t ms = id_ms(p->id);
    put(c, o, "id", id);
    put(c, o, "created_at", iso(c, ms));
    put_reply(c, o, p);
    put_content(c, o, p);
    const char *href = arena_printf(c->arena, "/@%s/%s", p->author.name, id);
    const char *url = arena_printf(c->arena, "%s%s", c->origin, href);
    put(c, o, "uri", url);
    put(c, o, "url", url);
    put(c, o, "visibility", "public");
    put(c, o, "spoiler_text", "");
    put_bool(c, o, "sensitive", false);
    put_empty(c, o, "media_attachments");
    put_empty(c, o, "emojis");
    yyjson_mut_obj_add_val(c->doc, o, "account", entity_account(c, &p->author));
    put_count(c, o, "replies_count", p->reply_count);
    put_bool(c, o, "has_replies", p->reply_count > 0);
    put(c, o, "href", href);
    put(c, o, "elapsed", locale_elapsed(c->arena, c->locale, ms, c->now_ms));
    put(c, o, "date", locale_date(c->arena, ms));
    put_bool(c, o, "is_mine", c->viewer && p->author.id == c->viewer);
    return o;
}

yyjson_mut_val *entity_list(const struct entity_context *c, const struct list *l)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    const char *id = id_text(c->arena, l->id);
    put(c, o, "id", id);
    put(c, o, "title", l->title);
    put(c, o, "href", arena_printf(c->arena, "/lists/%s", id));
    put_count(c, o, "members_count", l->members);
    put(c, o, "members_label", locale_plural(c->arena, c->locale, "count_users", (uint64_t)l->members, NULL));
    put_bool(c, o, "has", l->has);
    return o;
}

yyjson_mut_val *entity_session(const struct entity_context *c, const struct session *s)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put(c, o, "id", s->id);
    put_bool(c, o, "current", s->is_current);
    put(c, o, "user_agent", s->agent);
    put(c, o, "address", s->address);
    put(c, o, "created_at", iso(c, s->created_ms));
    put(c, o, "created_elapsed", locale_elapsed(c->arena, c->locale, s->created_ms, c->now_ms));
    put(c, o, "last_seen_at", iso(c, s->seen_ms));
    put(c, o, "last_seen_elapsed", locale_elapsed(c->arena, c->locale, s->seen_ms, c->now_ms));
    return o;
}
