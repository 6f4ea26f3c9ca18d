/* statuses_write.c - writing, changing and taking back posts, and what people do with them. Connection threads.
 *
 * Every answer shows the post as the caller sees it after the change. It is read in the last round trip of the change
 * (people/shown.h); a new post, of which nobody has had time to think, is not read at all.
 */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "config/settings.h"
#include "social/people/app.h"
#include "social/people/preference.h"
#include "social/people/shown.h"
#include "social/people/token.h"
#include "social/people/visit_numbers.h"
#include "social/posts/boost.h"
#include "social/posts/edit.h"
#include "social/posts/post.h"
#include "social/posts/post_act.h"
#include "social/posts/post_pick.h"
#include "social/posts/publish.h"
#include "social/posts/react.h"
#include "social/timelines/fanout.h"

#define KEY_PLAIN 64 /* bytes of an idempotency key; a longer one is known by its hash */
#define TEXT_BYTES (64 * 1024)

static void wait_for_followers(void *wave)
{
    fanout_wait(wave);
}

/* The post as its author sees it after the change, read in the round trip of the change. */
struct shown_status {
    struct shown shown; /* first */
    const struct post_picked *picked;
};

static void ask_status(struct shown *self, struct visit *v, uint64_t id)
{
    visit_want_numbers(v);
    ((struct shown_status *)self)->picked = post_pick_ask(v, &id, 1);
}

static struct shown_status show_status(const struct api *c)
{
    return (struct shown_status){.shown = {.verified = c->visit, .ask = ask_status}};
}

/* The post as the caller sees it now; `original`: of a boost, what it boosts. The path's, where it is gone again. */
static void answer_status(struct api *c, const struct shown_status *read, uint64_t id, bool original)
{
    bool is_read = read && read->shown.is_read && read->picked->count;
    const struct post *post = is_read ? &read->picked->posts[0] : NULL;
    if (!post) { /* nothing was changed, or it could not be read */
        c->visit = visit_again(c->visit);
        visit_want_numbers(c->visit);
        post = api_pick_first(c, (const uint64_t[]){id, api_id(c)}, api_id(c) && api_id(c) != id ? 2 : 1);
    }
    if (post) {
        api_answer(c, api_post_json(c, original && post->boosted ? post->boosted : post));
    }
}

/* --- writing ------------------------------------------------------------------------------------------------------- */

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* What the site cannot do yet must not be published without it. NULL: nothing of that. */
static const char *unknown_wish(const struct api *c)
{
    size_t count;
    const char *const *media = api_texts(c, "media_ids", &count);
    for (size_t i = 0; i < count; i++) {
        if (*media[i]) {
            return "Validation failed: there is no such file";
        }
    }
    api_texts(c, "poll[options]", &count);
    if (count) {
        return "Validation failed: there are no polls here";
    }
    return *or_empty(api_text(c, "scheduled_at")) ? "Validation failed: posts cannot wait here" : NULL;
}

/* The language that is named, unless it is none; else what he mostly writes in, else the site's. */
static const char *draft_language(const struct api *c)
{
    const char *sent = or_empty(api_text(c, "language"));
    if (*sent && draft_is_language(sent)) {
        return sent;
    }
    const char *own = preference_of(c->viewer.preferred, PREFERENCE_LANGUAGE);
    if (*own) {
        return own;
    }
    const struct settings *settings = settings_get(c->site->settings);
    const char *site = arena_dup(c->arena, settings->default_locale);
    settings_release(c->site->settings, settings);
    return draft_is_language(site) ? site : "";
}

/* What is sent, else what he mostly says. */
static enum draft_sensitive draft_sensitive(const struct api *c)
{
    bool is_sensitive = api_bool(c, "sensitive", preference_is_on(c->viewer.preferred, PREFERENCE_SENSITIVE));
    return is_sensitive ? DRAFT_SENSITIVE_YES : DRAFT_SENSITIVE_NO;
}

static const char *request_key(const struct api *c)
{
    const char *key = http_header_in(c->req, "idempotency-key");
    if (!key || strlen(key) <= KEY_PLAIN) {
        return key;
    }
    char *hash = arena_alloc(c->arena, SECRET_HASH_SIZE);
    secret_hash(key, hash);
    return hash;
}

static struct post_draft draft_of(const struct api *c)
{
    const struct token *token = visit_app(c->visit);
    const char *visibility = or_empty(api_text(c, "visibility"));
    return (struct post_draft){.text = or_empty(api_text(c, "status")),
                               .reply_to = id_parse(or_empty(api_text(c, "in_reply_to_id"))),
                               .request_key = request_key(c),
                               .app = token ? app_signature(c->arena, token->app_name, token->app_website) : NULL,
                               .visibility =
                                   *visibility ? visibility : preference_of(c->viewer.preferred, PREFERENCE_VISIBILITY),
                               .spoiler = or_empty(api_text(c, "spoiler_text")),
                               .sensitive = draft_sensitive(c),
                               .language = draft_language(c)};
}

