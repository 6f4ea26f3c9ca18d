/* page.c - see page.h: begin, read, errors, render. Keys of documents are in page_keys.c. */
#include "pages/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/text.h"
#include "config/settings.h"
#include "http/static.h"
#include "pages/handlers.h"
#include "social/core/social.h"
#include "social/notices/notice.h"
#include "social/notices/talk.h"
#include "social/people/people.h"
#include "social/people/user.h"
#include "view/locale.h"
#include "view/problem_words.h"
#include "view/template.h"

#define FLASH_COOKIE "retwis_flash"
#define UNREAD_SHOWN 99
#define UNDO_MS 60000
#define DEVICE_SECONDS (400 * CLOCK_DAY_SECONDS) /* no browser keeps a cookie for longer */

const char *page_encoded(struct page *p, const char *text)
{
    struct buffer b = buffer_make(p->arena);
    http_encode(&b, text, "/_-.@");
    return buffer_string(&b);
}

/* Path and query, for the forms and links that lead back to this page. A language that was asked for is in the cookie. */
static const char *own_path(const struct http_request *req)
{
    if (!req->path[0]) { /* no request line was understood */
        return "/";
    }
    struct buffer b = buffer_make(req->arena);
    http_encode(&b, req->path, "/_-.@");
    char before = '?';
    for (size_t i = 0; i < req->query.count; i++) {
        if (strcmp(req->query.items[i].name, PAGE_LANG) == 0) {
            continue;
        }
        buffer_char(&b, before);
        before = '&';
        http_encode(&b, req->query.items[i].name, "/_-.@");
        buffer_char(&b, '=');
        http_encode(&b, req->query.items[i].value, "/_-.@");
    }
    return buffer_string(&b);
}

static struct visit *begin_visit(const struct http_request *req)
{
    const struct site *site = req->app;
    struct visit *v = visit_begin(site->social, req->arena, http_cookie(req, http_session_cookie(req)));
    visit_require(v, req->route ? req->route->who : WHO_ANYONE);
    return v;
}

/* Makes the visit, by which it is known who asks. */
static enum err meet(struct http_request *req, struct visit *v)
{
    enum err e = visit_read(v);
    req->is_settled = true;
    if (visit_is_known(v)) {
        req->is_asked = true;
        req->account = visit_viewer(v)->id;
    }
    return e;
}

enum err page_verify(struct http_request *req)
{
    const struct site *site = req->app;
    struct visit *v = visit_verify(site->social, req->arena, http_cookie(req, http_session_cookie(req)), false);
    visit_require(v, req->route->who);
    if (http_variable(req, "name")) {
        people_foresee(v, http_variable(req, "name"), 0);
    }
    enum err e = meet(req, v);
    req->visitor = e == ERR_OK ? v : NULL;
    return e;
}

static void know_viewer(struct page *p)
{
    p->viewer = *visit_viewer(p->visit);
    p->entity.viewer = p->viewer.id;
    page_locale_prefer(p);
}

void page_begin(struct page *p, struct http_request *req, struct http_response *resp)
{
    memset(p, 0, sizeof(*p));
    p->site = req->app;
    p->req = req;
    p->resp = resp;
    p->arena = req->arena;
    p->status = 200;
    p->path = own_path(req);
    page_locale_choose(p);
    p->entity = (struct entity_context){
        .arena = req->arena,
        .doc = view_doc(req->arena),
        .locale = p->locale,
        .origin = req->origin,
        .now_ms = clock_site_ms(),
    };
    p->root = yyjson_mut_obj(p->entity.doc);
    if (req->visitor) {
        p->visit = visit_again(req->visitor); /* whom the dispatcher has verified; a page that begins again asks anew */
        know_viewer(p);
        req->visitor = NULL;
    } else {
        p->visit = begin_visit(req);
    }
    p->unread = notice_unread_ask(p->visit);
}

void page_path(struct page *p, const char *path)
{
    if (p->req->method == HTTP_POST) {
        p->path = path;
    }
}

bool page_read(struct page *p)
{
    enum err e = meet(p->req, p->visit);
    know_viewer(p);
    if (e != ERR_OK) {
        page_error(p, e);
    }
    return e == ERR_OK;
}

/* --- what every page has --- */

static void put_site(struct page *p)
{
    const struct settings *settings = settings_get(p->site->settings);
    yyjson_mut_doc *doc = p->entity.doc;
    yyjson_mut_val *site = page_object(p, "site");
    page_put(p, site, "name", arena_dup(p->arena, settings->site_name), "description",
             arena_dup(p->arena, settings->site_description), NULL);
    yyjson_mut_obj_add_bool(doc, site, "registration_open", settings->registration != REGISTRATION_CLOSED);
    yyjson_mut_obj_add_bool(doc, site, "registration_invite", settings->registration == REGISTRATION_INVITE);
    yyjson_mut_obj_add_int(doc, site, "post_length", settings->post_length);
    yyjson_mut_obj_add_bool(doc, site, "search", p->site->config->search.enabled);
    settings_release(p->site->settings, settings);
}

