/* tie.c - see tie.h. */
#include "social/people/tie.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

#define CODE_MOST 3

struct tie tie_parse(uint64_t uid, const char *value)
{
    struct tie t = {.uid = uid, .languages = ""};
    for (; *value && *value != ':'; value++) {
        t.hides_boosts |= *value == 'r';
        t.is_told |= *value == 't';
    }
    if (*value) {
        t.languages = value + 1;
    }
    return t;
}

/* How many letters of a code stand there: what follows says more of it (pt-BR). 0: it is none. */
static size_t code_length(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && isalpha((unsigned char)text[n])) {
        n++;
    }
    bool is_end = n == most || text[n] == '-' || text[n] == '_';
    return is_end && (n == 2 || n == CODE_MOST) ? n : 0;
}

static bool has_code(const char *languages, const char *code, size_t length)
{
    size_t n;
    bool has = false;
    for (const char *at; !has && (at = text_entry(&languages, &n));) {
        has = n == length && strncasecmp(at, code, n) == 0;
    }
    return has;
}

bool tie_is_sound(const char *value)
{
    size_t n, count = 0;
    const char *at = value + (*value == 'r');
    at += *at == 't';
    if (*at != ':') {
        return at > value && !*at;
    }
    const char *languages = ++at;
    for (const char *code; (code = text_entry(&languages, &n)); count++) {
        if (code_length(code, n) != n) {
            return false;
        }
    }
    return count > 0 && count <= TIE_LANGUAGES_MOST;
}

const char *tie_languages(struct arena *a, const char *const *texts, size_t count)
{
    struct buffer out = buffer_make(a);
    size_t codes = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = code_length(texts[i], strlen(texts[i]));
        if (*texts[i] && !n) {
            return NULL;
        }
        if (!n || has_code(buffer_string(&out), texts[i], n)) {
            continue;
        }
        if (++codes > TIE_LANGUAGES_MOST) {
            return NULL;
        }
        buffer_text(&out, out.length ? "," : "");
        for (size_t k = 0; k < n; k++) {
            buffer_char(&out, (char)tolower((unsigned char)texts[i][k]));
        }
    }
    return buffer_string(&out);
}

bool tie_wants(const struct tie *t, const char *language)
{
    size_t n = code_length(language, strlen(language));
    return !*t->languages || !n || has_code(t->languages, language, n);
}
