/* sign_up.c - an application makes an account for somebody, and gets his first token. Connection threads.
 *
 * Registration, its limit and the rules of names and passwords are those of the page. Clients want an e-mail address and
 * a yes to the rules of the site besides; the address is looked at and not kept, because the site sends no mail.
 */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "social/people/app.h"
#include "social/people/sign_up.h"
#include "social/people/token.h"
#include "view/locale.h"
#include "view/problem_words.h"

#define DETAILS_MAX (PROBLEMS_MAX + 3)

/* What is wrong with a field: the word for programs, and the one for people. */
struct detail {
    const char *field, *error, *words;
};

struct details {
    struct detail items[DETAILS_MAX];
    unsigned count;
};

/* The word for each rule; ERR_INVALID for all others. */
static const struct {
    const char *rule, *error;
} codes[] = {
    {"username_blank", "ERR_BLANK"},       {"username_taken", "ERR_TAKEN"}, {"username_reserved", "ERR_RESERVED"},
    {"password_blank", "ERR_BLANK"},       {"invite_blank", "ERR_BLANK"},   {"password_too_short", "ERR_TOO_SHORT"},
    {"password_too_long", "ERR_TOO_LONG"},
};

static const char *error_of_rule(const char *rule)
{
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        if (strcmp(codes[i].rule, rule) == 0) {
            return codes[i].error;
        }
    }
    return "ERR_INVALID";
}

static void detail_add(struct details *d, const char *field, const char *error, const char *words)
{
    d->items[d->count++] = (struct detail){field, error, words};
}

/* What this form has beyond that of the page. */
static void check_beyond(const struct api *c, struct details *d)
{
    const char *email = api_text(c, "email"), *at = email ? strchr(email, '@') : NULL;
    if (!api_bool(c, "agreement", false)) {
        detail_add(d, "agreement", "ERR_ACCEPTED", "must be accepted");
    }
    if (!email || !*email) {
        detail_add(d, "email", "ERR_BLANK", "can't be blank");
    }
    if (!at || at == email || !at[1]) {
        detail_add(d, "email", "ERR_INVALID", "is not an e-mail address");
    }
}

static void add_problems(const struct api *c, const struct problems *p, struct details *d)
{
    const struct locale *english = locale_choose(c->site->locales, NULL, NULL, "en");
    for (unsigned i = 0; i < p->count; i++) {
        const struct problem *one = &p->items[i];
        detail_add(d, one->field, error_of_rule(one->rule), problem_words(c->arena, english, one));
    }
}

/* 422 with all of them, by field. */
static void refuse_details(struct api *c, const struct details *d)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc), *fields = yyjson_mut_obj(doc);
    struct buffer words = buffer_make(c->arena);
    buffer_text(&words, "Validation failed: ");
    for (unsigned i = 0; i < d->count; i++) {
        const struct detail *one = &d->items[i];
        yyjson_mut_val *list = yyjson_mut_obj_get(fields, one->field);
        list = list ? list : yyjson_mut_obj_add_arr(doc, fields, one->field);
        yyjson_mut_val *entry = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_str(doc, entry, "error", one->error);
        yyjson_mut_obj_add_str(doc, entry, "description", one->words);
        buffer_printf(&words, "%s%s: %s", i ? ", " : "", one->field, one->words);
    }
    yyjson_mut_obj_add_str(doc, o, "error", buffer_string(&words));
    yyjson_mut_obj_add_val(doc, o, "details", fields);
    api_answer(c, o);
    c->resp->status = 422;
}

/* The new user's token, for the application that asked. */
static void answer_newcomer(struct api *c, uint64_t uid)
{
    const struct token *asker = visit_app(c->visit);
    const struct app app = {.id = asker->app_id, .name = asker->app_name, .website = asker->app_website};
    const struct token_grant grant = {.app = &app, .scopes = asker->scopes};
    struct actor by = actor_nobody(c->req->networks, c->req->id);
    struct token_made made;
    by.kind = ACTOR_USER;
    by.uid = uid;
    enum err e = token_create(c->site->social, c->arena, &by, &grant, &made);
    if (e == ERR_OK) {
        api_answer_token(c, &made);
    } else {
        api_error(c, e, NULL);
    }
}

static void sign_up(struct api *c)
{
    const char *name = api_text(c, "username"), *password = api_text(c, "password");
    const struct sign_up form = {.name = name ? name : "",
                                 .password = password ? password : "",
                                 .password2 = password ? password : "",
                                 .invite = api_text(c, "invite_code")};
    const struct actor by = actor_nobody(c->req->networks, c->req->id); /* whoever's token it is */
    struct problems problems = {.count = 0};
    struct details details = {.count = 0};
    uint64_t uid;
    enum err e = ERR_INVALID;
    check_beyond(c, &details);
    if (details.count) {
        sign_up_check(&form, &by, &problems);
    } else {
        e = user_sign_up(c->site->social, c->arena, &by, &form, &uid, NULL, &problems);
    }
    if (e == ERR_OK) {
        answer_newcomer(c, uid);
    } else if (e == ERR_INVALID || e == ERR_TAKEN) {
        add_problems(c, &problems, &details);
        refuse_details(c, &details);
    } else if (e == ERR_FORBIDDEN) {
        api_error(c, e, NULL); /* registration is closed */
    } else {
        api_refuse(c, e, &problems);
    }
}

static void api_sign_up(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    http_header(resp, "Cache-Control", "no-store");
    if (!visit_is_known(c.visit) && !api_read(&c)) {
        return;
    }
    if (visit_app(c.visit)) {
        sign_up(&c);
    } else {
        api_error(&c, ERR_UNAUTHORIZED, NULL);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_sign_up[] = {
    {HTTP_POST, "/api/v1/accounts", api_sign_up, WHO_ANYONE, .scopes = "write:accounts", .bodies = API_BODIES, .answer = "Token",
     .forgiven = "username email password agreement locale reason invite_code",
     .help = "makes an account, by an application's own token; answers with the new user's"},
    {0},
};
/* clang-format on */
