/* fuzz_oauth.c - what applications say in OAuth requests: themselves (POST /api/v1/apps), the question to a person, codes
 * and tokens, the Basic header. The input's lines, in this order: see fuzz_oauth.
 *
 * What is let through is held against a second reading of the rules: words of scopes, addresses that lead somewhere else
 * than they say, secrets; and an app reads out of the address that it is sent exactly what it was told.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "fuzz.h"
#include "http/form.h"
#include "http/http.h"
#include "pages/oauth_target.h"
#include "social/people/app.h"
#include "social/people/code.h"
#include "social/people/scope.h"
#include "social/people/token.h"

static const char base64url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* --- scopes -------------------------------------------------------------------------------------------------------- */

/* Whether a word stands among others with one blank between. */
static bool has_word(const char *words, const char *word, size_t length)
{
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, word, length) == 0) {
            return true;
        }
        at += n;
    }
    return false;
}

/* Whether a word is allowed by others: itself, what stands before its last colon, or "follow". */
static bool is_within(const char *have, const char *word)
{
    const char *colon = strrchr(word, ':');
    if (has_word(have, word, strlen(word)) || (colon && has_word(have, word, (size_t)(colon - word)))) {
        return true;
    }
    bool is_relation =
        colon && (strncmp(word, "read:", 5) == 0 || strncmp(word, "write:", 6) == 0) &&
        (strcmp(colon, ":blocks") == 0 || strcmp(colon, ":follows") == 0 || strcmp(colon, ":mutes") == 0);
    return is_relation && has_word(have, "follow", 6);
}

static void check_scopes(struct arena *a, const char *one, const char *other)
{
    uint64_t have, wanted, again;
    if (!scope_parse(one, &have) || !scope_parse(other, &wanted)) {
        return;
    }
    const char *words = scope_words(a, have);
    FUZZ_CHECK(scope_parse(words, &again) && again == have && *words && scope_covers(have, have));
    size_t found = 0;
    bool is_covered = true;
    for (const char *at = one + strspn(one, " +\t\r\n"); *at; at += strspn(at, " +\t\r\n")) {
        size_t length = strcspn(at, " +\t\r\n");
        FUZZ_CHECK(has_word(words, at, length));
        at += length;
        found++;
    }
    FUZZ_CHECK(found > 0 || strcmp(words, "read") == 0);
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        bool is_allowed = is_within(words, scope_name(i));
        FUZZ_CHECK(scope_allows(have, scope_name(i)) == is_allowed);
        is_covered = is_covered && (is_allowed || !(wanted & SCOPE_BIT(i)));
    }
    FUZZ_CHECK(scope_covers(have, wanted) == is_covered);
    FUZZ_CHECK(!is_covered || !(wanted & SCOPE_BIT(SCOPE_WRITE)) || have & SCOPE_BIT(SCOPE_WRITE));
}

/* --- addresses ----------------------------------------------------------------------------------------------------- */

static void check_redirect(const char *at)
{
    static const char *const running[] = {"javascript:", "data:", "vbscript:", "file:", "blob:", "about:"};
    size_t scheme = strcspn(at, ":");
    FUZZ_CHECK(isalpha((unsigned char)at[0]) && at[scheme] == ':' && at[scheme + 1] && !strchr(at, '#'));
    for (size_t i = 0; at[i]; i++) {
        FUZZ_CHECK(at[i] > ' ' && at[i] < 0x7f);
        FUZZ_CHECK(i >= scheme || isalnum((unsigned char)at[i]) || strchr("+-.", at[i]));
    }
    for (size_t i = 0; i < sizeof(running) / sizeof(*running); i++) {
        FUZZ_CHECK(strncasecmp(at, running[i], strlen(running[i])) != 0);
    }
}

