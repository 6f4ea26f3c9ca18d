/* test_social_actions.c - the table of actions, row by row: each is tried by nobody, by a stranger, by the owner, by an
 * administrator and by the command line, and then once more than its limit allows. Exactly those may act whom the row
 * names, and a refused action has changed no key.
 */
#include "social_case.h"

#include "social/core/action.h"
#include "social/core/site.h"
#include "social/people/apart.h"
#include "social/people/app.h"
#include "social/notices/marker.h"
#include "social/notices/notice.h"
#include "social/notices/talk.h"
#include "social/people/endorse.h"
#include "social/people/filter.h"
#include "social/people/follow.h"
#include "social/people/interest.h"
#include "social/people/invite.h"
#include "social/people/remark.h"
#include "social/people/request.h"
#include "social/people/session.h"
#include "social/people/sign_in.h"
#include "social/people/sign_up.h"
#include "social/people/token.h"
#include "social/posts/boost.h"
#include "social/posts/edit.h"
#include "social/posts/featured.h"
#include "social/posts/publish.h"
#include "social/posts/quiet.h"
#include "social/posts/react.h"
#include "social/timelines/fanout.h"
#include "social/timelines/list.h"
#include "social/timelines/suggested.h"

#define NEW_PASSWORD "quite another one of these"

static const char *const networks[] = {"192.0.2.1", NULL};
static const struct session_origin browser = {"a browser", "192.0.2.1", NULL, NULL};

enum person { NOBODY, STRANGER, OWNER, ADMINISTRATOR, COMMAND, PERSONS };
static const char *const persons[PERSONS] = {"nobody", "a stranger", "the owner", "an administrator",
                                             "the command line"};

/* Who acts, and what he acts upon: new for each try, but for the people, whose passwords cost too much. */
static uint64_t uids[PERSONS];
static struct {
    uint64_t post, list, victim, filter, featured;
    uint64_t marked;       /* a post that its author has favourited, put aside, boosted, pinned and muted */
    uint64_t own[PERSONS]; /* a post of each */
    uint64_t talk;         /* of the owner's */
    const char *name, *session, *cookie;
    struct app app;
} thing;
static unsigned tries;

static uint64_t member(const char *name)
{
    struct sign_up form = {.name = name, .password = KNOWN_PASSWORD, .password2 = KNOWN_PASSWORD};
    uint64_t uid = 0;
    assert_int_equal(user_sign_up(social, arena, as_command(), &form, &uid, NULL, none()), ERR_OK);
    return uid;
}

static const struct actor *actor_of(enum person who, enum action what)
{
    if (who == NOBODY) {
        return as_nobody(networks);
    }
    struct actor *by = arena_alloc(arena, sizeof(*by));
    if (who == COMMAND) { /* upon what is somebody's own, in his name */
        bool in_name = action_info(what)->who == WHO_MEMBER && action_info(what)->upon != UPON_OWN_SEEN;
        *by = actor_command("test", in_name ? uids[OWNER] : 0);
    } else {
        *by = *as(uids[who]);
        by->is_admin = who == ADMINISTRATOR;
        by->networks = networks;
    }
    return by;
}

/* --- each action once ---------------------------------------------------------------------------------------------- */

static enum err act_post_create(const struct actor *by, struct problems *p)
{
    struct post_draft draft = {.text = "words"};
    struct fanout_wave *wave = NULL;
    uint64_t id;
    enum err e = post_create(social, arena, by, &draft, &id, &wave, p);
    fanout_wait(wave);
    return e;
}

static enum err act_post_delete(const struct actor *by, struct problems *p)
{
    return post_delete(social, arena, by, thing.post, p);
}

static enum err act_post_edit(const struct actor *by, struct problems *p)
{
    const struct post_draft draft = {.text = arena_printf(arena, "words %u", tries)};
    return post_edit(social, arena, by, thing.post, &draft, p);
}

