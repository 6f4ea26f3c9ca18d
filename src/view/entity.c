/* entity.c - see entity.h. One thread at a time per context. */
#include "view/entity.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "base/text.h"
#include "social/people/profile_field.h"
#include "social/people/tie.h"
#include "social/people/user.h"
#include "social/people/visit_apart.h"
#include "social/posts/post.h"
#include "social/timelines/list.h"
#include "view/content.h"
#include "view/put.h"

yyjson_mut_val *entity_account(const struct entity_context *c, const struct user *u)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "id", id_text(c->arena, u->id));
    put_text(c, o, "username", u->name);
    put_text(c, o, "acct", u->name);
    put_text(c, o, "display_name", u->display);
    put_text(c, o, "url", arena_printf(c->arena, "%s/@%s", c->origin, u->name));
    put_bool(c, o, "locked", u->is_locked);
    if (u->state == USER_STATE_LIMITED) {
        put_bool(c, o, "limited", true);
    }
    put_time(c, o, "created_at", id_ms(u->id));
    return o;
}

void entity_account_counts(const struct entity_context *c, yyjson_mut_val *account, const struct user_counts *counts)
{
    put_count(c, account, "statuses_count", counts->posts);
    put_count(c, account, "following_count", counts->following);
    put_count(c, account, "followers_count", counts->followers);
}

void entity_account_note(const struct entity_context *c, yyjson_mut_val *account, const struct user *u)
{
    struct buffer note = buffer_make(c->arena);
    content_html(&note, u->bio, strlen(u->bio), c->origin, NULL, CONTENT_ANYBODY);
    put_text(c, account, "note", buffer_string(&note));
}

void entity_account_fields(const struct entity_context *c, yyjson_mut_val *account, const struct user *u)
{
    struct profile_field fields[PROFILE_FIELDS_MAX];
    size_t count = profile_fields_read(c->arena, u->profile_fields, fields);
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(c->doc, account, "fields");
    for (size_t i = 0; i < count; i++) {
        struct buffer value = buffer_make(c->arena);
        content_html_line(&value, fields[i].value, c->origin);
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->doc, list);
        put_text(c, one, "name", fields[i].name);
        put_text(c, one, "value", buffer_string(&value));
        yyjson_mut_obj_add_null(c->doc, one, "verified_at");
    }
}

yyjson_mut_val *entity_relationship(const struct entity_context *c, const struct user *u,
                                    const struct entity_relation *r)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "id", id_text(c->arena, u->id));
    put_bool(c, o, "following", r->following);
    put_bool(c, o, "showing_reblogs", r->following && !(r->tie && r->tie->hides_boosts));
    put_bool(c, o, "notifying", r->following && r->tie && r->tie->is_told);
    put_bool(c, o, "endorsed", r->endorsed);
    put_bool(c, o, "followed_by", r->followed_by);
    put_bool(c, o, "requested", r->requested);
    put_bool(c, o, "blocking", r->apart & APART_BLOCKS);
    put_bool(c, o, "blocked_by", r->apart & APART_BLOCKED_BY);
    put_bool(c, o, "muting", r->apart & APART_MUTES);
    put_bool(c, o, "muting_notifications", r->apart & APART_MUTES_NOTICES);
    return o;
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
        put_text(c, one, "id", id_text(c->arena, m->uid));
        put_text(c, one, "username", m->name);
        put_text(c, one, "acct", m->name);
        put_text(c, one, "url", arena_printf(c->arena, "%s/@%s", c->origin, m->name));
    }
    struct buffer html = buffer_make(c->arena);
    content_html(&html, p->text, strlen(p->text), c->origin, mentions, p->mention_count);
    put_text(c, o, "content", buffer_string(&html));
    put_value(c, o, "mentions", list);
}

static void put_reply(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    if (p->reply_to) {
        put_text(c, o, "in_reply_to_id", id_text(c->arena, p->reply_to));
        put_text(c, o, "in_reply_to_account_id", id_text(c->arena, p->reply_author));
    }
}

yyjson_mut_val *entity_status(const struct entity_context *c, const struct post *p)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    const char *id = id_text(c->arena, p->id);
    const char *url = arena_printf(c->arena, "%s/@%s/%s", c->origin, p->author.name, id);
    put_text(c, o, "id", id);
    put_text(c, o, "uri", url);
    put_text(c, o, "url", url);
    put_value(c, o, "account", entity_account(c, &p->author));
    put_time(c, o, "created_at", id_ms(p->id));
    if (p->edited_ms) {
        put_time(c, o, "edited_at", p->edited_ms);
    }
    put_reply(c, o, p);
    put_content(c, o, p);
    put_text(c, o, "visibility", post_visibility_word(p->visibility));
    put_text(c, o, "spoiler_text", p->spoiler);
    put_bool(c, o, "sensitive", post_is_sensitive(p));
    put_text(c, o, "language", p->language[0] ? p->language : NULL);
    put_value(c, o, "media_attachments", yyjson_mut_arr(c->doc));
    put_value(c, o, "emojis", yyjson_mut_arr(c->doc));
    put_count(c, o, "replies_count", p->reply_count);
    put_count(c, o, "favourites_count", p->favourite_count);
    put_count(c, o, "reblogs_count", p->boost_count);
    put_value(c, o, "reblog", p->boosted ? entity_status(c, p->boosted) : yyjson_mut_null(c->doc));
    entity_status_marks(c, o, p->boosted ? p->boosted : p); /* a boost has the marks of what it boosts */
    return o;
}

void entity_status_marks(const struct entity_context *c, yyjson_mut_val *status, const struct post *p)
{
    if (c->viewer) {
        put_bool(c, status, "reblogged", p->marks.is_boosted);
        put_bool(c, status, "pinned", p->marks.is_pinned);
        put_bool(c, status, "favourited", p->marks.is_favourited);
        put_bool(c, status, "bookmarked", p->marks.is_bookmarked);
        put_bool(c, status, "muted", p->marks.is_quiet);
    }
}

yyjson_mut_val *entity_list(const struct entity_context *c, const struct list *l)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "id", id_text(c->arena, l->id));
    put_text(c, o, "title", l->title);
    put_text(c, o, "replies_policy", list_replies_word(l->replies));
    put_bool(c, o, "exclusive", l->is_exclusive);
    return o;
}