static bool is_about_reply(const struct problems *p)
{
    return p->count && strcmp(p->items[0].rule, "post_reply_gone") == 0;
}

static void refuse_words(struct api *c, enum err e, const struct problems *p)
{
    if (e == ERR_INVALID && is_about_reply(p)) {
        api_error(c, ERR_NOT_FOUND, "The post you are trying to reply to does not appear to exist.");
    } else {
        api_refuse(c, e, p);
    }
}

/* A post that was made now: all that is to be known of it is that. Of an answer it is not: its conversation may be muted. */
static bool answer_new(struct api *c, uint64_t id, const struct user_numbers *numbers)
{
    struct post post;
    bool is_remembered = post_recall_whole(c->site->social, c->arena, id, &post);
    if (is_remembered) {
        post.author.numbers = numbers;
        api_answer(c, api_post_json(c, &post));
    }
    return is_remembered;
}

static void api_status_create(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct shown_status read = show_status(&c);
    const struct post_draft draft = draft_of(&c);
    const char *wish = unknown_wish(&c);
    if (wish) {
        api_error(&c, ERR_INVALID, wish);
        return;
    }
    if (!draft.reply_to && *or_empty(api_text(&c, "in_reply_to_id"))) {
        problem_add(&problems, "form", "post_reply_gone");
        refuse_words(&c, ERR_INVALID, &problems);
        return;
    }
    uint64_t id;
    struct fanout_wave *wave;
    struct user_numbers numbers;
    bool is_known = !draft.reply_to && user_numbers_recall(c.site->social, c.arena, c.viewer.id, &numbers);
    read.shown.ask = is_known ? NULL : ask_status;
    by.shown = &read.shown;
    enum err e = post_create(c.site->social, c.arena, &by, &draft, &id, &wave, &problems);
    if (e != ERR_OK) {
        refuse_words(&c, e, &problems);
        return;
    }
    http_after(req, wait_for_followers, wave);
    if (!is_known || !read.shown.is_new || !answer_new(&c, id, &numbers)) {
        answer_status(&c, &read, id, false);
    }
}

/* --- changing, taking back ----------------------------------------------------------------------------------------- */

/* The caller's own post. NULL: an error was answered. Somebody else's cannot be changed: for these endpoints it does not
 * exist. */
static const struct post *pick_own(struct api *c)
{
    const struct post *post = api_pick(c, api_id(c));
    bool is_own = post && post->author.id == c->viewer.id;
    if (post && !is_own) {
        api_error(c, ERR_NOT_FOUND, NULL);
    }
    return is_own ? post : NULL;
}

/* What is not said of language and sensitivity stays as it is. */
static void api_status_edit(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    struct post known;
    bool is_known = post_recall_whole(c.site->social, c.arena, api_id(&c), &known) && known.author.id == c.viewer.id;
    const struct post *was = is_known ? &known : pick_own(&c);
    if (!was) {
        return;
    }
    const char *wish = was->boost ? "Validation failed: a boost has no words" : unknown_wish(&c);
    if (wish) {
        api_error(&c, ERR_INVALID, wish);
        return;
    }
    struct actor by = api_actor(&c);
    struct shown_status read = show_status(&c);
    by.shown = &read.shown;
    struct problems problems = {.count = 0};
    struct post_draft draft = draft_of(&c);
    draft.language = *or_empty(api_text(&c, "language")) ? draft.language : was->language;
    draft.visibility = NULL;
    draft.sensitive = *or_empty(api_text(&c, "sensitive")) ? draft.sensitive : DRAFT_SENSITIVE_UNSAID;
    enum err e = post_edit(c.site->social, c.arena, &by, was->id, &draft, &problems);
    if (e == ERR_OK) {
        answer_status(&c, &read, was->id, false);
    } else {
        refuse_words(&c, e, &problems);
    }
}

/* Answers with what the post was, and its text, for whoever wants to write it anew. */
static void api_status_delete(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct post *was = pick_own(&c);
    if (!was) {
        return;
    }
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct fanout_wave *none;
    enum err e = was->boost ? post_boost(c.site->social, c.arena, &by, was->id, false, &none, &problems)
                            : post_delete(c.site->social, c.arena, &by, was->id, &problems);
    if (e != ERR_OK) {
        api_refuse(&c, e, &problems);
        return;
    }
    yyjson_mut_val *status = entity_status_whole(&c.entity, was);
    yyjson_mut_obj_add_str(c.entity.doc, status, "text", was->text);
    api_answer(&c, status);
}

/* --- what people do with posts ------------------------------------------------------------------------------------- */

/* Adds nothing where Mastodon's words are not known better. */
static void refuse_act(struct api *c, enum err e, const struct problems *p, bool is_pin)
{
    if (is_pin && e == ERR_FORBIDDEN) {
        api_error(c, ERR_INVALID, "Validation failed: only one's own posts that everybody may see can be pinned");
    } else if (is_pin && e == ERR_CONFLICT) {
        api_error(c, ERR_INVALID, "Validation failed: You have already pinned the maximum number of posts");
    } else {
        api_refuse(c, e, p);
    }
}

