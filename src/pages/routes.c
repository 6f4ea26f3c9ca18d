/* routes.c - the table of all pages, and what the server is given. Constant data. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/panic.h"
#include "config/config.h"
#include "http/server.h"
#include "http/static.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/pages.h"
#include "social/core/social.h"
#include "social/people/follow.h"
#include "social/people/user.h"
#include "view/locale.h"
#include "view/template.h"

#define TEXT_MAX (64 * 1024) /* bytes of one field; the rules of the product are stricter */
#define NAMES_MAX (FOLLOW_BATCH_MAX * (USER_NAME_MAX + 3))

/* Cursors: ids, and the times (us) that lists of people are paged by. */
#define CURSORS                                                                                                        \
    {"max_id", HTTP_ID, 0, 0, false, "only what is older than this id"},                                               \
        {"min_id", HTTP_ID, 0, 0, false, "only what comes next after this id"},                                        \
    {                                                                                                                  \
        "since_id", HTTP_ID, 0, 0, false, "the newest, but only what is newer than this id"                            \
    }
#define TIME_CURSORS                                                                                                   \
    {"max_id", HTTP_NUMBER, 1, INT64_MAX / 2, false, "only relations older than this"},                                \
    {                                                                                                                  \
        "min_id", HTTP_NUMBER, 1, INT64_MAX / 2, false, "only relations that come next after this"                     \
    }
#define NAME                                                                                                           \
    {                                                                                                                  \
        "name", HTTP_NAME, 1, USER_NAME_MAX, true, "user name"                                                         \
    }
#define ID                                                                                                             \
    {                                                                                                                  \
        "id", HTTP_ID, 0, 0, true, "id of the post"                                                                    \
    }
#define LIST                                                                                                           \
    {                                                                                                                  \
        "id", HTTP_ID, 0, 0, true, "id of the list"                                                                    \
    }
#define NEXT                                                                                                           \
    {                                                                                                                  \
        "next", HTTP_TEXT, 0, 2000, false, "path to go to afterwards"                                                  \
    }
#define CREDENTIALS                                                                                                    \
    {"username", HTTP_TEXT, 0, 1000, false, "user name"},                                                              \
    {                                                                                                                  \
        "password", HTTP_TEXT, 0, 1000, false, "password"                                                              \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        0                                                                                                              \
    }

static const struct http_parameter cursors[] = {CURSORS, END};
static const struct http_parameter name[] = {NAME, END};
static const struct http_parameter name_cursors[] = {NAME, CURSORS, END};
static const struct http_parameter name_time_cursors[] = {NAME, TIME_CURSORS, END};
static const struct http_parameter name_id_cursors[] = {NAME, ID, CURSORS, END};
static const struct http_parameter tag_cursors[] = {{"tag", HTTP_TEXT, 1, 400, true, "tag without #"}, CURSORS, END};
static const struct http_parameter sign_up[] = {CREDENTIALS,
                                                {"password2", HTTP_TEXT, 0, 1000, false, "the same again"},
                                                {"invite_code", HTTP_TEXT, 0, 100, false, "invitation"},
                                                NEXT,
                                                END};
static const struct http_parameter sign_in[] = {CREDENTIALS, NEXT, END};
static const struct http_parameter post[] = {
    {"status", HTTP_TEXT, 0, TEXT_MAX, false, "text of the post"},
    {"idempotency_key", HTTP_TEXT, 0, 64, false, "the same again: no second post"},
    {"in_reply_to_id", HTTP_ID, 0, 0, false, "the post that is answered"},
    NEXT,
    END};
static const struct http_parameter post_id[] = {ID, NEXT, END};
static const struct http_parameter names[] = {
    {"names", HTTP_TEXT, 0, NAMES_MAX, false, "user names, comma separated"}, NEXT, END};
static const struct http_parameter list_title[] = {{"title", HTTP_TEXT, 0, 4000, false, "title of the list"}, END};
static const struct http_parameter list[] = {LIST, END};
static const struct http_parameter list_cursors[] = {LIST, CURSORS, END};
static const struct http_parameter list_time_cursors[] = {LIST, TIME_CURSORS, END};
static const struct http_parameter list_rename[] = {
    LIST, {"title", HTTP_TEXT, 0, 4000, false, "title of the list"}, END};
