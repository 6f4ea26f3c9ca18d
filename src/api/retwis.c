/* retwis.c - what Mastodon's API has no words for, below /api/retwis/v1: following many at once, whom two have in common, why
 * posts stand in one's home, numbers of the site. Connection threads.
 */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/arena.h"
#include "base/id.h"
#include "social/people/follow.h"
#include "social/people/people.h"
#include "social/people/population.h"
#include "social/people/visit_interests.h"
#include "social/posts/post_pick.h"
#include "social/posts/see.h"
#include "social/posts/tags.h"

#define BATCH_MOST 100
#define ORIGINS_MOST 40

/* Distinct ids. False: an error was answered: there is none, too many, or something else among them. */
static bool batch_ids(struct api *c, size_t most, uint64_t *ids, size_t *count)
{
    size_t sent;
    const char *const *texts = api_texts(c, "id", &sent), *wrong = NULL;
    *count = 0;
    wrong = sent == 0     ? "Validation failed: id[] is missing"
            : sent > most ? "Validation failed: too many id[] at once"
                          : NULL;
    for (size_t i = 0; i < sent && !wrong; i++) {
        uint64_t id = id_parse(texts[i]);
        size_t known = 0;
        while (known < *count && ids[known] != id) {
            known++;
        }
        ids[known] = id;
        *count += known == *count;
        wrong = id ? NULL : "Validation failed: id[] has something that is no id";
    }
    if (wrong) {
        api_http_error(c->req, c->resp, 422, wrong);
    }
    return !wrong;
}

/* --- following many ------------------------------------------------------------------------------------------------ */

static const char *batch_word(enum follow_result result, bool on)
{
    static const char *const words[] = {[FOLLOW_UNCHANGED] = "unchanged",
                                        [FOLLOW_SELF] = "self",
                                        [FOLLOW_UNKNOWN] = "unknown",
                                        [FOLLOW_REFUSED] = "refused",
                                        [FOLLOW_ASKED] = "requested"};
    return result != FOLLOW_CHANGED ? words[result] : on ? "followed" : "unfollowed";
}

/* One answer for each id, in their order; those of who is not there have no item. */
static void answer_batch(struct api *c, const uint64_t *ids, size_t count, const struct follow_item *items,
                         const size_t *places, bool on)
{
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->entity.doc, list);
        enum follow_result result = places[i] == SIZE_MAX ? FOLLOW_UNKNOWN : items[places[i]].result;
        yyjson_mut_obj_add_str(c->entity.doc, one, "id", id_text(c->arena, ids[i]));
        yyjson_mut_obj_add_str(c->entity.doc, one, "result", batch_word(result, on));
    }
    api_answer(c, list);
}

/* Those of the ids, if the process remembers all of them. */
static bool recall_batch(struct api *c, const uint64_t *ids, size_t count, struct people *out)
{
    *out = (struct people){.users = arena_alloc(c->arena, (count + 1) * sizeof(*out->users)), .count = count};
    for (size_t i = 0; i < count; i++) {
        struct user *u = &out->users[i];
        if (!user_cache_get(c->site->social, c->arena, ids[i], u)) {
            return false;
        }
        if (u->is_deleted || user_is_hidden(u, c->viewer.id)) {
            u->id = 0;
        }
    }
    return true;
}

static void change_batch(struct http_request *req, struct http_response *resp, bool on)
{
    struct api c;
    struct people found;
    struct problems problems = {.count = 0};
    struct follow_item items[BATCH_MOST];
    uint64_t ids[BATCH_MOST];
    size_t count, known = 0, places[BATCH_MOST];
    api_begin(&c, req, resp);
    if (!batch_ids(&c, BATCH_MOST, ids, &count)) {
        return;
    }
    if (!recall_batch(&c, ids, count, &found)) {
        people_ask(c.visit, ids, count, &found);
        if (!api_read(&c)) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = found.users[i].id ? known : SIZE_MAX;
        if (found.users[i].id) {
            items[known++] = (struct follow_item){.name = found.users[i].name, .uid = found.users[i].id};
        }
    }
    const struct actor by = api_actor(&c);
    enum err e = known ? follow_many(c.site->social, c.arena, &by, on, items, known, &problems) : ERR_OK;
    if (e == ERR_CONFLICT) {
        api_http_error(req, resp, 422, "Validation failed: You would follow more people than one may");
    } else if (e != ERR_OK) {
        api_refuse(&c, e, &problems);
    } else {
        answer_batch(&c, ids, count, items, places, on);
    }
}

static void retwis_follow(struct http_request *req, struct http_response *resp)
{
    change_batch(req, resp, true);
}

static void retwis_unfollow(struct http_request *req, struct http_response *resp)
{
    change_batch(req, resp, false);
}

/* --- in common ----------------------------------------------------------------------------------------------------- */

static void put_in_common(struct api *c, yyjson_mut_val *o, const char *name, const struct follow_common *shared)
{
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(c->entity.doc, o, name);
    yyjson_mut_obj_add_uint(c->entity.doc, one, "count", shared->count);
    yyjson_mut_obj_add_bool(c->entity.doc, one, "is_least", shared->is_least);
    yyjson_mut_obj_add_val(c->entity.doc, one, "accounts", api_people(c, shared->some, shared->some_count));
}

