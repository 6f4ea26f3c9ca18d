/* settings_table.c - every run-time setting: the one place to add or change one, and the rules of the types.
 *
 * Rules are those of text.h for people's text, lengths in code points. What this is not: where values are kept
 * (settings_db.c) and who sees them when (settings.c).
 *
 * Constant data and pure functions; any thread.
 */
#include "config/settings_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "base/secret.h"
#include "base/text.h"

#define MEMBER(m) offsetof(struct settings, m), sizeof(((struct settings *)0)->m)

static const char *const registrations[] = {
    [REGISTRATION_OPEN] = "open", [REGISTRATION_INVITE] = "invite", [REGISTRATION_CLOSED] = "closed", NULL};

static const char *const grants[] = {[GRANT_YES] = "yes", [GRANT_NO] = "no", NULL};

/* The catalogues of web/locales; the unit test compares. */
static const char *const locales[] = {"en", "es", "ro", "zh-CN", NULL};

const struct setting settings_table[] = {
    {"site.name", SETTING_LINE, MEMBER(site_name), "Retwis", 1, SETTINGS_NAME_MAX,
     .help = "Name of the site, at the top of each page."},
    {"site.description", SETTING_LINE, MEMBER(site_description), "", 0, SETTINGS_DESCRIPTION_MAX,
     .help = "What the site is for; shown to visitors on the first page."},
    {"site.contact", SETTING_LINE, MEMBER(contact), "", 0, SETTINGS_CONTACT_MAX,
     .help =
         "An e-mail address for people who want to reach the administrator; apps and /.well-known/security.txt show it "
         "to everybody."},
    {"site.rules", SETTING_LINES, MEMBER(rules), "", 0, SETTINGS_RULES_MAX,
     .help = "Rules for the members of the site, one a line."},
    {"site.locale", SETTING_LINE, MEMBER(default_locale), "en", .choices = locales,
     .help = "Language for visitors whose browser asks for no language that the site has."},
    {"registration", SETTING_CHOICE, MEMBER(registration), "open", .choices = registrations,
     .help = "Who may sign up: everybody, people with an invitation (retwis invite), or nobody."},
    {"apps.password", SETTING_CHOICE, MEMBER(password_grant), "yes", .choices = grants,
     .help = "Whether apps may sign people in by name and password (the password grant of OAuth): programs without a "
             "browser need it. With no, people let apps in on a page of the site only."},
    {"posts.length", SETTING_INTEGER, MEMBER(post_length), "500", 1, 5000,
     .help = "How many characters a post can have. Longer posts that exist stay as they are."},
    {SETTINGS_SECRET_NAME, SETTING_SECRET, MEMBER(secret_key), NULL,
     .help = "Signs the forms of the pages, unless the data hold the key of another server already. Made together with "
             "the file, never shown."},
};
const size_t settings_table_count = sizeof(settings_table) / sizeof(settings_table[0]);

_Static_assert(sizeof(enum settings_registration) == sizeof(unsigned), "enums have the size of unsigned");

const struct setting *setting_find(const char *name)
{
    for (size_t i = 0; i < settings_table_count; i++) {
        if (strcmp(settings_table[i].name, name) == 0) {
            return &settings_table[i];
        }
    }
    return NULL;
}

/* The rule in words, into out. */
static void setting_describe(const struct setting *s, char *out, size_t size)
{
    if (s->choices) {
        size_t n = 0;
        for (size_t i = 0; s->choices[i] && n < size; i++) {
            const char *separator = i == 0 ? "" : s->choices[i + 1] ? ", " : " or ";
            n += (size_t)snprintf(out + n, size - n, "%s%s", separator, s->choices[i]);
        }
    } else if (s->type == SETTING_INTEGER) {
        snprintf(out, size, "a number from %" PRId64 " to %" PRId64, s->min, s->max);
    } else if (s->type == SETTING_SECRET) {
        snprintf(out, size, "made by the program and cannot be set");
    } else {
        snprintf(out, size, "%s of %" PRId64 " to %" PRId64 " characters",
                 s->type == SETTING_LINE ? "one line" : "lines", s->min, s->max);
    }
}

