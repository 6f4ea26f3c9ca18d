/* page_theme.c - light, dark, or as the browser has it: see page.h. One connection thread per page.
 *
 * A member's preference counts for more than the cookie, which strangers have, and pages that nobody can be known on. The page itself says
 * it (data-theme of its root), so nothing flashes and no script is needed; where it says nothing, the browser's own wish holds.
 */
#include <string.h>

#include "base/clock.h"
#include "pages/page.h"
#include "social/people/preference.h"

#define THEME_COOKIE "retwis_theme"
#define THEME_SECONDS (365 * CLOCK_DAY_SECONDS)

/* Whether the word is one that pages are told of: the first one is the browser's. */
static bool is_theme(const char *word)
{
    const char *theme;
    for (size_t n = 1; (theme = preference_word(PREFERENCE_THEME, n)); n++) {
        if (word && strcmp(word, theme) == 0) {
            return true;
        }
    }
    return false;
}

void page_theme_set(struct page *p, const char *theme)
{
    bool is_chosen = is_theme(theme);
    http_set_cookie(p->req, p->resp, THEME_COOKIE, is_chosen ? theme : "", is_chosen ? THEME_SECONDS : 0);
}

void page_theme_put(struct page *p)
{
    const char *theme = p->viewer.id ? preference_of(p->viewer.preferred, PREFERENCE_THEME) : NULL;
    theme = is_theme(theme) ? theme : http_cookie(p->req, THEME_COOKIE);
    if (is_theme(theme)) {
        yyjson_mut_val *put = page_object(p, "theme");
        page_put(p, put, "name", theme, NULL);
        yyjson_mut_obj_add_bool(p->entity.doc, put, theme, true);
    }
}
