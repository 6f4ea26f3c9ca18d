/* entity_tag.c - see entity_tag.h. One thread at a time per context. */
#include "view/entity_tag.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "social/posts/featured.h"
#include "social/timelines/tag_trends.h"
#include "view/content.h"
#include "view/put.h"

/* One entry for each of the last days, today first. */
static void put_history(const struct entity_context *c, yyjson_mut_val *o, const struct tag_days *days)
{
    yyjson_mut_val *history = yyjson_mut_obj_add_arr(c->doc, o, "history");
    uint64_t today = c->now_ms / CLOCK_DAY_MS * CLOCK_DAY_SECONDS;
    for (unsigned i = 0; i < TAG_DAYS; i++) {
        yyjson_mut_val *day = yyjson_mut_arr_add_obj(c->doc, history);
        uint64_t seconds = today - (uint64_t)i * CLOCK_DAY_SECONDS;
        put_text(c, day, "day", arena_printf(c->arena, "%llu", (unsigned long long)seconds));
        put_text(c, day, "uses", arena_printf(c->arena, "%lld", (long long)days->uses[i]));
        put_text(c, day, "accounts", arena_printf(c->arena, "%lld", (long long)days->people[i]));
    }
}

/* Where its page is: the address that the HTML of posts has too. */
static const char *tag_url(const struct entity_context *c, const char *name)
{
    size_t length = strlen(name);
    const char *folded = entity_scan_fold(name, length, arena_alloc(c->arena, length + 1));
    struct buffer url = buffer_make(c->arena);
    buffer_printf(&url, "%s/tags/", c->origin);
    content_path(&url, folded, length);
    return buffer_string(&url);
}

yyjson_mut_val *entity_tag(const struct entity_context *c, const struct entity_tag *tag)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    size_t length = strlen(tag->name);
    put_text(c, o, "id", entity_scan_fold(tag->name, length, arena_alloc(c->arena, length + 1)));
    put_text(c, o, "name", tag->name);
    put_text(c, o, "url", tag_url(c, tag->name));
    put_history(c, o, tag->days);
    if (c->viewer) {
        put_bool(c, o, "following", tag->following);
    }
    return o;
}

yyjson_mut_val *entity_featured_tag(const struct entity_context *c, const struct featured_tag *tag)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "id", arena_printf(c->arena, "%llu", (unsigned long long)tag->id));
    put_text(c, o, "name", tag->tag);
    put_text(c, o, "url", tag_url(c, tag->tag));
    put_text(c, o, "statuses_count", arena_printf(c->arena, "%lld", (long long)tag->posts));
    if (tag->last_ms) {
        put_day(c, o, "last_status_at", tag->last_ms);
    } else {
        put_null(c, o, "last_status_at");
    }
    return o;
}
