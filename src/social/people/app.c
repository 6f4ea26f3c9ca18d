/* app.c - see app.h. Any thread. */
#include "social/people/app.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/scope.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define TRIES 5

/* --- what may be registered ---------------------------------------------------------------------------------------- */

bool app_secret_is_fit(const char *secret)
{
    size_t n = strlen(secret);
    return n >= 20 && n <= 64 &&
           strspn(secret, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == n;
}

/* Where one line of redirects ends. */
static size_t line_length(const char *at)
{
    return strcspn(at, "\n");
}

static bool is_graphic(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] <= ' ' || text[i] > '~') {
            return false;
        }
    }
    return true;
}

/* An absolute address without a fragment, of a scheme that opens an application or a page: none that runs what the
 * address says. */
static bool is_redirect(const char *at, size_t length)
{
    static const char *const forbidden[] = {"javascript:", "data:", "vbscript:", "about:", "blob:", "file:"};
    size_t scheme = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.");
    if (scheme == 0 || scheme + 1 >= length || at[scheme] != ':' || !isalpha((unsigned char)*at) ||
        !is_graphic(at, length) || memchr(at, '#', length)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(forbidden) / sizeof(*forbidden); i++) {
        if (strncasecmp(at, forbidden[i], strlen(forbidden[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* The redirects one a line, without blanks and empty lines. */
static const char *tidy_redirects(struct arena *a, const char *given)
{
    char *out = arena_alloc(a, strlen(given) + 1), *end = out;
    for (const char *at = given + strspn(given, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        size_t length = strcspn(at, " \t\r\n");
        if (end > out) {
            *end++ = '\n';
        }
        memcpy(end, at, length);
        end += length;
        at += length;
    }
    *end = '\0';
    return out;
}

static void check_redirects(const char *redirects, struct problems *p)
{
    bool are_good = *redirects && strlen(redirects) <= APP_ADDRESS_MAX;
    for (const char *at = redirects; are_good && *at; at += line_length(at), at += *at == '\n') {
        are_good = is_redirect(at, line_length(at));
    }
    if (!are_good) {
        problem_add(p, "redirect_uris", "app_redirect");
    }
}

static void check_website(const char *website, struct problems *p)
{
    bool is_web = strncasecmp(website, "https://", 8) == 0 || strncasecmp(website, "http://", 7) == 0;
    if (*website && (!is_web || strlen(website) > APP_ADDRESS_MAX || !is_graphic(website, strlen(website)))) {
        problem_add(p, "website", "app_website");
    }
}

static void check_name(const char *name, struct problems *p)
{
    static const struct problem_text_rule rule = {"client_name", "app_name_invalid", "app_name_too_long", APP_NAME_MAX,
                                                  true};
    if (text_is_blank(name, strlen(name))) {
        problem_add(p, "client_name", "app_name_blank");
    }
    problem_check_text(p, name, &rule);
}

enum err app_check(struct arena *a, const struct app_form *form, struct app *out, struct problems *p)
{
    char *name = arena_dup(a, form->name ? form->name : "");
    text_tidy(name);
    *out = (struct app){.name = name,
                        .website = arena_dup(a, form->website ? form->website : ""),
                        .redirects = tidy_redirects(a, form->redirects ? form->redirects : "")};
    check_name(out->name, p);
    check_redirects(out->redirects, p);
    check_website(out->website, p);
    if (!scope_parse(form->scopes, &out->scopes)) {
        problem_add(p, "scopes", "app_scopes");
    }
    return p->count ? ERR_INVALID : ERR_OK;
}

/* --- registering --------------------------------------------------------------------------------------------------- */

/* One try. */
static enum err store_app(struct social *s, struct arena *a, const struct app *app, enum answer *answer)
{
    const struct record_app record = {
        .name = app->name, .website = app->website, .redirects = app->redirects, .scopes = app->scopes};
    const struct script_app_create in = {
        .id = app->id, .ttl = (int64_t)APP_IDLE_DAYS * CLOCK_DAY_MS, .secret = app->secret_hash, .record = &record};
    struct store_batch *b = store_batch_new(s->store, a);
    script_app_create_add(b, &in);
    enum err e = store_run(b);
    *answer = script_answer(store_reply(b, 0));
    return e;
}

enum err app_create(struct social *s, struct arena *a, const struct actor *by, const struct app_form *form,
                    struct app *out, const char **secret, struct problems *p)
{
    enum answer answer = ANSWER_STALE;
    char *text = arena_alloc(a, SECRET_TOKEN_SIZE), *hash = arena_alloc(a, SECRET_HASH_SIZE);
    enum err e = action_check(ACTION_APP_CREATE, by);
    e = e == ERR_OK ? app_check(a, form, out, p) : e;
    e = e == ERR_OK ? action_count_address(s, a, ACTION_APP_CREATE, by, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    secret_token(text);
    *secret = form->secret ? form->secret : text;
    secret_hash(*secret, hash);
    out->secret_hash = hash;
    for (unsigned i = 0; i < (form->id ? 1 : TRIES) && e == ERR_OK && answer == ANSWER_STALE; i++) {
        out->id = form->id ? form->id : id_new((unsigned)(secret_random_u64() % ID_BUCKETS), 0);
        e = store_app(s, a, out, &answer);
    }
    return e == ERR_OK && answer != ANSWER_OK ? (form->id ? ERR_TAKEN : ERR_BUSY) : e;
}

/* --- finding ------------------------------------------------------------------------------------------------------- */

static void take_record(const struct store_reply *r, uint64_t id, struct app *out)
{
    struct record_app record;
    record_app_take(r, APP_SHOWN, &record);
    *out = (struct app){.id = *record.secret ? id : 0,
                        .name = record.name,
                        .website = record.website,
                        .redirects = record.redirects,
                        .scopes = record.scopes,
                        .secret_hash = record.secret};
}

enum err app_find(struct social *s, struct arena *a, const char *client_id, struct app *out)
{
    uint64_t id = client_id ? id_parse(client_id) : 0;
    *out = (struct app){.id = 0};
    if (!id) {
        return ERR_NOT_FOUND;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    record_ask(b, RECORD_APP, id, APP_SHOWN);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        take_record(store_reply(b, 0), id, out);
    }
    return e == ERR_OK && !out->id ? ERR_NOT_FOUND : e;
}

bool app_has_redirect(const struct app *app, const char *address)
{
    size_t length = strlen(address);
    for (const char *at = app->redirects; *at; at += line_length(at), at += *at == '\n') {
        if (length && line_length(at) == length && memcmp(at, address, length) == 0) {
            return true;
        }
    }
    return false;
}

const char *app_signature(struct arena *a, const char *name, const char *website)
{
    return arena_printf(a, "%s\t%s", name, website);
}

void app_sign_read(struct arena *a, const char *signature, const char **name, const char **website)
{
    size_t length = strcspn(signature, "\t");
    *name = arena_dup_n(a, signature, length);
    *website = signature[length] ? arena_dup(a, signature + length + 1) : "";
}

bool app_secret_is(const struct app *app, const char *secret)
{
    char hash[SECRET_HASH_SIZE];
    secret_hash(secret, hash);
    return secret_equal(hash, app->secret_hash);
}

/* --- its life ------------------------------------------------------------------------------------------------------ */

void app_keep_add(struct store_batch *b, struct arena *a, uint64_t id)
{
    store_command(b, id_bucket(id), "PERSIST", key_id(a, KEY_APP, id), NULL);
}

enum err app_end(struct social *s, struct arena *a, const struct actor *by, uint64_t id)
{
    enum err e = action_check(ACTION_APP_END, by);
    if (e != ERR_OK) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(id), "DEL", key_id(a, KEY_APP, id), NULL);
    script_token_end_add(b, &(struct script_token_end){.id = id, .which = TOKEN_END_WHICH_ALL, .hash = ""});
    event_add(s, b, a, EVENT_SESSIONS, id);
    e = store_run(b);
    return e == ERR_OK && store_integer(store_reply(b, 0)) == 0 ? ERR_NOT_FOUND : e;
}