static const struct http_parameter list_names[] = {
    LIST, {"names", HTTP_TEXT, 0, NAMES_MAX, false, "user names, comma separated"}, NEXT, END};
static const struct http_parameter profile[] = {{"display_name", HTTP_TEXT, 0, 4000, false, "name to show"},
                                                {"bio", HTTP_TEXT, 0, TEXT_MAX, false, "about oneself"},
                                                END};
static const struct http_parameter password[] = {
    {"current_password", HTTP_TEXT, 0, 1000, false, "the password until now"},
    {"password", HTTP_TEXT, 0, 1000, false, "the new password"},
    {"password2", HTTP_TEXT, 0, 1000, false, "the same again"},
    END};
static const struct http_parameter session[] = {{"id", HTTP_TEXT, 1, 64, true, "name of the session"}, END};
static const struct http_parameter locale[] = {{"locale", HTTP_TEXT, 1, 16, true, "language code"}, NEXT, END};

/* clang-format off */
static const struct http_route routes[] = {
    {HTTP_GET,  "/",                             page_landing,                HTTP_ANYONE,    NULL,              "sign in or sign up; the home timeline when signed in"},
    {HTTP_GET,  "/auth/sign_up",                 page_sign_up_form,           HTTP_ANYONE,    NULL,              "form to create an account"},
    {HTTP_POST, "/auth/sign_up",                 page_sign_up,                HTTP_ANYONE,    sign_up,           "creates an account and signs in"},
    {HTTP_GET,  "/auth/sign_in",                 page_sign_in_form,           HTTP_ANYONE,    NULL,              "form to sign in"},
    {HTTP_POST, "/auth/sign_in",                 page_sign_in,                HTTP_ANYONE,    sign_in,           "signs in"},
    {HTTP_POST, "/auth/sign_out",                page_sign_out,               HTTP_ANYONE,    NULL,              "ends this session"},
    {HTTP_GET,  "/home",                         page_home,                   HTTP_SIGNED_IN, cursors,           "own posts and those of the people followed"},
    {HTTP_GET,  "/public",                       page_public,                 HTTP_ANYONE,    cursors,           "the newest 1000 posts of the site"},
    {HTTP_GET,  "/tags/:tag",                    page_tag,                    HTTP_ANYONE,    tag_cursors,       "posts with a tag"},
    {HTTP_POST, "/posts",                        page_post_create,            HTTP_SIGNED_IN, post,              "writes a post"},
    {HTTP_POST, "/posts/:id/delete",             page_post_delete,            HTTP_SIGNED_IN, post_id,           "takes a post back"},
    {HTTP_POST, "/follow",                       page_follow_many,            HTTP_SIGNED_IN, names,             "follows many"},
    {HTTP_POST, "/unfollow",                     page_unfollow_many,          HTTP_SIGNED_IN, names,             "unfollows many"},
    {HTTP_GET,  "/@:name",                       page_profile,                HTTP_ANYONE,    name_cursors,      "a person and his posts"},
    {HTTP_GET,  "/@:name/following",             page_following,              HTTP_ANYONE,    name_time_cursors, "whom he follows"},
    {HTTP_GET,  "/@:name/followers",             page_followers,              HTTP_ANYONE,    name_time_cursors, "who follows him"},
    {HTTP_POST, "/@:name/follow",                page_follow,                 HTTP_SIGNED_IN, name,              "follows him"},
    {HTTP_POST, "/@:name/unfollow",              page_unfollow,               HTTP_SIGNED_IN, name,              "unfollows him"},
    {HTTP_GET,  "/@:name/:id",                   page_post,                   HTTP_ANYONE,    name_id_cursors,   "a post with its answers"},
    {HTTP_GET,  "/lists",                        page_lists,                  HTTP_SIGNED_IN, NULL,              "own lists of people, and a form to make one"},
    {HTTP_POST, "/lists",                        page_list_create,            HTTP_SIGNED_IN, list_title,        "makes a list"},
    {HTTP_GET,  "/lists/:id",                    page_list_timeline,          HTTP_SIGNED_IN, list_cursors,      "the posts of those on a list"},
    {HTTP_GET,  "/lists/:id/members",            page_list_members,           HTTP_SIGNED_IN, list_time_cursors, "who is on a list, and forms to change it"},
    {HTTP_POST, "/lists/:id/rename",             page_list_rename,            HTTP_SIGNED_IN, list_rename,       "gives a list another title"},
    {HTTP_POST, "/lists/:id/delete",             page_list_delete,            HTTP_SIGNED_IN, list,              "takes a list away"},
    {HTTP_POST, "/lists/:id/add",                page_list_add,               HTTP_SIGNED_IN, list_names,        "puts people on a list"},
    {HTTP_POST, "/lists/:id/remove",             page_list_remove,            HTTP_SIGNED_IN, list_names,        "takes people off a list"},
    {HTTP_GET,  "/settings",                     page_settings,               HTTP_SIGNED_IN, NULL,              "to the first page of settings"},
    {HTTP_GET,  "/settings/profile",             page_settings_profile,       HTTP_SIGNED_IN, NULL,              "form for name and bio"},
    {HTTP_POST, "/settings/profile",             page_settings_profile_save,  HTTP_SIGNED_IN, profile,           "changes name and bio"},
    {HTTP_GET,  "/settings/password",            page_settings_password,      HTTP_SIGNED_IN, NULL,              "form for a new password"},
    {HTTP_POST, "/settings/password",            page_settings_password_save, HTTP_SIGNED_IN, password,          "changes the password; ends other sessions"},
    {HTTP_GET,  "/settings/sessions",            page_settings_sessions,      HTTP_SIGNED_IN, NULL,              "where one is signed in"},
    {HTTP_POST, "/settings/sessions/revoke_others", page_settings_revoke_others, HTTP_SIGNED_IN, NULL,           "ends all other sessions"},
    {HTTP_POST, "/settings/sessions/:id/revoke", page_settings_revoke,        HTTP_SIGNED_IN, session,           "ends one session"},
    {HTTP_GET,  "/settings/language",            page_settings_language,      HTTP_SIGNED_IN, NULL,              "choice of language"},
    {HTTP_POST, "/locale",                       page_locale,                 HTTP_ANYONE,    locale,            "chooses the language"},
    {HTTP_GET,  "/about",                        page_about,                  HTTP_ANYONE,    NULL,              "the site, its rules and its version"},
    {HTTP_GET,  "/health",                       page_health,                 HTTP_MONITOR | HTTP_IN_CLEAR | HTTP_UNCOUNTED, NULL, "200 OK, or 503 when the engine cannot be reached or written"},
    {HTTP_GET,  "/metrics",                      page_metrics,                HTTP_MONITOR,   NULL,              "numbers for Prometheus: by metrics.listen, and for the addresses of metrics.allow"},
    {0},
};
/* clang-format on */

