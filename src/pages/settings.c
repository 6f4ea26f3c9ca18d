/* settings.c - what people change about themselves: profile, password, sessions. Preferences: preferences.c. Connection threads. */
#include <string.h>

#include "base/arena.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/profile_field.h"
#include "social/people/session.h"
#include "view/locale.h"

void page_settings_place(struct page *p, const char *place, const char *path)
{
    page_title(p, "title_settings", NULL, NULL);
    page_is(p, "is_settings");
    page_is(p, place);
    p->path = path;
}

static void render(struct page *p, const char *place, const char *path)
{
    page_settings_place(p, place, path);
    page_render(p, place);
}

static bool begin_settings(struct page *p, struct http_request *req, struct http_response *resp)
{
    page_begin(p, req, resp);
    return page_read(p);
}

static void page_settings(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    page_redirect(&p, "/settings/profile", NULL, NULL);
}

/* --- profile --- */

/* Name and value of the n-th field in the form. */
static const char *field_part(struct page *p, unsigned n, const char *part)
{
    return arena_printf(p->arena, "field_%u_%s", n, part);
}

static void put_part(struct page *p, yyjson_mut_val *row, unsigned n, const char *part, const char *stored)
{
    const char *id = field_part(p, n, part), *sent = http_form(p->req, id);
    yyjson_mut_val *o = yyjson_mut_obj_add_obj(p->entity.doc, row, part);
    page_put(p, o, "id", id, "text", sent ? sent : stored, "error", page_problem_of(p, id), NULL);
}

static void put_fields(struct page *p)
{
    struct profile_field stored[PROFILE_FIELDS_MAX] = {{"", ""}};
    size_t count = profile_fields_read(p->arena, p->viewer.profile_fields, stored);
    yyjson_mut_val *list = page_list(p, "profile_fields");
    for (unsigned i = 0; i < PROFILE_FIELDS_MAX; i++) {
        yyjson_mut_val *row = yyjson_mut_arr_add_obj(p->entity.doc, list);
        yyjson_mut_obj_add_uint(p->entity.doc, row, "number", i + 1);
        put_part(p, row, i + 1, "name", i < count ? stored[i].name : "");
        put_part(p, row, i + 1, "value", i < count ? stored[i].value : "");
    }
}

/* The fields that were sent; NULL if the form has none. */
static const struct profile_field *sent_fields(struct page *p)
{
    struct profile_field *fields = arena_alloc(p->arena, PROFILE_FIELDS_MAX * sizeof(*fields));
    bool is_sent = false;
    for (unsigned i = 0; i < PROFILE_FIELDS_MAX; i++) {
        fields[i] = (struct profile_field){http_form(p->req, field_part(p, i + 1, "name")),
                                           http_form(p->req, field_part(p, i + 1, "value"))};
        is_sent = is_sent || fields[i].name || fields[i].value;
    }
    return is_sent ? fields : NULL;
}

static void put_profile(struct page *p)
{
    yyjson_mut_val *limits = page_object(p, "limits");
    yyjson_mut_obj_add_int(p->entity.doc, limits, "display_name", USER_DISPLAY_MAX);
    yyjson_mut_obj_add_int(p->entity.doc, limits, "bio", USER_BIO_MAX);
    put_fields(p);
    page_preferences(p, PREFERENCE_PAGE_PROFILE);
    page_settings_place(p, "settings_profile", "/settings/profile");
}

static void page_settings_profile(struct http_request *req, struct http_response *resp)
{
    struct page p;
    if (begin_settings(&p, req, resp)) {
        const struct user *u = &p.viewer;
        page_put(&p, page_object(&p, "form"), "display_name", u->display, "bio", u->bio, NULL);
        put_profile(&p);
        page_render(&p, "settings_profile");
    }
}

static bool fill_profile(struct page *p, const char *subject)
{
    (void)subject;
    put_profile(p);
    return true;
}

static void page_settings_profile_save(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry form = {
        .template = "settings_profile", .fill = fill_profile, .asks_nothing = true, .fields = {"display_name", "bio"}};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    const struct user_profile profile = {page_field(&p, "display_name"), page_field(&p, "bio"), sent_fields(&p)};
    enum err e = user_edit(p.site->social, p.arena, &by, &profile, &problems);
    if (e == ERR_OK) {
        page_redirect(&p, "/settings/profile", "flash_profile_saved", NULL);
    } else {
        page_refuse(&p, e, &problems, &form);
    }
}

/* --- password --- */

static void page_settings_password(struct http_request *req, struct http_response *resp)
{
    struct page p;
    if (begin_settings(&p, req, resp)) {
        render(&p, "settings_password", "/settings/password");
    }
}

