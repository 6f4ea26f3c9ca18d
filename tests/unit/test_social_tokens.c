/* test_social_tokens.c - what tokens are good for and how they end; scopes; what may be registered as an application.
 */
#include "social_case.h"

#include "social/people/app.h"
#include "social/people/password.h"
#include "social/people/scope.h"
#include "social/people/session.h"
#include "social/people/token.h"
#include "social/people/visit.h"

#define REDIRECTS APP_OUT_OF_BAND " https://elk.example/cb\norg.joinmastodon.android-auth://callback"

static uint64_t alice;
static struct app app;
static struct token_made token;

static enum err make_app(const char *name, const char *redirects, const char *scopes, struct problems *p)
{
    const char *secret;
    const struct app_form form = {
        .name = name, .website = "https://elk.example", .redirects = redirects, .scopes = scopes};
    return app_create(social, arena, as_command(), &form, &app, &secret, p);
}

static int begin(void **state)
{
    site_setup(state);
    config.session.idle_days = config.session.lifetime_days = 30;
    config.session.per_user = 10;
    alice = person(name_in(7, 0));
    assert_int_equal(make_app("Elk", REDIRECTS, "read write follow", none()), ERR_OK);
    const struct token_grant grant = {.app = &app, .scopes = SCOPE_BIT(SCOPE_READ)};
    assert_int_equal(token_create(social, arena, as(alice), &grant, &token), ERR_OK);
    return 0;
}

static struct visit *visit_by(const char *text)
{
    struct visit *v = visit_begin_token(social, arena, text);
    assert_int_equal(visit_read(v), ERR_OK);
    return v;
}

static uint64_t visitor_by(const char *text)
{
    return visit_viewer(visit_by(text))->id;
}

static void test_token(void **state)
{
    (void)state;
    struct visit *v = visit_by(token.text);
    assert_int_equal(visit_viewer(v)->id, alice);
    assert_int_equal(visit_scopes(v), SCOPE_BIT(SCOPE_READ));
    assert_string_equal(visit_app(v)->app_name, "Elk");
    assert_string_equal(visit_app(v)->app_website, "https://elk.example");
    assert_int_equal(visit_app(v)->app_id, app.id);
    assert_string_equal(visit_session(v), "");
    assert_int_equal(store_integer(ask(id_bucket(app.id), "PTTL", key_id(arena, KEY_APP, app.id), NULL, NULL)), -1);
}

/* None of them is anybody's, and none has scopes. */
static void test_no_token(void **state)
{
    (void)state;
    char *other = arena_dup(arena, token.text);
    other[strlen(other) - 1] = other[strlen(other) - 1] == 'A' ? 'B' : 'A';
    const char *const bad[] = {
        NULL,
        "",
        ".",
        "x",
        other,
        arena_printf(arena, "%s ", token.text),
        token.text + 1,
        arena_printf(arena, "%s%s", id_text(arena, person(name_in(7, 1))), token.text + ID_DIGITS)};
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct visit *v = visit_by(bad[i]);
        assert_int_equal(visit_viewer(v)->id, 0);
        assert_null(visit_app(v));
        assert_int_equal(visit_scopes(v), 0);
    }
    struct visit *v = visit_begin(social, arena, token.text); /* it is no cookie either */
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(visit_viewer(v)->id, 0);
}

/* What is about members is refused to it, and visit_app says that it is good. */
static void test_own_token(void **state)
{
    (void)state;
    struct token_made own;
    const struct token_grant grant = {.app = &app, .scopes = SCOPE_BIT(SCOPE_WRITE)};
    assert_int_equal(token_create_own(social, arena, as_nobody(NULL), &grant, &own, none()), ERR_OK);
    struct visit *v = visit_begin_token(social, arena, own.text);
    visit_require(v, WHO_MEMBER);
    assert_int_equal(visit_read(v), ERR_UNAUTHORIZED);
    assert_int_equal(visit_viewer(v)->id, 0);
    assert_int_equal(visit_app(v)->app_id, app.id);
    assert_int_equal(visit_scopes(v), SCOPE_BIT(SCOPE_WRITE));
    assert_int_equal(app_end(social, arena, as_command(), app.id), ERR_OK);
    assert_null(visit_app(visit_by(own.text)));
    assert_int_equal(token_create_own(social, arena, as_nobody(NULL), &grant, &own, none()), ERR_NOT_FOUND);
    assert_int_equal(visitor_by(token.text), alice); /* which is hers */
}