static enum err act_favourite(const struct actor *by, struct problems *p)
{
    return post_favourite(social, arena, by, thing.post, true, p);
}

static enum err act_unfavourite(const struct actor *by, struct problems *p)
{
    return post_favourite(social, arena, by, thing.marked, false, p);
}

static enum err act_bookmark(const struct actor *by, struct problems *p)
{
    return post_bookmark(social, arena, by, thing.post, true, p);
}

static enum err act_unbookmark(const struct actor *by, struct problems *p)
{
    return post_bookmark(social, arena, by, thing.marked, false, p);
}

static enum err boost(const struct actor *by, uint64_t id, bool on, struct problems *p)
{
    struct fanout_wave *wave;
    enum err e = post_boost(social, arena, by, id, on, &wave, p);
    fanout_wait(wave);
    return e;
}

static enum err act_boost(const struct actor *by, struct problems *p)
{
    return boost(by, thing.post, true, p);
}

static enum err act_unboost(const struct actor *by, struct problems *p)
{
    return boost(by, thing.marked, false, p);
}

static enum err act_pin(const struct actor *by, struct problems *p)
{
    unsigned who = 0;
    while (who + 1 < PERSONS && uids[who] != by->uid) {
        who++;
    }
    return post_pin(social, arena, by, thing.own[who], true, p);
}

static enum err act_unpin(const struct actor *by, struct problems *p)
{
    return post_pin(social, arena, by, thing.marked, false, p);
}

static enum err act_post_mute(const struct actor *by, struct problems *p)
{
    return post_mute(social, arena, by, thing.post, true, p);
}

static enum err act_post_unmute(const struct actor *by, struct problems *p)
{
    return post_mute(social, arena, by, thing.marked, false, p);
}

static enum err follow(const struct actor *by, bool on, struct problems *p)
{
    struct follow_item item = {.name = thing.name};
    return follow_many(social, arena, by, on, &item, 1, p);
}

static enum err act_follow(const struct actor *by, struct problems *p)
{
    return follow(by, true, p);
}

static enum err act_unfollow(const struct actor *by, struct problems *p)
{
    return follow(by, false, p);
}

static enum err act_block(const struct actor *by, struct problems *p)
{
    return apart_block(social, arena, by, &(struct follow_item){.name = thing.name}, p);
}

static enum err act_unblock(const struct actor *by, struct problems *p)
{
    return apart_unblock(social, arena, by, &(struct follow_item){.name = thing.name}, p);
}

static enum err act_mute(const struct actor *by, struct problems *p)
{
    const struct apart_mute how = {.notifications = true};
    return apart_mute(social, arena, by, &(struct follow_item){.name = thing.name}, &how, p);
}

static enum err act_unmute(const struct actor *by, struct problems *p)
{
    return apart_unmute(social, arena, by, &(struct follow_item){.name = thing.name}, p);
}

static enum err act_remove(const struct actor *by, struct problems *p)
{
    return apart_remove(social, arena, by, &(struct follow_item){.name = thing.name}, p);
}

static enum err act_endorse(const struct actor *by, struct problems *p)
{
    return endorse_set(social, arena, by, &(struct follow_item){.name = thing.name}, true, p);
}

static enum err act_unendorse(const struct actor *by, struct problems *p)
{
    return endorse_set(social, arena, by, &(struct follow_item){.name = thing.name}, false, p);
}

static enum err act_remark(const struct actor *by, struct problems *p)
{
    return remark_set(social, arena, by, &(struct follow_item){.name = thing.name}, "somebody", p);
}

static enum err act_unsuggest(const struct actor *by, struct problems *p)
{
    static uint64_t others; /* who was dismissed already is not counted */
    return suggested_dismiss(social, arena, by, by->uid + 1000 + ++others, p);
}

static enum err act_answer(const struct actor *by, bool grants, struct problems *p)
{
    struct follow_item item = {.name = thing.name};
    enum err e = request_answer(social, arena, by, grants, &item, 1, p);
    assert_int_equal(e == ERR_OK && by->uid == uids[OWNER], e == ERR_OK && item.result == FOLLOW_CHANGED);
    return e;
}