/* What an app finds behind its address is what it was told. */
static void check_told(struct arena *a, const char *redirect, const char *value, const char *more, const char *state)
{
    const struct oauth_told told = {.name = "code", .value = value, .more = more, .state = state};
    struct http_pairs found = {0};
    const char *target = oauth_target_with(a, redirect, &told);
    size_t length = strlen(redirect), at = 0;
    FUZZ_CHECK(strncmp(target, redirect, length) == 0 && target[length] == (strchr(redirect, '?') ? '&' : '?'));
    FUZZ_CHECK(form_parse(a, target + length + 1, strlen(target + length + 1), &found));
    FUZZ_CHECK(found.count == 1u + (more != NULL) + (*state != '\0') && strcmp(found.items[at++].value, value) == 0);
    FUZZ_CHECK(!more || strcmp(found.items[at++].value, more) == 0);
    FUZZ_CHECK(!*state || strcmp(found.items[at].value, state) == 0);
    FUZZ_CHECK(strspn(target + length, "&?=%-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               strlen(target + length));
}

/* Where the browser would go is what people read. */
static void check_plain(const char *redirect)
{
    if (!oauth_target_is_plain(redirect)) {
        return;
    }
    if (strncasecmp(redirect, "http://", 7) == 0 || strncasecmp(redirect, "https://", 8) == 0) {
        const char *host = strchr(redirect, ':') + 3;
        size_t length = strcspn(host, "/?#");
        FUZZ_CHECK(!memchr(host, '@', length) && !memchr(host, '\\', length) && !memchr(host, '%', length));
    }
    FUZZ_CHECK(strchr(redirect, ':'));
}

static void check_app(struct arena *a, const struct app_form *form, const char *asked)
{
    struct app app;
    struct problems problems = {.count = 0};
    if (app_check(a, form, &app, &problems) != ERR_OK) {
        FUZZ_CHECK(problems.count > 0);
        return;
    }
    const char *name, *website;
    FUZZ_CHECK(problems.count == 0 && app.name[0] && strlen(app.redirects) <= APP_ADDRESS_MAX && app.redirects[0]);
    app_sign_read(a, app_signature(a, app.name, app.website), &name, &website);
    FUZZ_CHECK(strcmp(name, app.name) == 0 && strcmp(website, app.website) == 0);
    FUZZ_CHECK(!*website || oauth_target_is_web(website));
    bool is_one = false;
    for (char *rest = arena_dup(a, app.redirects); rest;) {
        const char *line = strsep(&rest, "\n");
        check_redirect(line);
        FUZZ_CHECK(app_has_redirect(&app, line) && !app_has_redirect(&app, arena_printf(a, "%s#", line)));
        is_one = is_one || strcmp(line, asked) == 0;
    }
    FUZZ_CHECK(app_has_redirect(&app, asked) == is_one && !app_has_redirect(&app, ""));
}

/* --- secrets ------------------------------------------------------------------------------------------------------- */

static void check_token(struct arena *a, const char *text)
{
    uint64_t id;
    char hash[SECRET_HASH_SIZE], again[SECRET_HASH_SIZE];
    if (token_parse(text, &id, hash)) {
        const char *secret = strchr(text, '.') + 1;
        secret_hash(secret, again);
        FUZZ_CHECK(id != 0 && strcmp(hash, again) == 0 && strcmp(token_write(a, id, secret), text) == 0);
    }
    FUZZ_CHECK(code_challenge_is_fit(text) == (strlen(text) == 43 && strspn(text, base64url) == 43));
}

/* What is read of the Basic header, written as RFC 4648 has it, is the header. */
static void check_basic(struct arena *a, const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = arena_alloc(a, strlen(text) + 1);
    if (!secret_decode(text, out, strlen(text) + 1)) {
        return;
    }
    struct buffer b = buffer_make(a);
    size_t n = strlen(out);
    for (size_t i = 0; i < n; i += 3) {
        unsigned triple = 0;
        for (size_t k = 0; k < 3; k++) {
            triple = triple << 8 | (i + k < n ? (unsigned char)out[i + k] : 0);
        }
        for (size_t k = 0; k < 4; k++) {
            buffer_char(&b, i + k > n ? '=' : letters[triple >> (18 - 6 * k) & 63]);
        }
    }
    FUZZ_CHECK(strcmp(buffer_string(&b), text) == 0);
}

void fuzz_oauth(const char *data, size_t size)
{
    enum { SCOPES, WANTED, REDIRECTS, ASKED, NAME, WEBSITE, STATE, TOKEN, BASIC, LINES };
    struct arena *a = fuzz_arena();
    const char *line[LINES];
    char *rest = arena_dup_n(a, data, size);
    for (size_t i = 0; i < LINES; i++) {
        line[i] = rest ? strsep(&rest, "\n") : "";
        if (!form_is_utf8(line[i], strlen(line[i]))) {
            return; /* no parameter is anything else */
        }
    }
    const struct app_form form = {
        .name = line[NAME], .website = line[WEBSITE], .redirects = line[REDIRECTS], .scopes = line[SCOPES]};
    check_scopes(a, line[SCOPES], line[WANTED]);
    check_app(a, &form, line[ASKED]);
    check_plain(line[ASKED]);
    check_told(a, line[ASKED], line[TOKEN], *line[NAME] ? line[NAME] : NULL, line[STATE]);
    check_token(a, line[TOKEN]);
    check_basic(a, line[BASIC]);
}