static void test_revoked(void **state)
{
    (void)state;
    assert_int_equal(token_revoke(social, arena, as_nobody(NULL), token.text, app.id + 64), ERR_FORBIDDEN);
    assert_int_equal(visitor_by(token.text), alice);
    assert_int_equal(token_revoke(social, arena, as_nobody(NULL), token.text, app.id), ERR_OK);
    assert_null(visit_app(visit_by(token.text)));
    assert_int_equal(visitor_by(token.text), 0);
    assert_int_equal(token_revoke(social, arena, as_nobody(NULL), token.text, app.id), ERR_OK);
}

/* On the page of settings she sees it, and ends it by its hash; nobody else can. */
static void test_list(void **state)
{
    (void)state;
    size_t ended;
    struct visit *v = visit_begin_as(social, arena, alice);
    const struct token_list *list = token_list_ask(v);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(list->count, 1);
    assert_string_equal(list->tokens[0].app_name, "Elk");
    assert_int_equal(token_end(social, arena, as(person(name_in(7, 1))), list->tokens[0].id, &ended), ERR_OK);
    assert_int_equal(ended, 0);
    assert_int_equal(visitor_by(token.text), alice);
    assert_int_equal(token_end(social, arena, as(alice), list->tokens[0].id, &ended), ERR_OK);
    assert_int_equal(ended, 1);
    assert_int_equal(visitor_by(token.text), 0);
}

static void test_suspended(void **state)
{
    (void)state;
    assert_int_equal(user_set_state(social, arena, as_command(), alice, USER_STATE_SUSPENDED), ERR_OK);
    assert_int_equal(visitor_by(token.text), 0);
    assert_null(visit_app(visit_by(token.text)));
    assert_int_equal(user_set_state(social, arena, as_command(), alice, USER_STATE_LIMITED), ERR_OK);
    assert_int_equal(visitor_by(token.text), alice);
}

/* The visit began while she was not. */
static void test_suspended_meanwhile(void **state)
{
    (void)state;
    assert_int_equal(visitor_by(token.text), alice); /* her record is remembered */
    struct visit *v = visit_begin_token(social, arena, token.text);
    assert_int_equal(user_set_state(social, arena, as_command(), alice, USER_STATE_SUSPENDED), ERR_OK);
    assert_int_equal(visit_read(v), ERR_UNAUTHORIZED);
    assert_null(visit_app(v));
}

static void test_deleted(void **state)
{
    (void)state;
    struct token_made another;
    const struct token_grant grant = {.app = &app, .scopes = 1};
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    assert_int_equal(visitor_by(token.text), 0);
    assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, KEY_TOKENS, alice), NULL, NULL)), 0);
    assert_int_equal(ask(7, "KEYS", "*:token:*", NULL, NULL)->count, 0);
    assert_int_equal(token_create(social, arena, as(alice), &grant, &another), ERR_NOT_FOUND);
}

/* An administrator's new password ends tokens; one that somebody sets himself does not. */
static void test_password(void **state)
{
    (void)state;
    struct actor by = *as(alice);
    struct password_change c = {
        .name = "alice", .old = "", .password = KNOWN_PASSWORD "1", .password2 = KNOWN_PASSWORD "1"};
    by.kind = ACTOR_COMMAND;
    by.session = "the session that he uses";
    assert_int_equal(session_change_password(social, arena, &by, &c, none()), ERR_OK);
    assert_int_equal(visitor_by(token.text), alice);
    by.session = NULL;
    assert_int_equal(session_change_password(social, arena, &by, &c, none()), ERR_OK);
    assert_int_equal(visitor_by(token.text), 0);
}

/* Noted when an hour is over, and not of a token that has ended since. */
static void test_seen(void **state)
{
    (void)state;
    char hash[SECRET_HASH_SIZE];
    uint64_t id;
    assert_true(token_parse(token.text, &id, hash));
    const char *key = key_id_text(arena, KEY_TOKEN, id, hash);
    ask(7, "HSET", key, "seen", "1");
    assert_int_equal(visitor_by(token.text), alice);
    for (unsigned i = 0; i < 5000 && store_integer(ask(7, "HGET", key, "seen", NULL)) == 1; i++) {
        clock_sleep_ms(2);
    }
    assert_in_range(store_integer(ask(7, "HGET", key, "seen", NULL)), clock_site_ms() - 60000, clock_site_ms());
    assert_int_equal(store_integer(ask(7, "PTTL", key, NULL, NULL)), -1);
}