static enum err act_accept(const struct actor *by, struct problems *p)
{
    return act_answer(by, true, p);
}

static enum err act_reject(const struct actor *by, struct problems *p)
{
    return act_answer(by, false, p);
}

static enum err act_lock(const struct actor *by, struct problems *p)
{
    return request_lock(social, arena, by, true, p);
}

static enum err act_filter_add(const struct actor *by, struct problems *p)
{
    struct filter f = {.title = arena_printf(arena, "word %u", tries), .places = 1};
    return filter_add(social, arena, by, &f, p);
}

static enum err act_filter_set(const struct actor *by, struct problems *p)
{
    struct filter f = {
        .id = thing.filter, .title = arena_printf(arena, "set %u", tries), .places = 1, .value = "he:0:mine"};
    return filter_set(social, arena, by, &f, p);
}

static enum err act_filter_remove(const struct actor *by, struct problems *p)
{
    return filter_remove(social, arena, by, thing.filter, p);
}

static enum err act_list_create(const struct actor *by, struct problems *p)
{
    uint64_t id;
    return list_create(social, arena, by, arena_printf(arena, "made %u", tries), &id, p);
}

static enum err act_list_set(const struct actor *by, struct problems *p)
{
    return list_set(social, arena, by, thing.list, tries % 2, LIST_REPLIES_NONE, p);
}

static enum err act_list_rename(const struct actor *by, struct problems *p)
{
    return list_rename(social, arena, by, thing.list, arena_printf(arena, "named %u", tries), p);
}

static enum err act_list_delete(const struct actor *by, struct problems *p)
{
    (void)p;
    return list_delete(social, arena, by, thing.list);
}

static enum err change_list(const struct actor *by, bool on, struct problems *p)
{
    struct follow_item item = {.name = thing.name};
    return list_change_members(social, arena, by, thing.list, on, &item, 1, p);
}

static enum err act_list_add(const struct actor *by, struct problems *p)
{
    return change_list(by, true, p);
}

static enum err act_list_remove(const struct actor *by, struct problems *p)
{
    return change_list(by, false, p);
}

static enum err act_notice_read(const struct actor *by, struct problems *p)
{
    (void)p;
    return notice_read(social, arena, by, tries);
}

static enum err act_notice_dismiss(const struct actor *by, struct problems *p)
{
    (void)p;
    return notice_dismiss(social, arena, by, notice_group(arena, NOTICE_FAVOURITE, thing.post), tries);
}

static enum err act_notice_clear(const struct actor *by, struct problems *p)
{
    (void)p;
    return notice_clear(social, arena, by, tries);
}

static enum err act_talk_mark(const struct actor *by, struct problems *p)
{
    (void)p;
    return talk_mark(social, arena, by, thing.talk, tries % 2);
}

static enum err act_talk_dismiss(const struct actor *by, struct problems *p)
{
    (void)p;
    return talk_dismiss(social, arena, by, thing.talk);
}

static enum err act_marker_set(const struct actor *by, struct problems *p)
{
    struct markers m = {.of = {[MARKER_HOME] = {.last = 1}, [MARKER_NOTICES] = {.last = 1}}};
    (void)p;
    return marker_set(social, arena, by, &m);
}

static enum err act_sign_up(const struct actor *by, struct problems *p)
{
    const char *name = arena_printf(arena, "newcomer_%u", tries);
    struct sign_up form = {.name = name, .password = KNOWN_PASSWORD, .password2 = KNOWN_PASSWORD, .origin = &browser};
    struct session_cookies cookies;
    uint64_t uid;
    return user_sign_up(social, arena, by, &form, &uid, &cookies, p);
}

static enum err act_sign_in(const struct actor *by, struct problems *p)
{
    struct sign_in form = {.name = "the_owner", .password = KNOWN_PASSWORD, .origin = browser};
    struct session_cookies cookies;
    return sign_in(social, arena, by, &form, &cookies, p);
}

