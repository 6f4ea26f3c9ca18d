/* draft.c - see draft.h. Any thread. */
#include "social/posts/draft.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "config/settings.h"
#include "social/core/social.h"
#include "social/posts/place.h"

/* Text and warning together are as long as a post may be. */
static void check_words(struct social *s, const struct draft_words *d, struct problems *p)
{
    const struct settings *settings = settings_get(s->settings);
    int64_t most = settings->post_length;
    settings_release(s->settings, settings);
    int64_t count = (int64_t)(text_count(d->text, d->length) + text_count(d->spoiler, strlen(d->spoiler)));
    if (!text_is_clean(d->text, d->length)) {
        problem_add(p, "status", "post_invalid");
    } else if (text_is_blank(d->text, d->length)) {
        problem_add(p, "status", "post_blank");
    } else if (count > most) {
        problem_add_numbers(p, "status", "post_too_long", 0, most, count);
    }
    if (!text_is_clean(d->spoiler, strlen(d->spoiler))) {
        problem_add(p, "spoiler_text", "post_invalid");
    }
}

/* One line. */
static const char *tidy_spoiler(struct arena *a, const char *typed)
{
    char *out = arena_dup(a, typed ? typed : "");
    text_tidy(out);
    for (char *c = out; *c; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    return out;
}

/* Two or three small letters, then perhaps - and letters or digits. */
bool draft_is_language(const char *code)
{
    size_t letters = strspn(code, "abcdefghijklmnopqrstuvwxyz");
    const char *rest = code + letters;
    static const char *const tail = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    bool ends = !*rest || (*rest == '-' && rest[1] && !rest[1 + strspn(rest + 1, tail)]);
    return letters >= 2 && letters <= 3 && ends && strlen(code) <= DRAFT_LANGUAGE_MAX;
}

enum err draft_read(struct social *s, struct arena *a, const struct post_draft *draft, struct draft_words *out,
                    struct problems *p)
{
    char *text = arena_dup(a, draft->text ? draft->text : "");
    const char *visibility = draft->visibility ? draft->visibility : "";
    *out = (struct draft_words){.length = text_tidy(text),
                                .text = text,
                                .spoiler = tidy_spoiler(a, draft->spoiler),
                                .is_sensitive = draft->sensitive == DRAFT_SENSITIVE_YES,
                                .language = draft->language ? draft->language : "",
                                .place = place_read(a, draft->latitude, draft->longitude, p),
                                .visibility = *visibility ? post_visibility_of(visibility) : VISIBILITY_PUBLIC};
    check_words(s, out, p);
    if (out->visibility == VISIBILITIES) {
        problem_add(p, "visibility", "visibility_unknown");
    }
    if (*out->language && !draft_is_language(out->language)) {
        problem_add(p, "language", "language_unknown");
    }
    return p->count ? ERR_INVALID : ERR_OK;
}