static void put_viewer(struct page *p)
{
    const struct user *u = &p->viewer;
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "signed_in", u->id != 0);
    if (u->id && !yyjson_mut_obj_get(p->root, "viewer")) {
        page_set_object(p, "viewer", decoration_account(&p->entity, u));
    }
    if (u->id) {
        yyjson_mut_obj_add_bool(p->entity.doc, yyjson_mut_obj_get(p->root, "viewer"), "is_admin", u->is_admin);
    }
}

/* More than two digits say nothing more. */
static void put_menu_number(struct page *p, const char *key, const char *label, int64_t count)
{
    if (count > 0) {
        const char *number =
            count > UNREAD_SHOWN ? TEXT_OF(UNREAD_SHOWN) "+" : arena_printf(p->arena, "%d", (int)count);
        page_put(p, page_object(p, key), "number", number, "label",
                 locale_plural(p->arena, p->locale, label, (uint64_t)count, NULL), NULL);
    }
}

/* The numbers in the menu, and in the title; and whether the menu leads to the requests. */
static void put_unread(struct page *p)
{
    if (p->viewer.id) {
        put_menu_number(p, "unread", "count_unread", p->unread->count);
        put_menu_number(p, "asking", "count_asking", p->unread->requests);
        put_menu_number(p, "messages", "count_messages", talk_unread(p->visit));
    }
    if (p->viewer.id && (p->viewer.is_locked || p->unread->requests > 0)) {
        page_is(p, "has_requests");
    }
}

/* A user name or a number: nothing else is ever put into a message. */
static bool page_is_word(const char *text)
{
    size_t length = 0;
    while (text_is_word((unsigned char)text[length])) {
        length++;
    }
    return text[length] == '\0' && length > 0 && length <= USER_NAME_MAX;
}

