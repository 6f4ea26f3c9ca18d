/* preference.c - see preference.h. Any thread. */
#include "social/people/preference.h"

#include <string.h>

#include "config/settings_table.h"
#include "social/core/problem.h"
#include "store/record.h"

struct preference_row {
    const char *name;
    size_t offset;            /* in struct record_user */
    const char *const *words; /* NULL: the languages of the site */
    enum preference_page page;
};

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define LANGUAGES NULL
static const struct preference_row preferences[PREFERENCES] = {
#define X(id, member, words, page, what) {#member, offsetof(struct record_user, member), words, PREFERENCE_PAGE_##page},
    PREFERENCE_TABLE(X)
#undef X
};

const char *preference_name(enum preference what)
{
    return preferences[what].name;
}

enum preference_page preference_page(enum preference what)
{
    return preferences[what].page;
}

const char *preference_word(enum preference what, size_t n)
{
    if (preferences[what].words) {
        return preferences[what].words[n];
    }
    return n == 0 ? "" : setting_find("site.locale")->choices[n - 1];
}

static const char **text_at(const struct preference_row *row, const struct record_user *r)
{
    return (const char **)(void *)((const char *)r + row->offset);
}

void preference_take(const struct record_user *r, const char *preferred[PREFERENCES])
{
    for (unsigned i = 0; i < PREFERENCES; i++) {
        preferred[i] = *text_at(&preferences[i], r);
    }
}

const char *preference_of(const char *const preferred[PREFERENCES], enum preference what)
{
    const char *word = preferred[what];
    return word && *word ? word : preference_word(what, 0);
}

bool preference_is_on(const char *const preferred[PREFERENCES], enum preference what)
{
    return strcmp(preference_of(preferred, what), preference_switch(true)) == 0;
}

const char *preference_switch(bool on)
{
    return on ? "yes" : "no";
}

bool preference_is(enum preference what, const char *text)
{
    const char *word;
    for (size_t n = 0; (word = preference_word(what, n)); n++) {
        if (strcmp(word, text) == 0) {
            return true;
        }
    }
    return false;
}

void preference_put(const char *const words[PREFERENCES], struct record_user *r, struct problems *p)
{
    for (unsigned i = 0; i < PREFERENCES; i++) {
        if (words[i] && !preference_is(i, words[i])) {
            problem_add(p, preferences[i].name, "choice_unknown");
        } else if (words[i]) {
            *text_at(&preferences[i], r) = strcmp(words[i], preference_word(i, 0)) == 0 ? "" : words[i];
        }
    }
}
