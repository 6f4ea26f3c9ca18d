/* page_locale.c - in which language a page answers: see page.h. One connection thread per page.
 *
 * The first that there is of: ?lang= of this request, what a member prefers, the cookie, what the browser asks for, what
 * the site says. A ?lang= that names one of our languages is also put into the cookie, so that the visitor stays in it; a
 * member who prefers another stays in that. Caches between browser and site keep no pages, and browsers ask each time
 * (http/validator.h), so nobody gets them in the language of another.
 */
#include "base/clock.h"
#include "config/settings.h"
#include "pages/page.h"
#include "social/people/preference.h"
#include "view/locale.h"

#define LOCALE_COOKIE "retwis_locale"
#define LOCALE_SECONDS (365 * CLOCK_DAY_SECONDS)

void page_locale_set(struct page *p, const struct locale *l)
{
    http_set_cookie(p->req, p->resp, LOCALE_COOKIE, l ? locale_code(l) : "", l ? LOCALE_SECONDS : 0);
}

/* The language of ?lang=, NULL if it names none. */
static const struct locale *asked_for(struct page *p)
{
    const char *code = p->req->method & (HTTP_GET | HTTP_HEAD) ? http_query(p->req, PAGE_LANG) : NULL;
    return code ? locales_find(p->site->locales, code) : NULL;
}

void page_locale_choose(struct page *p)
{
    p->locale = asked_for(p);
    if (p->locale) {
        page_locale_set(p, p->locale);
        return;
    }
    const struct settings *settings = settings_get(p->site->settings);
    p->locale = locale_choose(p->site->locales, http_cookie(p->req, LOCALE_COOKIE),
                              http_header_in(p->req, "accept-language"), settings->default_locale);
    settings_release(p->site->settings, settings);
}

void page_locale_prefer(struct page *p)
{
    const char *code = p->viewer.id ? preference_of(p->viewer.preferred, PREFERENCE_LOCALE) : "";
    const struct locale *preferred = *code && !asked_for(p) ? locales_find(p->site->locales, code) : NULL;
    if (preferred) {
        p->locale = preferred;
        p->entity.locale = preferred;
    }
}

void page_locale_put(struct page *p)
{
    yyjson_mut_val *now = page_object(p, "locale");
    page_put(p, now, "code", locale_code(p->locale), "name", locale_name(p->locale), NULL);
    yyjson_mut_val *all = page_list(p, "locales");
    for (size_t i = 0; i < locales_count(p->site->locales); i++) {
        const struct locale *l = locales_at(p->site->locales, i);
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, all);
        page_put(p, one, "code", locale_code(l), "name", locale_name(l), NULL);
        yyjson_mut_obj_add_bool(p->entity.doc, one, "current", l == p->locale);
    }
}
