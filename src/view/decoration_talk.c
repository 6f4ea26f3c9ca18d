/* decoration_talk.c - what the page of messages shows of a conversation of direct posts: see decoration.h. One thread at a
 * time per context. */
#include "base/arena.h"
#include "base/buffer.h"
#include "social/notices/talk.h"
#include "view/decoration.h"
#include "view/locale.h"
#include "view/put.h"

#define NAMED 3 /* the others are a number */
#define AVATARS 5

/* "Ann, Ben, Cid, +2" */
static const char *names_of(const struct entity_context *c, const struct talk *t)
{
    struct buffer out = buffer_make(c->arena);
    for (size_t i = 0; i < t->user_count && i < NAMED; i++) {
        buffer_printf(&out, "%s%s", i ? ", " : "", decoration_isolated(c, &t->users[i]));
    }
    if (t->user_count > NAMED) {
        buffer_printf(&out, ", +%zu", t->user_count - NAMED);
    }
    return buffer_string(&out);
}

yyjson_mut_val *decoration_talk(const struct entity_context *c, const struct talk *t, uint64_t viewer)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc), *accounts = yyjson_mut_arr(c->doc);
    const char *excerpt = decoration_excerpt(c->arena, &t->post);
    if (t->post.author.id == viewer) {
        excerpt = locale_format(c->arena, c->locale, "message_own", "text", excerpt, NULL);
    }
    put_text(c, o, "id", arena_printf(c->arena, "%llu", (unsigned long long)t->number));
    put_bool(c, o, "is_new", t->is_unread);
    put_text(c, o, "names", names_of(c, t));
    put_text(c, o, "at", decoration_time(c->arena, t->at_us / 1000));
    put_text(c, o, "elapsed", locale_short(c->arena, c->locale, t->at_us / 1000, c->now_ms));
    put_text(c, o, "post_href", decoration_post_path(c->arena, &t->post));
    put_text(c, o, "excerpt", excerpt);
    for (size_t i = 0; i < t->user_count && i < AVATARS; i++) {
        yyjson_mut_arr_append(accounts, decoration_account(c, &t->users[i]));
    }
    put_value(c, o, "accounts", accounts);
    return o;
}