static const struct http_route *const tables[] = {routes, NULL};

struct pages *pages_open(const struct config *c, struct settings_store *settings, struct social *social, FILE *report)
{
    struct pages *p = mem_zero(1, sizeof(*p));
    p->config = c;
    p->settings = settings;
    p->social = social;
    p->started_us = clock_monotonic_us();
    static_setup(c->http.web_dir);
    p->locales = locales_load(c->http.web_dir, report);
    if (p->locales) {
        struct template_options options = {
            .directory = c->http.web_dir, .locales = p->locales, .assets_version = static_version()};
        p->templates = templates_load(&options, report);
    }
    if (!p->templates) {
        pages_close(p);
        return NULL;
    }
    return p;
}

void pages_close(struct pages *p)
{
    if (p) {
        if (p->templates) {
            templates_free(p->templates);
        }
        if (p->locales) {
            locales_free(p->locales);
        }
        free(p);
    }
}

static const unsigned char *secret_key(void *app)
{
    const struct pages *p = app;
    return social_key(p->social);
}

void pages_application(struct pages *p, struct http_application *out)
{
    *out = (struct http_application){
        .tables = tables,
        .app = p,
        .secret_key = secret_key,
        .on_error = page_http_error,
        .on_denied = page_denied,
        .on_invalid = page_invalid,
    };
}
