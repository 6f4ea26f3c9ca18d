/* compose.c - see compose.h. Connection threads. */
#include "pages/compose.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "config/settings.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/preference.h"
#include "social/posts/place.h"
#include "view/locale.h"

const struct http_parameter compose_fields[] = {
    {"status", HTTP_TEXT, 0, PARAMETER_TEXT_MAX, false, "text of the post"},
    {"visibility", HTTP_TEXT, 0, 20, false,
     "public, unlisted, private (followers) or direct (whom it mentions or answers)"},
    {"spoiler_text", HTTP_TEXT, 0, PARAMETER_TEXT_MAX, false, "content warning"},
    {"language", HTTP_TEXT, 0, 20, false, "of the text, as en or zh-CN"},
    {"lat", HTTP_TEXT, 0, 40, false,
     "where it is written: latitude in degrees, -90 to 90. An edit without both keeps the place"},
    {"long", HTTP_TEXT, 0, 40, false, "longitude, -180 to 180"},
    {"idempotency_key", HTTP_TEXT, 0, 64, false, "the same again: no second post"},
    {"in_reply_to_id", HTTP_ID, 0, 0, false, "the post that is answered"},
    {0},
};

/* The pages do not ask: as he mostly says. */
static enum draft_sensitive own_sensitive(const struct page *p)
{
    return preference_is_on(p->viewer.preferred, PREFERENCE_SENSITIVE) ? DRAFT_SENSITIVE_YES : DRAFT_SENSITIVE_NO;
}

struct post_draft compose_draft(const struct page *p)
{
    return (struct post_draft){.text = page_field(p, "status"),
                               .reply_to = id_parse(page_field(p, "in_reply_to_id")),
                               .request_key = page_field(p, "idempotency_key"),
                               .visibility = page_field(p, "visibility"),
                               .spoiler = page_field(p, "spoiler_text"),
                               .sensitive = own_sensitive(p),
                               .language = page_field(p, "language"),
                               .latitude = http_form(p->req, "lat"),
                               .longitude = http_form(p->req, "long")};
}

/* Whether the form was sent and is shown again. */
static bool comes_back(const struct page *p)
{
    return p->status != 200;
}

static const char *idempotency_key(const struct page *p)
{
    const char *key = page_field(p, "idempotency_key");
    if (*key && comes_back(p)) {
        return key;
    }
    return http_fresh_key(p->req);
}

static void put_language(struct page *p, yyjson_mut_val *list, const char *code, const char *name, bool chosen)
{
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
    page_put(p, one, "code", code, "name", name, NULL);
    yyjson_mut_obj_add_bool(p->entity.doc, one, "chosen", chosen);
}

/* The languages of the site, the one that was sent if it is another, and none. */
static void put_languages(struct page *p, yyjson_mut_val *box, const char *chosen)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(p->entity.doc, box, "languages");
    bool is_ours = !*chosen;
    for (size_t i = 0; i < locales_count(p->site->locales); i++) {
        const struct locale *l = locales_at(p->site->locales, i);
        bool is_it = strcmp(locale_code(l), chosen) == 0;
        put_language(p, list, locale_code(l), locale_name(l), is_it);
        is_ours = is_ours || is_it;
    }
    if (!is_ours) {
        put_language(p, list, chosen, chosen, true);
    }
    put_language(p, list, "", locale_text(p->locale, "compose_language_other"), !*chosen);
}

static enum visibility own_visibility(const struct page *p)
{
    enum visibility preferred = post_visibility_of(preference_of(p->viewer.preferred, PREFERENCE_VISIBILITY));
    return preferred < VISIBILITIES ? preferred : VISIBILITY_PUBLIC;
}

/* Whom it is for, what stands before it, its language and place: chosen before, or as it is mostly. `model` is the post that is
 * answered or edited (`edits`); NULL: none. */
static void put_choices(struct page *p, yyjson_mut_val *box, const struct post *model, bool edits)
{
    enum visibility v = model ? model->visibility : VISIBILITY_PUBLIC;
    enum visibility own = own_visibility(p);
    v = own > v && !edits ? own : v; /* the narrower of both */
    const char *spoiler = model ? model->spoiler : "",
               *language = preference_of(p->viewer.preferred, PREFERENCE_LANGUAGE);
    struct place_parts place = place_parts(p->arena, edits ? model->place : "");
    language = edits ? model->language : *language ? language : locale_code(p->locale);
    if (comes_back(p)) {
        enum visibility sent = post_visibility_of(page_field(p, "visibility"));
        v = sent < VISIBILITIES ? sent : v;
        spoiler = page_field(p, "spoiler_text");
        language = page_field(p, "language");
        place = (struct place_parts){page_field(p, "lat"), page_field(p, "long")};
    }
    bool has_place = *place.latitude || *place.longitude;
    yyjson_mut_val *chosen = yyjson_mut_obj_add_obj(p->entity.doc, box, "visibility");
    yyjson_mut_obj_add_bool(p->entity.doc, chosen, post_visibility_word(v), true);
    yyjson_mut_obj_add_bool(p->entity.doc, box, "has_choices", v != own || *spoiler || has_place);
    page_put(p, box, "spoiler_text", *spoiler ? spoiler : NULL, "lat", has_place ? place.latitude : NULL, "long",
             has_place ? place.longitude : NULL, NULL);
    put_languages(p, box, language);
}

static yyjson_mut_val *put_box(struct page *p, const char *text, const char *next)
{
    const struct settings *settings = settings_get(p->site->settings);
    const char *most = arena_printf(p->arena, "%lld", (long long)settings->post_length);
    settings_release(p->site->settings, settings);
    yyjson_mut_val *box = page_object(p, "compose");
    page_put(p, box, "text", text, "idempotency_key", idempotency_key(p), "hint",
             locale_format(p->arena, p->locale, "compose_hint", "max", most, NULL), "next", next, NULL);
    return box;
}

void compose_put(struct page *p, const char *text, const struct post *answered, const char *next)
{
    yyjson_mut_val *box = put_box(p, text, next);
    page_put(p, box, "in_reply_to_id", answered ? id_text(p->arena, answered->id) : NULL, NULL);
    put_choices(p, box, answered, false);
}

void compose_put_edit(struct page *p, const char *text, const struct post *edited, const char *next)
{
    yyjson_mut_val *box = put_box(p, text, next);
    page_put(p, box, "edits", id_text(p->arena, edited->id), NULL);
    put_choices(p, box, edited, true);
}

void compose_put_again(struct page *p, const struct post *model, const char *next)
{
    yyjson_mut_val *box = put_box(p, model->text, next);
    page_put(p, box, "in_reply_to_id", model->reply_to ? id_text(p->arena, model->reply_to) : NULL, NULL);
    put_choices(p, box, model, true);
}