static enum err act_sign_out(const struct actor *by, struct problems *p)
{
    (void)p;
    return session_sign_out(social, arena, by, thing.cookie);
}

static enum err act_session_end(const struct actor *by, struct problems *p)
{
    size_t ended;
    (void)p;
    enum err e = session_end(social, arena, by, thing.session, &ended);
    assert_int_equal(e == ERR_OK && by->uid == uids[OWNER], e == ERR_OK && ended == 1); /* nobody else's */
    return e;
}

static enum err act_password(const struct actor *by, struct problems *p)
{
    struct password_change change = {
        .name = "x", .old = KNOWN_PASSWORD, .password = NEW_PASSWORD, .password2 = NEW_PASSWORD};
    enum err e = session_change_password(social, arena, by, &change, p);
    if (e == ERR_OK) {
        const struct actor back = actor_command("test", by->uid);
        change.password = change.password2 = KNOWN_PASSWORD;
        assert_int_equal(session_change_password(social, arena, &back, &change, p), ERR_OK);
    }
    return e;
}

/* Another tag each time. */
static enum err act_tag_follow(const struct actor *by, struct problems *p)
{
    return interest_change(social, arena, by, arena_printf(arena, "tag%u", tries), true, p);
}

static enum err act_tag_unfollow(const struct actor *by, struct problems *p)
{
    return interest_change(social, arena, by, "unfollowed", false, p);
}

/* Another tag each time, which goes again: there is room for few. */
static enum err act_feature(const struct actor *by, struct problems *p)
{
    struct featured_tag made;
    enum err e = featured_add(social, arena, by, arena_printf(arena, "tag%u", tries), &made, p);
    if (e == ERR_OK) {
        const struct actor back = actor_command("test", by->uid);
        assert_int_equal(featured_remove(social, arena, &back, made.id, p), ERR_OK);
    }
    return e;
}

static enum err act_unfeature(const struct actor *by, struct problems *p)
{
    return featured_remove(social, arena, by, thing.featured, p);
}

static enum err act_profile(const struct actor *by, struct problems *p)
{
    return user_edit(social, arena, by, &(struct user_profile){arena_printf(arena, "shown %u", tries), "", NULL}, p);
}

static enum err act_preferences(const struct actor *by, struct problems *p)
{
    const char *words[PREFERENCES] = {[PREFERENCE_VISIBILITY] = tries % 2 ? "private" : "unlisted"};
    return user_prefer(social, arena, by, words, p);
}

static enum err act_user_delete(const struct actor *by, struct problems *p)
{
    (void)p;
    return user_delete(social, arena, by, thing.victim);
}

static enum err act_user_admin(const struct actor *by, struct problems *p)
{
    (void)p;
    return user_set_admin(social, arena, by, thing.victim, true);
}

static enum err act_user_state(const struct actor *by, struct problems *p)
{
    (void)p;
    return user_set_state(social, arena, by, thing.victim, USER_STATE_LIMITED);
}

static enum err act_invite_create(const struct actor *by, struct problems *p)
{
    char code[SECRET_TOKEN_SIZE];
    (void)p;
    return invite_create(social, arena, by, 1, 7, code);
}

static enum err new_app(const struct actor *by, struct app *app, struct problems *p)
{
    const struct app_form form = {.name = "an app", .redirects = APP_OUT_OF_BAND};
    const char *secret;
    return app_create(social, arena, by, &form, app, &secret, p);
}

static enum err act_app_create(const struct actor *by, struct problems *p)
{
    struct app app;
    return new_app(by, &app, p);
}

static enum err act_app_token(const struct actor *by, struct problems *p)
{
    struct token_made made;
    return token_create_own(social, arena, by, &(struct token_grant){.app = &thing.app}, &made, p);
}

