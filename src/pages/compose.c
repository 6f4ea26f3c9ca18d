/* compose.c - see compose.h. Connection threads. */
#include "pages/compose.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "config/settings.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "view/locale.h"

#define KEY_LENGTH 22 /* 132 random bits are enough */

const struct http_parameter compose_fields[] = {
    {"status", HTTP_TEXT, 0, PARAMETER_TEXT_MAX, false, "text of the post"},
    {"visibility", HTTP_TEXT, 0, 20, false,
     "public, unlisted, private (followers) or direct (whom it mentions or answers)"},
    {"spoiler_text", HTTP_TEXT, 0, PARAMETER_TEXT_MAX, false, "content warning"},
    {"language", HTTP_TEXT, 0, 20, false, "of the text, as en or zh-CN"},
    {"idempotency_key", HTTP_TEXT, 0, 64, false, "the same again: no second post"},
    {"in_reply_to_id", HTTP_ID, 0, 0, false, "the post that is answered"},
    {0},
};

struct post_draft compose_draft(const struct page *p)
{
    return (struct post_draft){.text = page_field(p, "status"),
                               .reply_to = id_parse(page_field(p, "in_reply_to_id")),
                               .request_key = page_field(p, "idempotency_key"),
                               .visibility = page_field(p, "visibility"),
                               .spoiler = page_field(p, "spoiler_text"),
                               .language = page_field(p, "language")};
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
    char *fresh = arena_alloc(p->arena, SECRET_TOKEN_SIZE);
    secret_token(fresh);
    fresh[KEY_LENGTH] = '\0';
    return fresh;
}

/* Whom it is for, what stands before it, its language: chosen before, or as it is mostly. */
static void put_choices(struct page *p, yyjson_mut_val *box, const struct post *answered)
{
    enum visibility v = answered ? answered->visibility : VISIBILITY_PUBLIC;
    const char *spoiler = answered ? answered->spoiler : "", *language = NULL;
    if (comes_back(p)) {
        enum visibility sent = post_visibility_of(page_field(p, "visibility"));
        v = sent < VISIBILITIES ? sent : v;
        spoiler = page_field(p, "spoiler_text");
        language = page_field(p, "language");
    }
    yyjson_mut_val *chosen = yyjson_mut_obj_add_obj(p->entity.doc, box, "visibility");
    yyjson_mut_obj_add_bool(p->entity.doc, chosen, post_visibility_word(v), true);
    yyjson_mut_obj_add_bool(p->entity.doc, box, "has_choices", v != VISIBILITY_PUBLIC || *spoiler);
    page_put(p, box, "spoiler_text", *spoiler ? spoiler : NULL, "language", language && *language ? language : NULL,
             NULL);
}

void compose_put(struct page *p, const char *text, const struct post *answered, const char *next)
{
    const struct settings *settings = settings_get(p->site->settings);
    const char *most = arena_printf(p->arena, "%lld", (long long)settings->post_length);
    settings_release(p->site->settings, settings);
    yyjson_mut_val *box = page_object(p, "compose");
    page_put(p, box, "text", text, "in_reply_to_id", answered ? id_text(p->arena, answered->id) : NULL,
             "idempotency_key", idempotency_key(p), "hint",
             locale_format(p->arena, p->locale, "compose_hint", "max", most, NULL), "next", next, NULL);
    put_choices(p, box, answered);
}
