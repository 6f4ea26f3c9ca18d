/* entity_filter.c - see entity_filter.h. One thread at a time per context. */
#include "view/entity_filter.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/people/filter.h"
#include "social/posts/post.h"
#include "view/put.h"

static const char *const action_words[] = {[FILTER_WARN] = "warn", [FILTER_HIDE] = "hide", [FILTER_BLUR] = "blur"};

static void put_filter_id(const struct entity_context *c, yyjson_mut_val *o, uint64_t id)
{
    put_text(c, o, "id", arena_printf(c->arena, "%llu", (unsigned long long)id));
}

/* Where, and until when. */
static void put_extent(const struct entity_context *c, yyjson_mut_val *o, const struct filter *f)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(c->doc, o, "context");
    for (unsigned place = 0; place < FILTER_PLACES; place++) {
        if (f->places & 1u << place) {
            yyjson_mut_arr_add_str(c->doc, list, filter_place_word(place));
        }
    }
    if (f->until_ms) {
        put_time(c, o, "expires_at", f->until_ms);
    } else {
        yyjson_mut_obj_add_null(c->doc, o, "expires_at");
    }
}

static yyjson_mut_val *filter_alone(const struct entity_context *c, const struct filter *f)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_filter_id(c, o, f->id);
    put_text(c, o, "title", f->title);
    put_extent(c, o, f);
    put_text(c, o, "filter_action", action_words[f->action]);
    return o;
}

yyjson_mut_val *entity_filter_keyword(const struct entity_context *c, const struct filter_keyword *k)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_filter_id(c, o, k->id);
    put_text(c, o, "keyword", k->phrase);
    put_bool(c, o, "whole_word", k->whole_word);
    return o;
}

yyjson_mut_val *entity_filter_keywords(const struct entity_context *c, const struct filter *f)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->doc);
    for (size_t i = 0; i < f->keyword_count; i++) {
        yyjson_mut_arr_append(list, entity_filter_keyword(c, &f->keywords[i]));
    }
    return list;
}

yyjson_mut_val *entity_filter_status(const struct entity_context *c, const struct filter_post *p)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_filter_id(c, o, p->id);
    put_text(c, o, "status_id", id_text(c->arena, p->post));
    return o;
}

yyjson_mut_val *entity_filter_statuses(const struct entity_context *c, const struct filter *f)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->doc);
    for (size_t i = 0; i < f->post_count; i++) {
        yyjson_mut_arr_append(list, entity_filter_status(c, &f->posts[i]));
    }
    return list;
}

yyjson_mut_val *entity_filter(const struct entity_context *c, const struct filter *f)
{
    yyjson_mut_val *o = filter_alone(c, f);
    put_value(c, o, "keywords", entity_filter_keywords(c, f));
    put_value(c, o, "statuses", entity_filter_statuses(c, f));
    return o;
}

yyjson_mut_val *entity_filter_v1(const struct entity_context *c, const struct filter *f, const struct filter_keyword *k)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_filter_id(c, o, k->id);
    put_text(c, o, "phrase", k->phrase);
    put_extent(c, o, f);
    put_bool(c, o, "whole_word", k->whole_word);
    put_bool(c, o, "irreversible", f->action == FILTER_HIDE);
    return o;
}

static yyjson_mut_val *result(const struct entity_context *c, const struct filter_match *m)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_value(c, o, "filter", filter_alone(c, m->filter));
    yyjson_mut_val *keywords = m->keyword_count ? yyjson_mut_obj_add_arr(c->doc, o, "keyword_matches") : NULL;
    for (size_t i = 0; i < m->keyword_count; i++) {
        yyjson_mut_arr_add_str(c->doc, keywords, m->keywords[i]);
    }
    if (!keywords) {
        yyjson_mut_obj_add_null(c->doc, o, "keyword_matches");
    }
    if (m->post) {
        yyjson_mut_arr_add_str(c->doc, yyjson_mut_obj_add_arr(c->doc, o, "status_matches"), id_text(c->arena, m->post));
    } else {
        yyjson_mut_obj_add_null(c->doc, o, "status_matches");
    }
    return o;
}

yyjson_mut_val *entity_filtered(const struct entity_context *c, const struct post *p)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->doc);
    for (const struct filter_match *m = p->filtered; m; m = m->next) {
        yyjson_mut_arr_append(list, result(c, m));
    }
    return list;
}
