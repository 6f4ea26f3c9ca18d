/* decoration_post.c - what pages show of a post: see decoration.h.
 *
 * A post is given to the templates in two parts (fragment.h). The whole, which is rendered once and kept, is made of
 * nothing but its key: the table below says which members of a post are in there, and what is not there cannot be shown
 * in it. All that depends on who looks, or when, is in the other part. No key may be in both.
 *
 * One thread at a time per context.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "social/people/user.h"
#include "social/posts/place.h"
#include "social/people/filter.h"
#include "social/posts/post.h"
#include "view/decoration.h"
#include "view/decoration_parts.h"
#include "view/fragment.h"
#include "view/post_key.h"

/* --- the whole --------------------------------------------------------------------------------------------------- */

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

/* What is the same for everybody, whenever he looks. `from` is the context of the document, `of` the key. */
static yyjson_mut_val *status_whole(const void *from, const void *of)
{
    const struct entity_context *page = from;
    struct entity_context nobody = {.arena = page->arena, .doc = page->doc};
    const struct entity_context *c = &nobody;
    const struct post p = post_key_read(of, &nobody);
    yyjson_mut_val *o = entity_status(c, &p);
    decoration_decorate(c, yyjson_mut_obj_get(o, "account"), &p.author);
    put_href(c, o);
    put_parent(c, o, &p);
    put_visibility(c, o, &p);
    put_place(c, o, &p);
    put_bool(c, o, "has_replies", p.reply_count > 0);
    put_bool(c, o, "has_favourites", p.favourite_count > 0);
    put_bool(c, o, "has_boosts", p.boost_count > 0);
    put_bool(c, o, "has_reactions", p.reply_count + p.boost_count + p.favourite_count > 0);
    put_text(c, o, "lang", strcmp(p.language, locale_code(c->locale)) == 0 ? "" : p.language);
    put_text(c, o, "at", decoration_time(c->arena, id_ms(p.id)));
    return o;
}

/* --- the visitor's part ------------------------------------------------------------------------------------------ */

/* Who may hand it on: what is for all, everybody; what is for his followers alone, its author. */
static bool is_boostable(const struct entity_context *c, const struct post *p)
{
    return post_is_for_all(p) || (p->visibility == VISIBILITY_PRIVATE && p->author.id == c->viewer);
}

/* The warning of a post that meets a filter of the viewer's. */
static void put_filter(const struct entity_context *c, yyjson_mut_val *o, const struct post *p)
{
    if (p->filtered && p->filtered->filter->action == FILTER_WARN) {
        put_text(c, o, "filter_label",
                 locale_format(c->arena, c->locale, "filtered_by", "phrase", p->filtered->filter->title, NULL));
    }
}

/* Above a post that stands there because somebody boosted it. One text each: a section over an object would keep the
 * post from being rendered once. */
static void put_booster(const struct entity_context *c, yyjson_mut_val *o, const struct post *boost)
{
    put_text(c, o, "boosted_by",
             locale_format(c->arena, c->locale, "boosted_by", "name", decoration_isolated(c, &boost->author), NULL));
    put_text(c, o, "boosted_by_href", arena_printf(c->arena, "/@%s", boost->author.name));
    put_text(c, o, "boosted_by_elapsed", locale_short(c->arena, c->locale, id_ms(boost->id), c->now_ms));
    put_text(c, o, "boosted_by_at", decoration_time(c->arena, id_ms(boost->id)));
    put_text(c, o, "key", id_text(c->arena, boost->id));
}

yyjson_mut_val *decoration_status(const struct entity_context *c, const struct post *p)
{
    if (p->boosted) { /* shown as what it boosts */
        yyjson_mut_val *boosted = decoration_status(c, p->boosted);
        put_booster(c, boosted, p);
        put_filter(c, boosted, p);
        return boosted;
    }
    struct buffer key = post_key(c, p);
    struct fragment_item *item = arena_zero(c->arena, sizeof(*item));
    *item = (struct fragment_item){
        .key = key.data, .key_size = key.length, .make = status_whole, .from = c, .of = key.data};
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    fragment_mark(c->doc, o, item);
    bool is_mine = c->viewer && p->author.id == c->viewer;
    put_text(c, o, "elapsed", locale_short(c->arena, c->locale, id_ms(p->id), c->now_ms));
    if (p->edited_ms) {
        put_elapsed(c, o, "edited_elapsed", p->edited_ms);
    }
    entity_status_marks(c, o, p);
    put_filter(c, o, p);
    put_bool(c, o, "is_boostable", is_boostable(c, p));
    put_bool(c, o, "is_pinnable", is_mine && post_is_for_all(p));
    put_bool(c, o, "is_mine", is_mine);
    return o;
}

void decoration_status_counts(const struct entity_context *c, yyjson_mut_val *status, const struct post *p)
{
    put_text(c, status, "favourites_label",
             locale_plural(c->arena, c->locale, "count_favourites", (uint64_t)p->favourite_count, NULL));
    put_text(c, status, "boosts_label",
             locale_plural(c->arena, c->locale, "count_boosts", (uint64_t)p->boost_count, NULL));
    put_elapsed(c, status, "ago", id_ms(p->id));
    put_text(c, status, "date", locale_date(c->arena, id_ms(p->id)));
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

const char *decoration_post_path(struct arena *a, const struct post *p)
{
    char digits[ID_SIZE];
    return arena_printf(a, "/@%s/%s", p->author.name, id_write(p->id, digits));
}