static enum err act_app_allow(const struct actor *by, struct problems *p)
{
    struct token_made made;
    (void)p;
    return token_create(social, arena, by, &(struct token_grant){.app = &thing.app, .scopes = 1}, &made);
}

static enum err act_app_end(const struct actor *by, struct problems *p)
{
    (void)p;
    return app_end(social, arena, by, thing.app.id);
}

static enum err act_token_end(const struct actor *by, struct problems *p)
{
    size_t ended;
    (void)p;
    return token_end(social, arena, by, "a hash", &ended);
}

static enum err act_token_revoke(const struct actor *by, struct problems *p)
{
    (void)p;
    return token_revoke(social, arena, by, "no token", 0);
}

static enum err act_site_set(const struct actor *by, struct problems *p)
{
    char why[256] = "";
    (void)p;
    return site_set(settings, by, "site.name", "another name", why, sizeof(why));
}

static enum err (*const acts[ACTION_COUNT])(const struct actor *by, struct problems *p) = {
    [ACTION_POST_CREATE] = act_post_create,
    [ACTION_POST_DELETE] = act_post_delete,
    [ACTION_POST_EDIT] = act_post_edit,
    [ACTION_FAVOURITE] = act_favourite,
    [ACTION_UNFAVOURITE] = act_unfavourite,
    [ACTION_BOOKMARK] = act_bookmark,
    [ACTION_UNBOOKMARK] = act_unbookmark,
    [ACTION_BOOST] = act_boost,
    [ACTION_UNBOOST] = act_unboost,
    [ACTION_PIN] = act_pin,
    [ACTION_UNPIN] = act_unpin,
    [ACTION_POST_MUTE] = act_post_mute,
    [ACTION_POST_UNMUTE] = act_post_unmute,
    [ACTION_FOLLOW] = act_follow,
    [ACTION_UNFOLLOW] = act_unfollow,
    [ACTION_TAG_FOLLOW] = act_tag_follow,
    [ACTION_TAG_UNFOLLOW] = act_tag_unfollow,
    [ACTION_FEATURE] = act_feature,
    [ACTION_UNFEATURE] = act_unfeature,
    [ACTION_BLOCK] = act_block,
    [ACTION_UNBLOCK] = act_unblock,
    [ACTION_MUTE] = act_mute,
    [ACTION_UNMUTE] = act_unmute,
    [ACTION_REMOVE] = act_remove,
    [ACTION_ENDORSE] = act_endorse,
    [ACTION_UNENDORSE] = act_unendorse,
    [ACTION_REMARK] = act_remark,
    [ACTION_UNSUGGEST] = act_unsuggest,
    [ACTION_ACCEPT] = act_accept,
    [ACTION_REJECT] = act_reject,
    [ACTION_LOCK] = act_lock,
    [ACTION_FILTER_ADD] = act_filter_add,
    [ACTION_FILTER_SET] = act_filter_set,
    [ACTION_FILTER_REMOVE] = act_filter_remove,
    [ACTION_LIST_CREATE] = act_list_create,
    [ACTION_LIST_RENAME] = act_list_rename,
    [ACTION_LIST_SET] = act_list_set,
    [ACTION_LIST_DELETE] = act_list_delete,
    [ACTION_LIST_ADD] = act_list_add,
    [ACTION_LIST_REMOVE] = act_list_remove,
    [ACTION_NOTICE_READ] = act_notice_read,
    [ACTION_NOTICE_DISMISS] = act_notice_dismiss,
    [ACTION_TALK_MARK] = act_talk_mark,
    [ACTION_TALK_DISMISS] = act_talk_dismiss,
    [ACTION_MARKER_SET] = act_marker_set,
    [ACTION_NOTICE_CLEAR] = act_notice_clear,
    [ACTION_SIGN_UP] = act_sign_up,
    [ACTION_SIGN_IN] = act_sign_in,
    [ACTION_SIGN_OUT] = act_sign_out,
    [ACTION_SESSION_END] = act_session_end,
    [ACTION_PASSWORD] = act_password,
    [ACTION_PROFILE] = act_profile,
    [ACTION_PREFERENCES] = act_preferences,
    [ACTION_USER_DELETE] = act_user_delete,
    [ACTION_USER_ADMIN] = act_user_admin,
    [ACTION_USER_STATE] = act_user_state,
    [ACTION_INVITE_CREATE] = act_invite_create,
    [ACTION_APP_CREATE] = act_app_create,
    [ACTION_APP_TOKEN] = act_app_token,
    [ACTION_APP_ALLOW] = act_app_allow,
    [ACTION_APP_END] = act_app_end,
    [ACTION_TOKEN_END] = act_token_end,
    [ACTION_TOKEN_REVOKE] = act_token_revoke,
    [ACTION_SITE_SET] = act_site_set,
};