static bool fill_password(struct page *p, const char *subject)
{
    (void)subject;
    page_settings_place(p, "settings_password", "/settings/password");
    return true;
}

static void page_settings_password_save(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry form = {
        .template = "settings_password", .fill = fill_password, .asks_nothing = true};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    const char *device = page_device(&p);
    const struct password_change change = {.name = by.name,
                                           .old = page_field(&p, "current_password"),
                                           .password = page_field(&p, "password"),
                                           .password2 = page_field(&p, "password2"),
                                           .device = &device};
    enum err e = session_change_password(p.site->social, p.arena, &by, &change, &problems);
    if (e == ERR_OK) {
        page_set_device(&p, device);
        page_redirect(&p, "/settings/password", "flash_password_saved", NULL);
    } else {
        page_refuse(&p, e, &problems, &form);
    }
}

/* --- sessions --- */

static void page_settings_sessions(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct session_list *all = session_list_ask(p.visit);
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *list = page_list(&p, "sessions");
    for (size_t i = 0; i < all->count; i++) {
        yyjson_mut_arr_append(list, decoration_session(&p.entity, &all->sessions[i]));
    }
    yyjson_mut_obj_add_bool(p.entity.doc, p.root, "has_others", all->count > 1);
    render(&p, "settings_sessions", "/settings/sessions");
}

static void page_settings_revoke(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems none = {.count = 0};
    size_t ended;
    enum err e = session_end(p.site->social, p.arena, &by, http_variable(req, "id"), &ended);
    if (e == ERR_OK) {
        page_redirect(&p, "/settings/sessions", "flash_session_revoked", NULL);
    } else {
        page_refuse(&p, e, &none, NULL);
    }
}

static void page_settings_revoke_others(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems none = {.count = 0};
    size_t ended;
    enum err e = session_end_others(p.site->social, p.arena, &by, &ended);
    if (e == ERR_OK) {
        page_redirect(&p, "/settings/sessions", "flash_sessions_revoked", arena_printf(p.arena, "%zu", ended));
    } else {
        page_refuse(&p, e, &none, NULL);
    }
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter profile_fields[] = {
    {"display_name", HTTP_TEXT, 0, 4000, false, "name to show"},
    {"bio", HTTP_TEXT, 0, PARAMETER_TEXT_MAX, false, "about oneself"},
    {0},
};

/* As many as PROFILE_FIELDS_MAX. */
#define FIELD_PARAMETERS(n)                                                                                            \
    {"field_" n "_name", HTTP_TEXT, 0, 4000, false, "what the field is about"},                                        \
    {                                                                                                                  \
        "field_" n "_value", HTTP_TEXT, 0, 4000, false, "what it says"                                                 \
    }
static const struct http_parameter field_parameters[] = {
    FIELD_PARAMETERS("1"), FIELD_PARAMETERS("2"), FIELD_PARAMETERS("3"), FIELD_PARAMETERS("4"), {0},
};

static const struct http_parameter password_fields[] = {
    {"current_password", HTTP_TEXT, 0, 1000, false, "the password until now"},
    {"password", HTTP_TEXT, 0, 1000, false, "the new password"},
    {"password2", HTTP_TEXT, 0, 1000, false, "the same again"},
    {0},
};

static const struct http_parameter session_fields[] = {
    {"id", HTTP_TEXT, 1, 64, true, "name of the session"},
    {0},
};

/* clang-format off */
const struct http_route routes_settings[] = {
    {HTTP_GET, "/settings", page_settings, WHO_ANYONE,
     .help = "to the first page of settings"},
    {HTTP_GET, "/settings/profile", page_settings_profile, WHO_MEMBER,
     .help = "form for name, bio and fields"},
    {HTTP_POST, "/settings/profile", page_settings_profile_save, WHO_MEMBER, {profile_fields, field_parameters},
     .help = "changes name, bio and fields"},
    {HTTP_GET, "/settings/password", page_settings_password, WHO_MEMBER,
     .help = "form for a new password"},
    {HTTP_POST, "/settings/password", page_settings_password_save, WHO_MEMBER, {password_fields},
     .help = "changes the password; ends other sessions"},
    {HTTP_GET, "/settings/sessions", page_settings_sessions, WHO_MEMBER,
     .help = "where one is signed in"},
    {HTTP_POST, "/settings/sessions/revoke_others", page_settings_revoke_others, WHO_MEMBER,
     .help = "ends all other sessions"},
    {HTTP_POST, "/settings/sessions/:id/revoke", page_settings_revoke, WHO_MEMBER, {session_fields},
     .help = "ends one session"},
    {0},
};
/* clang-format on */
