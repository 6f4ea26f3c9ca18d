/* preference.h - what a user likes to have otherwise than most: the table of all preferences.
 *
 * A preference is a row here and a field of the user's record (record.h) of the same name, shown, so that it comes with
 * him in every visit. It is one of a few words; the first one is what most people have, and is stored as nothing. The page
 * of preferences, and the part of the page of the profile that says what his account is to others (pages/preferences.c),
 * are made of this table: it wants the texts preference_<name> and, for each word that is no language and neither yes nor
 * no, preference_<name>_<word> (_default for the empty word).
 *
 * What this is not: the settings of the site (config/settings.h), or what somebody tells of himself (user_edit).
 *
 * Threads: any; constant data and pure functions.
 */
#ifndef SOCIAL_PEOPLE_PREFERENCE_H
#define SOCIAL_PEOPLE_PREFERENCE_H

#include <stdbool.h>
#include <stddef.h>

struct problems;
struct record_user;

#define USER_REPLIES_ALL "all" /* home_replies of whoever wants to see them all */

/* LANGUAGES: the languages of the site. The empty word before them is what a page knows better. */
/* clang-format off */
/*    id          member      words                                         page         what */
#define PREFERENCE_TABLE(X)                                                                                             \
    X(VISIBILITY, visibility, WORDS("public", "unlisted", "private"), PREFERENCES, "who may see his posts, unless he says otherwise") \
    X(LANGUAGE,   language,   LANGUAGES,              PREFERENCES, "of his posts; empty: that of the pages")            \
    X(LOCALE,     locale,     LANGUAGES,              PREFERENCES, "of the pages; empty: what the browser asks for")    \
    X(HOME_REPLIES, home_replies, WORDS("followed", USER_REPLIES_ALL), PREFERENCES, "which answers his home shows: to people he follows, or all") \
    X(THEME,      theme,      WORDS("system", "light", "dark"), PREFERENCES, "how the pages look: as the browser has it, light or dark") \
    X(DISCOVERABLE, discoverable, WORDS("yes", "no"), PROFILE,     "whether he is put before people who do not look for him") \
    X(INDEXABLE,  indexable,  WORDS("yes", "no"),     PROFILE,     "whether others find his posts by their words")      \
    X(HIDE_COLLECTIONS, hide_collections, WORDS("no", "yes"), PROFILE, "whether nobody else sees whom he follows and who follows him") \
    X(BOT,        bot,        WORDS("no", "yes"),     PROFILE,     "whether a program writes his posts") \
    X(SENSITIVE,  sensitive,  WORDS("no", "yes"),     PREFERENCES, "whether his posts are sensitive, unless he says otherwise")
/* clang-format on */

enum preference {
#define X(id, member, words, page, what) PREFERENCE_##id,
    PREFERENCE_TABLE(X)
#undef X
        PREFERENCES
};

/* Where it is chosen. */
enum preference_page { PREFERENCE_PAGE_PREFERENCES, PREFERENCE_PAGE_PROFILE };
enum preference_page preference_page(enum preference what);

/* "visibility": the name of the form field, and the member of the record. */
const char *preference_name(enum preference what);

/* The n-th of the words that it can be; NULL after the last. */
const char *preference_word(enum preference what, size_t n);

/* Whether it is one of them. */
bool preference_is(enum preference what, const char *word);

/* Of one whose words are yes and no. */
bool preference_is_on(const char *const preferred[PREFERENCES], enum preference what);
const char *preference_switch(bool on);

/* Fills the preferences of a user from his record; the texts stay the record's. */
void preference_take(const struct record_user *r, const char *preferred[PREFERENCES]);

/* The word that has been chosen, or the first one; NULL counts as none. */
const char *preference_of(const char *const preferred[PREFERENCES], enum preference what);

/* Puts the words into a record that is to be written; NULL leaves a field as it is. A word that it cannot be becomes a
 * problem of the field of its name. */
void preference_put(const char *const words[PREFERENCES], struct record_user *r, struct problems *p);

#endif
