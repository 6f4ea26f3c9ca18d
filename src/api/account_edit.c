/* account_edit.c - oneself: the account as its owner sees it, changing it, and what he prefers. There are no pictures: one is
 * refused. Connection threads. */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "social/people/preference.h"
#include "social/people/profile_field.h"
#include "social/people/request.h"
#include "social/people/shown.h"
#include "social/people/visit_numbers.h"

/* The numbers are asked for when it is known who it is. */
static void answer_own(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const int64_t *requests = request_count_ask(c.visit);
    if (!api_read(&c)) {
        return;
    }
    visit_numbers_ask(c.visit, &c.viewer.id, 1);
    if (api_read(&c)) {
        const struct user_numbers *n = visit_numbers(c.visit, c.viewer.id);
        api_answer(&c, entity_account_own(&c.entity, &c.viewer, &n->counts, n->last_post, *requests));
    }
}

/* Oneself after a change: read in its last round trip (people/shown.h). */
struct shown_own {
    struct shown shown; /* first */
    const int64_t *requests;
};

static void ask_own_account(struct shown *self, struct visit *v, uint64_t id)
{
    visit_want_numbers(v);
    ((struct shown_own *)self)->requests = request_count_ask(v);
    visit_numbers_ask(v, &id, 1);
}

static void answer_own_changed(struct api *c, const struct shown_own *own)
{
    const struct visit *v = own->shown.visit;
    const struct user *viewer = visit_viewer(v);
    const struct user_numbers *n = visit_numbers(v, viewer->id);
    api_answer(c, entity_account_own(&c->entity, viewer, &n->counts, n->last_post, *own->requests));
}

/* --- changing ------------------------------------------------------------------------------------------------------ */

/* One part of the n-th field that was sent; NULL: it was not. Apps begin with 0, some with 1. */
static const char *sent_part(const struct api *c, unsigned n, const char *part)
{
    return api_text(c, arena_printf(c->arena, "fields_attributes[%u][%s]", n, part));
}

/* Sent without places, as fields_attributes[][name]: the n-th name goes with the n-th value. *count: how many of both. */
static size_t fields_in_order(const struct api *c, struct profile_field *fields, bool *is_sent)
{
    size_t names, values, count = 0;
    const char *const *name = api_texts(c, "fields_attributes[][name]", &names);
    const char *const *value = api_texts(c, "fields_attributes[][value]", &values);
    for (; count < PROFILE_FIELDS_MAX && (count < names || count < values); count++) {
        fields[count] = (struct profile_field){count < names ? name[count] : "", count < values ? value[count] : ""};
    }
    *is_sent = count > 0;
    return count;
}

/* The fields that were sent; NULL: none were, so they stay. */
static const struct profile_field *fields_sent(const struct api *c)
{
    struct profile_field *fields = arena_zero(c->arena, PROFILE_FIELDS_MAX * sizeof(*fields));
    bool is_sent;
    size_t count = fields_in_order(c, fields, &is_sent);
    for (unsigned n = 0; n <= PROFILE_FIELDS_MAX; n++) {
        const char *name = sent_part(c, n, "name"), *value = sent_part(c, n, "value");
        is_sent = is_sent || name || value;
        if ((name || value) && count < PROFILE_FIELDS_MAX) {
            fields[count++] = (struct profile_field){name ? name : "", value ? value : ""};
        }
    }
    for (; count < PROFILE_FIELDS_MAX; count++) {
        fields[count] = (struct profile_field){"", ""};
    }
    return is_sent ? fields : NULL;
}

/* What an account cannot have; NULL: all can be. Looked at before anything is written. */
static const char *what_cannot_be(const struct api *c, const char *const words[PREFERENCES])
{
    if (c->req->files.count || (api_text(c, "avatar") && *api_text(c, "avatar")) ||
        (api_text(c, "header") && *api_text(c, "header"))) {
        return "Validation failed: This site keeps no pictures";
    }
    if (words[PREFERENCE_VISIBILITY] && !preference_is(PREFERENCE_VISIBILITY, words[PREFERENCE_VISIBILITY])) {
        return "Validation failed: source[privacy] is public, unlisted or private";
    }
    if (words[PREFERENCE_LANGUAGE] && !preference_is(PREFERENCE_LANGUAGE, words[PREFERENCE_LANGUAGE])) {
        return "Validation failed: source[language] is none of the languages of this site";
    }
    return NULL;
}