/* --- the data ------------------------------------------------------------------------------------------------------ */

static void new_thing(void)
{
    const struct actor owner = actor_command("test", uids[OWNER]);
    struct post_draft draft = {.text = "mine"};
    struct fanout_wave *wave;
    struct session_cookies cookies;
    char hash[SECRET_HASH_SIZE];
    uint64_t uid;
    tries++;
    thing.name = name_in(20 + tries % 900, tries / 900);
    thing.victim = person(thing.name);
    assert_int_equal(post_create(social, arena, &owner, &draft, &thing.post, &wave, none()), ERR_OK);
    fanout_wait(wave);
    assert_int_equal(post_create(social, arena, &owner, &draft, &thing.marked, &wave, none()), ERR_OK);
    fanout_wait(wave);
    assert_int_equal(post_favourite(social, arena, &owner, thing.marked, true, none()), ERR_OK);
    assert_int_equal(post_bookmark(social, arena, &owner, thing.marked, true, none()), ERR_OK);
    assert_int_equal(boost(&owner, thing.marked, true, none()), ERR_OK);
    ask(id_bucket(uids[OWNER]), "DEL", key_id(arena, KEY_PINS, uids[OWNER]), NULL,
        NULL); /* those of the tries before */
    assert_int_equal(post_pin(social, arena, &owner, thing.marked, true, none()), ERR_OK);
    thing.own[OWNER] = thing.own[COMMAND] = thing.post;
    for (unsigned who = STRANGER; who <= ADMINISTRATOR; who += ADMINISTRATOR - STRANGER) {
        thing.own[who] = put_post(uids[who], clock_site_ms() - tries);
    }
    const struct actor victim = actor_command("test", thing.victim);
    struct follow_item asks = {.name = "the_owner"};
    assert_int_equal(request_lock(social, arena, &owner, true, none()), ERR_OK);
    assert_int_equal(follow_many(social, arena, &victim, true, &asks, 1, none()), ERR_OK);
    assert_int_equal(asks.result, FOLLOW_ASKED);
    assert_int_equal(post_mute(social, arena, &owner, thing.marked, true, none()), ERR_OK);
    assert_int_equal(interest_change(social, arena, &owner, "unfollowed", true, none()), ERR_OK);
    struct filter f = {.title = "mine", .places = 1};
    ask(id_bucket(uids[OWNER]), "DEL", key_id(arena, KEY_FILTERS, uids[OWNER]), NULL, NULL);
    assert_int_equal(filter_add(social, arena, &owner, &f, none()), ERR_OK);
    thing.filter = f.id;
    struct featured_tag shown;
    ask(id_bucket(uids[OWNER]), "DEL", key_id(arena, KEY_FEATURED, uids[OWNER]), NULL, NULL);
    assert_int_equal(featured_add(social, arena, &owner, "shown", &shown, none()), ERR_OK);
    thing.featured = shown.id;
    assert_int_equal(list_create(social, arena, &owner, "mine", &thing.list, none()), ERR_OK);
    assert_int_equal(session_create(social, arena, uids[OWNER], NULL, &browser, &cookies), ERR_OK);
    thing.cookie = arena_dup(arena, cookies.session);
    assert_true(session_parse(thing.cookie, &uid, hash));
    thing.session = arena_dup(arena, hash);
    const struct post_draft note = {.text = "to myself", .visibility = "direct"};
    struct post direct = {.author.id = uids[OWNER]};
    assert_int_equal(post_create(social, arena, &owner, &note, &direct.id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    thing.talk = talk_of_post(arena, &direct);
    const struct actor registrar = actor_command("test", 0);
    assert_int_equal(new_app(&registrar, &thing.app, none()), ERR_OK);
}

static int compare_keys(const void *x, const void *y)
{
    return strcmp(store_text(x), store_text(y));
}

/* All that there is, but for counters of limits: one text that changes with any of it. (The engine's digest, because
 * DUMP shows sets and hashes in an order that reading them may change.) */
static const char *fingerprint(void)
{
    const struct store_reply *keys = ask(0, "KEYS", "*", NULL, NULL);
    qsort(keys->items, keys->count, sizeof(*keys->items), compare_keys);
    const char **words = arena_alloc(arena, (keys->count + 2) * sizeof(*words));
    size_t n = 2;
    words[0] = "DEBUG";
    words[1] = "DIGEST-VALUE";
    for (size_t i = 0; i < keys->count; i++) {
        struct key_parts parts;
        words[n] = store_text(&keys->items[i]);
        assert_true(key_parse(words[n], &parts));
        n += parts.key != KEY_LIMIT && parts.key != KEY_RATE;
    }
    struct store_batch *batch = new_batch();
    store_command_v(batch, 0, n, words);
    assert_int_equal(store_run(batch), ERR_OK);
    const struct store_reply *digests = store_reply(batch, 0);
    assert_int_equal(digests->count, n - 2);
    struct buffer all = buffer_make(arena);
    for (size_t i = 0; i < digests->count; i++) {
        buffer_printf(&all, "%s %s\n", words[i + 2], store_text(&digests->items[i]));
    }
    return buffer_string(&all);
}

/* The first key, with its digest, in which two of these texts differ. */
static const char *difference(const char *before, const char *after)
{
    size_t line = 0;
    for (size_t i = 0; before[i] == after[i] && before[i] != '\0'; i++) {
        line = before[i] == '\n' ? i + 1 : line;
    }
    return arena_printf(arena, "\n%.*s\n%.*s", (int)strcspn(before + line, "\n"), before + line,
                        (int)strcspn(after + line, "\n"), after + line);
}

/* --- who may ------------------------------------------------------------------------------------------------------- */

static enum err expected(enum action what, enum person who)
{
    const struct action_info *info = action_info(what);
    if (info->who == WHO_ANYONE || who == COMMAND) {
        return ERR_OK;
    }
    if (who == NOBODY) {
        return ERR_UNAUTHORIZED;
    }
    if (info->who == WHO_ADMINISTRATOR) {
        return who == ADMINISTRATOR ? ERR_OK : ERR_FORBIDDEN;
    }
    switch (info->upon) {
    case UPON_OWN:
        return who == OWNER ? ERR_OK : ERR_NOT_FOUND;
    case UPON_OWN_WORDS:
        return who == OWNER ? ERR_OK : ERR_FORBIDDEN;
    case UPON_OWN_SEEN:
        return who == STRANGER ? ERR_FORBIDDEN : ERR_OK;
    default:
        return ERR_OK;
    }
}

static void begin_people(void)
{
    config.session.per_user = 1000;
    config.session.idle_days = config.session.lifetime_days = 30;
    uids[OWNER] = member("the_owner");
    uids[STRANGER] = member("the_stranger");
    uids[ADMINISTRATOR] = member("the_admin");
    assert_int_equal(user_set_admin(social, arena, as_command(), uids[ADMINISTRATOR], true), ERR_OK);
}

static void test_who_may(void **state)
{
    (void)state;
    begin_people();
    for (unsigned what = 0; what < ACTION_COUNT; what++) {
        assert_non_null(acts[what]);
        for (unsigned who = 0; who < PERSONS; who++) {
            new_thing();
            const char *before = fingerprint();
            enum err wanted = expected(what, who), e = acts[what](actor_of(who, what), none());
            if (e != wanted) {
                fail_msg("%s by %s: %s, not %s", action_info(what)->name, persons[who], err_info(e)->name,
                         err_info(wanted)->name);
            }
            const char *after = fingerprint();
            if (e != ERR_OK && strcmp(before, after) != 0) {
                fail_msg("%s by %s is refused, but something has been written: %s", action_info(what)->name,
                         persons[who], difference(before, after));
            }
        }
    }
}

/* --- how often ----------------------------------------------------------------------------------------------------- */

static void limit_all(void)
{
    const struct config_limit once = {.count = 1, .seconds = 3600};
    config.limits.enabled = true;
    config.limits.network_56 = config.limits.network_48 = 1;
    config.limits.sign_in = config.limits.sign_up = once;
    config.limits.sign_in_account = config.limits.sign_in_device = (struct config_limit){.count = 100, .seconds = 3600};
    config.limits.post = config.limits.delete_post = config.limits.follow = config.limits.settings = once;
    config.limits.react = config.limits.app = once;
}

static void test_how_often(void **state)
{
    (void)state;
    begin_people();
    limit_all();
    for (unsigned what = 0; what < ACTION_COUNT; what++) {
        enum person who = action_info(what)->who == WHO_ANYONE ? NOBODY : OWNER;
        bool is_limited = action_info(what)->limit != LIMIT_NONE;
        struct problems *p = none();
        for (unsigned i = 0; is_limited && i < 3; i++) {
            new_thing();
            const char *before = fingerprint();
            enum err e = acts[what](actor_of(i < 2 ? who : COMMAND, what), p);
            if (e != (i == 1 ? ERR_TOO_MANY : ERR_OK)) {
                fail_msg("%s, try %u: %s", action_info(what)->name, i, err_info(e)->name);
            }
            if (i == 1) {
                assert_in_range(p->retry_after, 3500, 3600);
                assert_string_equal(before, fingerprint());
            }
        }
        const char *limits[] = {
            key_id_text(arena, KEY_LIMIT, uids[OWNER], "follow"), key_id_text(arena, KEY_LIMIT, uids[OWNER], "react"),
            key_id_text(arena, KEY_LIMIT, uids[OWNER], "post"), key_id_text(arena, KEY_LIMIT, uids[OWNER], "settings")};
        for (unsigned i = 0; i < COUNT(limits); i++) { /* which several actions share */
            ask(id_bucket(uids[OWNER]), "DEL", limits[i], NULL, NULL);
        }
        const char *app = arena_printf(arena, "app:%s", networks[0]);
        ask(key_text_bucket(app), "DEL", key_text(arena, KEY_RATE, app), NULL, NULL);
    }
}

/* An administrator is counted as everybody, also for what lies in other buckets than his own. */
static void test_how_often_an_administrator_deletes(void **state)
{
    (void)state;
    begin_people();
    limit_all();
    assert_int_not_equal(id_bucket(uids[OWNER]), id_bucket(uids[ADMINISTRATOR]));
    const struct actor *admin = actor_of(ADMINISTRATOR, ACTION_POST_DELETE);
    for (unsigned i = 0; i < 2; i++) {
        new_thing();
        assert_int_equal(act_post_delete(admin, none()), i == 0 ? ERR_OK : ERR_TOO_MANY);
    }
    assert_int_equal(ask(id_bucket(thing.post), "EXISTS", key_id(arena, KEY_POST, thing.post), NULL, NULL)->integer, 1);
}

static const struct CMUnitTest tests[] = {
    site(test_who_may),
    site(test_how_often),
    site(test_how_often_an_administrator_deletes),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
