/* preferences.c - the page of preferences, made of their table (social/people/preference.h), and the switches of language and theme.
 * Connection threads. */
#include <string.h>

#include "base/arena.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/preference.h"
#include "view/locale.h"

/* The text of a word: of a language its own name. */
static const char *word_text(struct page *p, const char *name, const char *word)
{
    const struct locale *language = locales_find(p->site->locales, word);
    if (language) {
        return locale_name(language);
    }
    if (strcmp(word, preference_switch(true)) == 0 || strcmp(word, preference_switch(false)) == 0) {
        return locale_text(p->locale, arena_printf(p->arena, "preference_%s", word));
    }
    return locale_text(p->locale, arena_printf(p->arena, "preference_%s_%s", name, *word ? word : "default"));
}

static void put_words(struct page *p, yyjson_mut_val *row, enum preference what)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(p->entity.doc, row, "words");
    const char *name = preference_name(what), *sent = http_form(p->req, name), *word;
    const char *now = sent ? sent : preference_of(p->viewer.preferred, what);
    for (size_t n = 0; (word = preference_word(what, n)); n++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, list);
        page_put(p, one, "value", word, "text", word_text(p, name, word), NULL);
        page_put(p, one, "lang", locales_find(p->site->locales, word) ? word : NULL, NULL);
        yyjson_mut_obj_add_bool(p->entity.doc, one, "chosen", strcmp(word, now) == 0);
    }
}

void page_preferences(struct page *p, enum preference_page where)
{
    yyjson_mut_val *list = page_list(p, "preferences");
    for (unsigned i = 0; i < PREFERENCES; i++) {
        if (preference_page(i) != where) {
            continue;
        }
        yyjson_mut_val *row = yyjson_mut_arr_add_obj(p->entity.doc, list);
        const char *key = arena_printf(p->arena, "preference_%s", preference_name(i));
        page_put(p, row, "name", preference_name(i), "text", locale_text(p->locale, key), "error",
                 page_problem_of(p, preference_name(i)), NULL);
        put_words(p, row, i);
    }
}

static bool put_preferences(struct page *p, const char *subject)
{
    (void)subject;
    page_preferences(p, PREFERENCE_PAGE_PREFERENCES);
    page_settings_place(p, "settings_preferences", "/settings/preferences");
    return true;
}

static void page_settings_preferences(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (page_read(&p)) {
        put_preferences(&p, NULL);
        page_render(&p, "settings_preferences");
    }
}

static void page_settings_preferences_save(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry form = {
        .template = "settings_preferences", .fill = put_preferences, .asks_nothing = true};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    const char *words[PREFERENCES];
    for (unsigned i = 0; i < PREFERENCES; i++) {
        words[i] = http_form(req, preference_name(i));
    }
    enum err e = user_prefer(p.site->social, p.arena, &by, words, &problems);
    if (e != ERR_OK) {
        page_refuse(&p, e, &problems, &form);
        return;
    }
    if (words[PREFERENCE_LOCALE]) {
        page_locale_set(&p, locales_find(p.site->locales, words[PREFERENCE_LOCALE]));
    }
    if (words[PREFERENCE_THEME]) {
        page_theme_set(&p, words[PREFERENCE_THEME]);
    }
    page_redirect(&p, page_next(&p, "/settings/preferences"), "flash_preferences_saved", NULL);
}

/* Where the language was chosen before there were other preferences. */
static void page_settings_language(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    page_redirect(&p, "/settings/preferences", NULL, NULL);
}

/* The switches at the foot of each page. Of a member they change what he prefers, which counts for more than the cookie. False: an
 * error was answered. */
static bool prefer_one(struct page *p, enum preference what, const char *word)
{
    if (http_cookie(p->req, http_session_cookie(p->req)) && !page_read(p)) {
        return false;
    }
    const char *words[PREFERENCES] = {NULL};
    words[what] = word;
    const struct actor by = page_actor(p);
    struct problems problems = {.count = 0};
    enum err e = p->viewer.id ? user_prefer(p->site->social, p->arena, &by, words, &problems) : ERR_OK;
    if (e != ERR_OK) {
        page_refuse(p, e, &problems, NULL);
    }
    return e == ERR_OK;
}

static void page_locale(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct locale *l = locales_find(p.site->locales, page_field(&p, "locale"));
    if (!l) {
        page_error(&p, ERR_INVALID);
    } else if (prefer_one(&p, PREFERENCE_LOCALE, locale_code(l))) {
        page_locale_set(&p, l);
        page_redirect(&p, page_next(&p, "/"), "flash_language_saved", NULL);
    }
}

static void page_theme(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const char *theme = page_field(&p, "theme");
    if (!preference_is(PREFERENCE_THEME, theme)) {
        page_error(&p, ERR_INVALID);
    } else if (prefer_one(&p, PREFERENCE_THEME, theme)) {
        page_theme_set(&p, theme);
        page_redirect(&p, page_next(&p, "/"), NULL, NULL);
    }
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter preference_fields[] = {
#define X(id, member, words, page, what) {#member, HTTP_TEXT, 0, 16, false, what},
    PREFERENCE_TABLE(X)
#undef X
        {0},
};

static const struct http_parameter locale_fields[] = {
    {"locale", HTTP_TEXT, 1, 16, true, "language code"},
    {0},
};

static const struct http_parameter theme_fields[] = {
    {"theme", HTTP_TEXT, 1, 16, true, "system, light or dark"},
    {0},
};

/* clang-format off */
const struct http_route routes_preferences[] = {
    {HTTP_GET, "/settings/preferences", page_settings_preferences, WHO_MEMBER,
     .help = "form for what one prefers"},
    {HTTP_POST, "/settings/preferences", page_settings_preferences_save, WHO_MEMBER, {preference_fields, parameter_next},
     .help = "changes what one prefers"},
    {HTTP_GET, "/settings/language", page_settings_language, WHO_ANYONE,
     .help = "to the preferences"},
    {HTTP_POST, "/locale", page_locale, WHO_ANYONE, {locale_fields, parameter_next},
     .help = "chooses the language"},
    {HTTP_POST, "/theme", page_theme, WHO_ANYONE, {theme_fields, parameter_next},
     .help = "chooses light or dark"},
    {0},
};
/* clang-format on */