/* Name, bio and fields, if any of them was sent. */
static enum err edit_profile(const struct api *c, const struct actor *by, struct problems *p)
{
    const char *display = api_text(c, "display_name"), *bio = api_text(c, "note");
    const struct user_profile profile = {display ? display : c->viewer.display, bio ? bio : c->viewer.bio,
                                         fields_sent(c)};
    return display || bio || profile.fields ? user_edit(c->site->social, c->arena, by, &profile, p) : ERR_OK;
}

/* yes or no for what was sent as a boolean; NULL: it was not, or is none. */
static const char *switch_sent(const struct api *c, const char *name)
{
    bool on = api_bool(c, name, false);
    return on == api_bool(c, name, true) ? preference_switch(on) : NULL;
}

static void words_sent(const struct api *c, const char *words[PREFERENCES])
{
    static const enum preference switches[] = {PREFERENCE_BOT, PREFERENCE_DISCOVERABLE, PREFERENCE_INDEXABLE,
                                               PREFERENCE_HIDE_COLLECTIONS};
    words[PREFERENCE_VISIBILITY] = api_text(c, "source[privacy]");
    words[PREFERENCE_LANGUAGE] = api_text(c, "source[language]");
    words[PREFERENCE_SENSITIVE] = switch_sent(c, "source[sensitive]");
    for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        words[switches[i]] = switch_sent(c, preference_name(switches[i]));
    }
}

static void api_update_credentials(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    struct actor by = api_actor(&c);
    struct shown_own own = {.shown = {.verified = c.visit, .ask = ask_own_account}};
    struct problems problems = {.count = 0};
    by.shown = &own.shown;
    const char *words[PREFERENCES] = {NULL};
    words_sent(&c, words);
    const char *wrong = what_cannot_be(&c, words);
    if (wrong) {
        api_http_error(req, resp, 422, wrong);
        return;
    }
    enum err e = edit_profile(&c, &by, &problems);
    e = e == ERR_OK ? user_prefer(c.site->social, c.arena, &by, words, &problems) : e;
    bool locked = api_bool(&c, "locked", c.viewer.is_locked);
    if (e == ERR_OK && locked != c.viewer.is_locked) {
        own.shown.is_read = false;
        e = request_lock(c.site->social, c.arena, &by, locked, &problems);
    }
    if (e == ERR_OK && own.shown.is_read) {
        answer_own_changed(&c, &own);
    } else if (e == ERR_OK) {
        answer_own(req, resp);
    } else {
        api_refuse(&c, e, &problems);
    }
}

/* --- preferences --------------------------------------------------------------------------------------------------- */

static void api_preferences(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_doc *doc = c.entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    const char *language = preference_of(c.viewer.preferred, PREFERENCE_LANGUAGE);
    yyjson_mut_obj_add_str(doc, o, "posting:default:visibility",
                           preference_of(c.viewer.preferred, PREFERENCE_VISIBILITY));
    yyjson_mut_obj_add_bool(doc, o, "posting:default:sensitive",
                            preference_is_on(c.viewer.preferred, PREFERENCE_SENSITIVE));
    yyjson_mut_obj_add_val(doc, o, "posting:default:language",
                           *language ? yyjson_mut_str(doc, language) : yyjson_mut_null(doc));
    yyjson_mut_obj_add_str(doc, o, "reading:expand:media", "default");
    yyjson_mut_obj_add_bool(doc, o, "reading:expand:spoilers", false);
    yyjson_mut_obj_add_bool(doc, o, "reading:autoplay:gifs", false);
    api_answer(&c, o);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_account_edit[] = {
    {HTTP_GET, "/api/v1/accounts/verify_credentials", answer_own, WHO_MEMBER, .scopes = "read:accounts profile",
     .answer = "CredentialAccount", .help = "whose token it is"},
    {HTTP_PATCH, "/api/v1/accounts/update_credentials", api_update_credentials, WHO_MEMBER, .scopes = "write:accounts",
     .bodies = API_BODIES, .answer = "CredentialAccount",
     .forgiven = "display_name note locked bot discoverable indexable hide_collections avatar header fields_attributes[0][name] "
                 "fields_attributes[0][value] source[privacy] source[sensitive] source[language]",
     .help = "changes one's name, bio, fields, lock, who is to find one, and what one prefers"},
    {HTTP_GET, "/api/v1/preferences", api_preferences, WHO_MEMBER, .scopes = "read:accounts",
     .answer = "Preferences", .help = "what one prefers"},
    {0},
};
/* clang-format on */