/* --- scopes -------------------------------------------------------------------------------------------------------- */

static uint64_t scopes(const char *words)
{
    uint64_t set;
    assert_true(scope_parse(words, &set));
    return set;
}

static void test_scopes(void **state)
{
    (void)state;
    uint64_t unused;
    assert_string_equal(scope_words(arena, scopes("push  follow+write read")), "read write follow push");
    assert_string_equal(scope_words(arena, scopes(NULL)), "read");
    assert_string_equal(scope_words(arena, scopes(" ")), "read");
    assert_false(scope_parse("read reads", &unused));
    assert_false(scope_parse("read:", &unused));
    assert_false(scope_parse("read:status", &unused));
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        assert_true(scope_covers(scopes(scope_name(i)), SCOPE_BIT(i)));
    }
    assert_true(scope_allows(scopes("read"), "read:statuses"));
    assert_true(scope_allows(scopes("profile"), "read:accounts profile"));
    assert_true(scope_allows(scopes("follow"), "write:mutes"));
    assert_true(scope_allows(scopes("admin:read"), "admin:read:reports"));
    assert_false(scope_allows(scopes("follow"), "write:statuses"));
    assert_false(scope_allows(scopes("follow"), "read:statuses"));
    assert_false(scope_allows(scopes("read:statuses"), "read"));
    assert_false(scope_allows(scopes("read"), "write:statuses"));
    assert_false(scope_allows(scopes("write"), "read:statuses"));
    assert_false(scope_allows(scopes("read"), "admin:read:reports"));
    assert_false(scope_allows(scopes("read write follow push"), "admin:read"));
    assert_true(scope_covers(scopes("read follow"), scopes("read:statuses write:blocks")));
    assert_false(scope_covers(scopes("read follow"), scopes("read:statuses write:bookmarks")));
}

/* --- applications -------------------------------------------------------------------------------------------------- */

static void test_what_may_be_registered(void **state)
{
    (void)state;
    static const struct {
        const char *name, *redirects, *scopes, *field;
    } rows[] = {
        {"", APP_OUT_OF_BAND, "read", "client_name"},
        {" ", APP_OUT_OF_BAND, "read", "client_name"},
        {"a name that is longer than all the sixty characters that it may have", APP_OUT_OF_BAND, "", "client_name"},
        {"Elk", "", "read", "redirect_uris"},
        {"Elk", "/path", "read", "redirect_uris"},
        {"Elk", "https:", "read", "redirect_uris"},
        {"Elk", "https://elk.example/#x", "read", "redirect_uris"},
        {"Elk", "javascript:alert(1)", "read", "redirect_uris"},
        {"Elk", "JavaScript:alert(1)", "read", "redirect_uris"},
        {"Elk", "https://elk.example data:text/html,x", "read", "redirect_uris"},
        {"Elk", "https://elk.example/\x01", "read", "redirect_uris"},
        {"Elk", APP_OUT_OF_BAND, "read everything", "scopes"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct problems *p = none();
        assert_int_equal(make_app(rows[i].name, rows[i].redirects, rows[i].scopes, p), ERR_INVALID);
        assert_int_equal(p->count, 1);
        assert_string_equal(p->items[0].field, rows[i].field);
    }
    assert_int_equal(make_app("Elk", REDIRECTS, "admin:read admin:write", none()), ERR_OK);
    struct app found;
    assert_int_equal(app_find(social, arena, id_text(arena, app.id), &found), ERR_OK);
    assert_string_equal(found.redirects,
                        APP_OUT_OF_BAND "\nhttps://elk.example/cb\norg.joinmastodon.android-auth://callback");
    assert_int_equal(app_find(social, arena, "1", &found), ERR_NOT_FOUND);
    assert_int_equal(app_find(social, arena, NULL, &found), ERR_NOT_FOUND);
}

#define with_token(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static const struct CMUnitTest tests[] = {
    with_token(test_token),
    with_token(test_no_token),
    with_token(test_own_token),
    with_token(test_revoked),
    with_token(test_list),
    with_token(test_suspended),
    with_token(test_suspended_meanwhile),
    with_token(test_deleted),
    with_token(test_password),
    with_token(test_seen),
    with_token(test_scopes),
    with_token(test_what_may_be_registered),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