/* Whether a message says that something was not done. */
static bool flash_is_error(const char *key)
{
    static const char *const keys[] = {"flash_follow_self",      "flash_follow_limit", "flash_follow_refused",
                                       "flash_list_full",        "flash_apart_self",   "flash_apart_limit",
                                       "flash_filter_limit",     "flash_pin_limit",    "flash_tag_limit",
                                       "flash_languages_unknown"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        if (strcmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The words of a message; NULL if there is none of this key. One that has plurals is told how many. */
static const char *flash_text(const struct page *p, const char *key, const char *word)
{
    if (locale_find(p->locale, key)) {
        return locale_format(p->arena, p->locale, key, "name", word, "max", word, "count", word, NULL);
    }
    bool is_plural = locale_find(p->locale, arena_printf(p->arena, "%s_other", key)) != NULL;
    return is_plural ? locale_plural(p->arena, p->locale, key, strtoull(word, NULL, 10), NULL) : NULL;
}

/* Beside the word that something was posted: where it is, and a button that opens the box with it again. Only for a moment, as
 * anybody may have written the message. */
static void put_posted(const struct page *p, yyjson_mut_val *flash, const char *word)
{
    uint64_t id = id_parse(word), ms = id_ms(id);
    if (id && p->viewer.id && ms + UNDO_MS > p->entity.now_ms && ms < p->entity.now_ms + UNDO_MS) {
        const char *digits = id_text(p->arena, id);
        yyjson_mut_obj_add_str(p->entity.doc, flash, "post_id", digits);
        yyjson_mut_obj_add_str(p->entity.doc, flash, "post_href",
                               arena_printf(p->arena, "/@%s/%s", p->viewer.name, digits));
    }
}

/* The message that the page before left in a cookie: "<key>" or "<key>~<word>". It comes back from the browser, and a
 * neighbour on the same host may have put it there. So the key must be one of the catalogue's flash_ keys, and the word
 * can only be a user name or a number. */
static void put_flash(struct page *p)
{
    const char *cookie = http_cookie(p->req, FLASH_COOKIE);
    if (!cookie || strncmp(cookie, "flash_", 6) != 0 || strlen(cookie) > 100) {
        return;
    }
    http_set_cookie(p->req, p->resp, FLASH_COOKIE, "", 0);
    char *key = arena_dup(p->arena, cookie);
    char *word = strchr(key, '~');
    if (word) {
        *word++ = '\0';
    }
    const char *text = word && !page_is_word(word) ? NULL : flash_text(p, key, word ? word : "");
    if (!text) {
        return;
    }
    yyjson_mut_val *flash = page_object(p, "flash");
    page_put(p, flash, "text", text, NULL);
    if (word && strcmp(key, "flash_posted") == 0) {
        put_posted(p, flash, word);
    }
    yyjson_mut_obj_add_bool(p->entity.doc, flash, flash_is_error(key) ? "kind_error" : "kind_ok", true);
}

void page_render(struct page *p, const char *template)
{
    put_site(p);
    page_locale_put(p);
    page_theme_put(p);
    put_viewer(p);
    put_unread(p);
    put_flash(p);
    page_set(p, "path", p->path);
    page_set(p, "csrf_token", http_csrf_token(p->req, p->resp));
    page_set(p, "assets_version", static_version());
    enum err e = template_render(p->site->templates, locale_code(p->locale), template, p->root, &p->resp->body);
    if (e != ERR_OK) {
        log_error("pages", "template %s: %s", template, err_info(e)->name);
        p->status = 500;
    }
    p->resp->status = p->status;
}

void page_redirect(struct page *p, const char *location, const char *flash_key, const char *word)
{
    if (flash_key) {
        const char *value = word ? arena_printf(p->arena, "%s~%s", flash_key, word) : flash_key;
        http_set_cookie(p->req, p->resp, FLASH_COOKIE, value, 60);
    }
    http_redirect(p->resp, location);
}

/* --- errors --- */

static void redirect_to_sign_in(struct page *p)
{
    const char *next = p->req->method == HTTP_POST ? page_next(p, "") : p->path;
    struct buffer b = buffer_make(p->arena);
    buffer_text(&b, "/auth/sign_in");
    if (*next && strcmp(next, "/home") != 0) {
        buffer_text(&b, "?next=");
        http_encode(&b, next, "/_-.@");
    }
    http_redirect(p->resp, buffer_string(&b));
}

/* Fills the error page; needs neither visit nor engine. `reason`, in English and for people who made the request by
 * hand, may be NULL. */
static void render_error(struct page *p, int status, unsigned seconds, const char *reason, const char *own_text)
{
    const char *title = arena_printf(p->arena, "http_%d_title", status);
    const char *text = own_text ? own_text : arena_printf(p->arena, "http_%d_text", status);
    bool known = locale_find(p->locale, title) != NULL;
    yyjson_mut_val *error = page_object(p, "error");
    yyjson_mut_obj_add_int(p->entity.doc, error, "code", status);
    if (reason) {
        page_put(p, error, "reason", reason, NULL);
    }
    const char *shown = locale_text(p->locale, known ? title : "http_other_title");
    page_put(p, error, "title", shown, "text", locale_text(p->locale, known || own_text ? text : "http_other_text"),
             NULL);
    if (seconds) {
        page_put(p, error, "retry_text", wait_words(p->arena, p->locale, WAIT_WORDS_RETRY, seconds), NULL);
        http_header(p->resp, "Retry-After", arena_printf(p->arena, "%u", seconds));
    } else if (status == 503) {
        page_put(p, error, "retry_text", locale_text(p->locale, "retry_soon"), NULL);
        http_header(p->resp, "Retry-After", "2");
    }
    page_set(p, "title", shown);
    page_set(p, "request_id", p->req->id);
    page_is(p, "is_error");
    if (!p->visit || !(p->viewer.id || visit_is_known(p->visit))) {
        page_is(p, "is_bare");
    }
    p->status = status;
    page_path(p, "/");
    page_render(p, "error");
}

void page_error(struct page *p, enum err e)
{
    page_error_after(p, e, 0);
}

void page_error_after(struct page *p, enum err e, unsigned seconds)
{
    if (e == ERR_UNAUTHORIZED) {
        redirect_to_sign_in(p);
        return;
    }
    /* nothing that was begun for the failed page must show */
    p->root = yyjson_mut_obj(p->entity.doc);
    render_error(p, err_info(e)->http_status, seconds, NULL, NULL);
}

void page_error_saying(struct page *p, enum err e, const char *text_key)
{
    p->root = yyjson_mut_obj(p->entity.doc);
    render_error(p, err_info(e)->http_status, 0, NULL, text_key);
}

void page_http_error(struct http_request *req, struct http_response *resp, int status, const char *text)
{
    struct page p;
    page_begin(&p, req, resp);
    render_error(&p, status, req->retry_after, text, NULL);
}

void page_denied(struct http_request *req, struct http_response *resp, enum err e)
{
    struct page p;
    page_begin(&p, req, resp);
    if (e != ERR_FORBIDDEN || page_read(&p)) { /* he stays signed in, so he keeps his navigation */
        page_error(&p, e);
    }
}

/* An address with an invalid part does not exist. */
void page_invalid(struct http_request *req, struct http_response *resp, const struct http_parameter *parameter)
{
    page_http_error(req, resp, http_variable(req, parameter->name) ? 404 : 400, NULL);
}

static const char *device_cookie(const struct page *p)
{
    return p->req->secure ? "__Host-retwis_device" : "retwis_device";
}

const char *page_device(const struct page *p)
{
    return http_cookie(p->req, device_cookie(p));
}

void page_set_device(struct page *p, const char *cookie)
{
    http_set_cookie(p->req, p->resp, device_cookie(p), cookie, DEVICE_SECONDS);
}