/* One of them; its name is the path's end. */
static void api_status_act(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct shown_status read = show_status(&c);
    const struct post_act *what = post_act_of(strrchr(req->path, '/') + 1); /* the routes below are in the table */
    by.shown = &read.shown;
    enum err e = what->act(c.site->social, c.arena, &by, api_id(&c), what->on, &problems);
    if (e == ERR_OK) {
        answer_status(&c, &read, api_id(&c), true);
    } else {
        refuse_act(&c, e, &problems, what->act == post_pin);
    }
}

static void api_status_reblog(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct shown_status read = show_status(&c);
    const char *word = or_empty(api_text(&c, "visibility"));
    enum visibility visibility = *word ? post_visibility_of(word) : VISIBILITY_PUBLIC;
    uint64_t boost;
    struct fanout_wave *wave;
    by.shown = &read.shown;
    enum err e = post_boost_for(c.site->social, c.arena, &by, api_id(&c), visibility, &boost, &wave, &problems);
    if (e == ERR_OK) {
        http_after(req, wait_for_followers, wave);
        answer_status(&c, &read, boost, false);
    } else {
        api_refuse(&c, e, &problems);
    }
}

/* The post may be named by the boost itself, which is gone afterwards. */
static void api_status_unreblog(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct shown_status read = show_status(&c);
    struct fanout_wave *none;
    by.shown = &read.shown;
    enum err e = post_boost(c.site->social, c.arena, &by, api_id(&c), false, &none, &problems);
    if (e == ERR_OK) {
        answer_status(&c, &read, api_id(&c), true);
    } else {
        api_refuse(&c, e, &problems);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter words[] = {
    {"status", HTTP_TEXT, 0, TEXT_BYTES, false, "text of the post"},
    {"spoiler_text", HTTP_TEXT, 0, TEXT_BYTES, false, "content warning"},
    {"sensitive", HTTP_TEXT, 0, 20, false, "true: not everybody wants to see what goes with it; a warning says so too"},
    {"language", HTTP_TEXT, 0, TEXT_BYTES, false, "of the text, as en or zh-CN"},
    {0},
};

static const struct http_parameter create_fields[] = {
    {"visibility", HTTP_TEXT, 0, 20, false,
     "public, unlisted, private (followers) or direct (whom it mentions or answers)"},
    {"in_reply_to_id", HTTP_TEXT, 0, 40, false, "id of the post that is answered"},
    {0},
};

static const struct http_parameter reblog_fields[] = {
    {"visibility", HTTP_TEXT, 0, 20, false, "public, unlisted or private"},
    {0},
};

#define STATUS "/api/v1/statuses"
#define ACT(name, scope, what)                                                                                         \
    {                                                                                                                  \
        HTTP_POST, STATUS "/:id/" name, api_status_act, WHO_MEMBER, {api_parameter_post},                              \
            .bodies = API_BODIES, .scopes = scope, .answer = "Status", .help = what                                    \
    }

/* clang-format off */
const struct http_route api_routes_statuses_write[] = {
    {HTTP_POST, STATUS, api_status_create, WHO_MEMBER, {words, create_fields}, .bodies = API_BODIES,
     .scopes = "write:statuses", .answer = "Status", .help = "writes a post; the same Idempotency-Key and words again: no second one"},
    {HTTP_PUT, STATUS "/:id", api_status_edit, WHO_MEMBER, {api_parameter_post, words}, .bodies = API_BODIES,
     .scopes = "write:statuses", .answer = "Status", .help = "changes the words of a post; what they were is kept"},
    {HTTP_DELETE, STATUS "/:id", api_status_delete, WHO_MEMBER, {api_parameter_post}, .bodies = API_BODIES,
     .scopes = "write:statuses", .answer = "Status", .help = "takes a post back; answers with what it was, and its text"},
    {HTTP_POST, STATUS "/:id/reblog", api_status_reblog, WHO_MEMBER, {api_parameter_post, reblog_fields}, .bodies = API_BODIES,
     .scopes = "write:statuses", .answer = "Status", .help = "boosts a post; answers with the boost"},
    {HTTP_POST, STATUS "/:id/unreblog", api_status_unreblog, WHO_MEMBER, {api_parameter_post}, .bodies = API_BODIES,
     .scopes = "write:statuses", .answer = "Status", .help = "takes a boost back; answers with the post"},
    ACT("favourite", "write:favourites", "favourites a post"),
    ACT("unfavourite", "write:favourites", "takes a favourite back"),
    ACT("bookmark", "write:bookmarks", "puts a post aside"),
    ACT("unbookmark", "write:bookmarks", "takes a bookmark away"),
    ACT("mute", "write:mutes", "mutes the conversation of a post: no notices of it"),
    ACT("unmute", "write:mutes", "mutes it no more"),
    ACT("pin", "write:accounts", "shows a post of one's own on top of the profile"),
    ACT("unpin", "write:accounts", "does so no more"),
    {0},
};
/* clang-format on */