/* "must be a number from 1 to 5000" */
static bool setting_refuse(const struct setting *s, char *why, size_t why_size)
{
    char rule[128];
    setting_describe(s, rule, sizeof(rule));
    snprintf(why, why_size, "%s must be %s", s->name, rule);
    return false;
}

/* Index of the text in the choices, or -1. */
static int choice_of(const struct setting *s, const char *text)
{
    for (int i = 0; s->choices[i]; i++) {
        if (strcmp(s->choices[i], text) == 0) {
            return i;
        }
    }
    return -1;
}

static bool setting_parse_text(const struct setting *s, const char *text, char *member)
{
    size_t n = strlen(text);
    if (!text_is_clean(text, n) || (s->type == SETTING_LINE && strpbrk(text, "\n\t")) || n >= s->size) {
        return false;
    }
    int64_t count = (int64_t)text_count(text, n);
    if (s->choices ? choice_of(s, text) < 0 : count < s->min || count > s->max) {
        return false;
    }
    memcpy(member, text, n + 1);
    return true;
}

static bool setting_parse_integer(const struct setting *s, const char *text, void *member)
{
    size_t n = strspn(text, "0123456789");
    if (n == 0 || n > 18 || text[n]) {
        return false;
    }
    int64_t value = strtoll(text, NULL, 10);
    if (value < s->min || value > s->max) {
        return false;
    }
    memcpy(member, &value, sizeof(value));
    return true;
}

bool setting_parse(const struct setting *s, const char *text, struct settings *out, char *why, size_t why_size)
{
    void *member = (char *)out + s->offset;
    bool good = false;
    switch (s->type) {
    case SETTING_LINE:
    case SETTING_LINES:
        good = setting_parse_text(s, text, member);
        break;
    case SETTING_INTEGER:
        good = setting_parse_integer(s, text, member);
        break;
    case SETTING_CHOICE: {
        int index = choice_of(s, text);
        good = index >= 0;
        if (good) {
            memcpy(member, &index, sizeof(index));
        }
        break;
    }
    case SETTING_SECRET:
        good = secret_key_read(text, member);
        break;
    }
    return good || setting_refuse(s, why, why_size);
}

const char *setting_text(const struct setting *s, const struct settings *values, char buffer[24])
{
    const void *member = (const char *)values + s->offset;
    switch (s->type) {
    case SETTING_LINE:
    case SETTING_LINES:
        return member;
    case SETTING_INTEGER:
        snprintf(buffer, 24, "%" PRId64, *(const int64_t *)member);
        return buffer;
    case SETTING_CHOICE:
        return s->choices[*(const unsigned *)member];
    case SETTING_SECRET:
        return "(hidden)";
    }
    panic("a type that the table does not know");
}

void settings_defaults(struct settings *out)
{
    char why[160];
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; i < settings_table_count; i++) {
        const struct setting *s = &settings_table[i];
        require(!s->initial || setting_parse(s, s->initial, out, why, sizeof(why)));
    }
}

void setting_print_value(const char *value, FILE *out)
{
    for (const char *p = value; *p; p++) {
        if (*p == '\n') {
            fputs("\\n", out);
        } else if (*p == '\\') {
            fputs("\\\\", out);
        } else {
            fputc(*p, out);
        }
    }
}

void setting_print(const struct setting *setting, const struct settings *values, bool verbose, FILE *out)
{
    char number[24], rule[128];
    if (verbose) {
        setting_describe(setting, rule, sizeof(rule));
        fprintf(out, "# %s\n# ", setting->help);
        if (setting->initial) {
            fprintf(out, "Default: %s. Allowed: %s.\n", *setting->initial ? setting->initial : "empty", rule);
        } else {
            fprintf(out, "It is %s.\n", rule);
        }
    }
    fprintf(out, "%s = ", setting->name);
    setting_print_value(setting_text(setting, values, number), out);
    fputs(verbose ? "\n\n" : "\n", out);
}