static void retwis_common(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct people found;
    api_begin(&c, req, resp);
    uint64_t id = api_id(&c);
    people_ask(c.visit, &id, 1, &found);
    const struct follow_relation *r = follow_common_ask(c.visit, &found.users[0]);
    if (!api_read(&c)) {
        return;
    }
    if (!found.users[0].id) {
        api_error(&c, ERR_NOT_FOUND, NULL);
        return;
    }
    yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
    put_in_common(&c, o, "followers", &r->common[FOLLOW_SHARED_FOLLOWERS]);
    put_in_common(&c, o, "known", &r->common[FOLLOW_SHARED_KNOWN]);
    put_in_common(&c, o, "following", &r->common[FOLLOW_SHARED_FOLLOWING]);
    api_answer(&c, o);
}

/* --- where posts came from ----------------------------------------------------------------------------------------- */

static yyjson_mut_val *add_reason(struct api *c, yyjson_mut_val *reasons, const char *kind)
{
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->entity.doc, reasons);
    yyjson_mut_obj_add_str(c->entity.doc, one, "kind", kind);
    return one;
}

static bool is_seen(const struct api *c, const struct post *p, enum see_place place)
{
    const struct filter_match *met;
    return post_sight(c->visit, p, place, &met) == SIGHT_FULL;
}

/* What brings a post into the visitor's home; nothing: it does not stand there, or he does not want it there. */
static void put_origin(struct api *c, yyjson_mut_val *reasons, const struct post *p)
{
    bool is_own = p->author.id == c->viewer.id, is_from_one = is_own || visit_follows(c->visit, p->author.id);
    if (p->visibility != VISIBILITY_DIRECT && is_from_one && is_seen(c, p, SEE_HOME)) {
        yyjson_mut_val *one = add_reason(c, reasons, p->boost ? "boost" : is_own ? "own" : "following");
        yyjson_mut_obj_add_val(c->entity.doc, one, "account", api_account(c, &p->author));
    }
    if (p->visibility == VISIBILITY_PUBLIC && !p->boost && is_seen(c, p, SEE_TAG)) {
        const char *rest = tags_of(c->arena, p->text, strlen(p->text));
        for (const char *tag; (tag = tags_next(c->arena, &rest));) {
            if (visit_is_interested(c->visit, tag)) {
                yyjson_mut_obj_add_str(c->entity.doc, add_reason(c, reasons, "tag"), "tag", tag);
            }
        }
    }
}

static void retwis_origins(struct http_request *req, struct http_response *resp)
{
    struct api c;
    uint64_t ids[ORIGINS_MOST];
    size_t count;
    api_begin(&c, req, resp);
    if (!batch_ids(&c, ORIGINS_MOST, ids, &count)) {
        return;
    }
    see_want(c.visit, SEE_HOME, true);
    visit_want_interests(c.visit);
    const struct post_picked *picked = post_pick_ask(c.visit, ids, count);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < picked->count; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c.entity.doc, list);
        yyjson_mut_obj_add_str(c.entity.doc, one, "id", id_text(c.arena, picked->posts[i].id));
        put_origin(&c, yyjson_mut_obj_add_arr(c.entity.doc, one, "reasons"), &picked->posts[i]);
    }
    api_answer(&c, list);
}

/* --- numbers ------------------------------------------------------------------------------------------------------- */

static void retwis_site(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (api_read(&c)) {
        yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
        const struct population numbers = population_read(c.site->social, c.arena);
        yyjson_mut_obj_add_int(c.entity.doc, o, "users", numbers.users);
        yyjson_mut_obj_add_int(c.entity.doc, o, "posts", numbers.posts);
        yyjson_mut_obj_add_int(c.entity.doc, o, "active_month", numbers.month);
        yyjson_mut_obj_add_str(c.entity.doc, o, "version", RETWIS_VERSION);
        api_answer(&c, o);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_retwis[] = {
    {HTTP_POST, "/api/retwis/v1/follow", retwis_follow, WHO_MEMBER, .scopes = "write:follows", .bodies = API_BODIES,
     .answer = "[Retwis_Result]", .forgiven = "id[]", .help = "follows up to 100 people at once, id[], or asks to: what came of each"},
    {HTTP_POST, "/api/retwis/v1/unfollow", retwis_unfollow, WHO_MEMBER, .scopes = "write:follows", .bodies = API_BODIES,
     .answer = "[Retwis_Result]", .forgiven = "id[]", .help = "likewise, follows them no more, or asks no more"},
    {HTTP_GET, "/api/retwis/v1/accounts/:id/common", retwis_common, WHO_MEMBER, {api_parameter_account}, .scopes = "read:follows",
     .answer = "Retwis_Common", .help = "whom one has in common with him: followers of both, followers of his whom one knows, whom both follow; some of each"},
    {HTTP_GET, "/api/retwis/v1/timelines/home/origins", retwis_origins, WHO_MEMBER, .scopes = "read:statuses",
     .answer = "[Retwis_Origin]", .forgiven = "id[]", .help = "why up to 40 posts, id[], stand in one's home; for a boost its own id"},
    {HTTP_GET, "/api/retwis/v1/site", retwis_site, WHO_ANYONE,
     .answer = "Retwis_Site", .help = "numbers of the site: people, posts, who was here in the last month"},
    {0},
};
/* clang-format on */
