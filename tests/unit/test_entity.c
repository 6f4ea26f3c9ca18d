/* test_entity.c - users, posts and lists as JSON: that entities have the keys of Mastodon's and no others, and what
 * pages get in addition.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "social/people/session.h"
#include "social/people/user.h"
#include "social/posts/post.h"
#include "social/timelines/list.h"
#include "view/decoration.h"
#include "view/fragment.h"
#include "view/json.h"
#include "view/locale.h"

#define ALICE_ID (UINT64_C(1741089932123) << 16 | 7 << 6)
#define POST_ID (ALICE_ID + (UINT64_C(60000) << 16))
#define BOB_ID (ALICE_ID + 64)

/* As docs.joinmastodon.org lists them (version 4.3). */
static const char *const account_keys = " id username acct url uri display_name note avatar avatar_static header "
                                        "header_static locked fields emojis bot group"
                                        " discoverable noindex moved suspended limited created_at last_status_at "
                                        "statuses_count followers_count following_count "
                                        "hide_collections roles source role ";
static const char *const status_keys = " id uri created_at account content visibility sensitive spoiler_text "
                                       "media_attachments application mentions tags emojis"
                                       " reblogs_count favourites_count replies_count url in_reply_to_id "
                                       "in_reply_to_account_id reblog poll card language text"
                                       " edited_at favourited reblogged muted bookmarked pinned filtered ";
static const char *const list_keys = " id title replies_policy exclusive ";
static const char *const relationship_keys = " id following showing_reblogs notifying languages followed_by blocking "
                                             "blocked_by muting muting_notifications requested"
                                             " requested_by domain_blocking endorsed note ";

static struct locales *locales;
static struct entity_context context;

static const struct user alice = {.id = ALICE_ID, .name = "alice", .display = "", .bio = "I am @bob's <friend>"};
static const struct user bob = {.id = BOB_ID, .name = "Bob", .display = "\xc3\x84rger", .bio = ""};
static struct post_mention mentions[] = {{"Bob", BOB_ID}};
static const struct post reply = {.id = POST_ID,
                                  .spoiler = "",
                                  .place = "",
                                  .language = "",
                                  .author = {.id = ALICE_ID, .name = "alice", .display = "", .bio = ""},
                                  .text = "hello @bob",
                                  .reply_to = 4711,
                                  .reply_author = BOB_ID,
                                  .reply_name = "Bob",
                                  .reply_count = 2,
                                  .favourite_count = 3,
                                  .boost_count = 4,
                                  .marks = {.is_favourited = true, .is_boosted = true},
                                  .mentions = mentions,
                                  .mention_count = 1};

static int begin(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    locales = locales_load(NULL, stderr);
    context = (struct entity_context){.arena = a,
                                      .doc = view_doc(a),
                                      .origin = "https://example.org",
                                      .locale = locales_find(locales, "en"),
                                      .now_ms = (POST_ID >> 16) + 3 * 60 * 1000,
                                      .viewer = ALICE_ID};
    return 0;
}

static int end(void **state)
{
    (void)state;
    locales_free(locales);
    arena_free(context.arena);
    return 0;
}

/* Whether all keys of the object are among these words; prints one that is not. */
static void assert_keys(yyjson_mut_val *object, const char *words)
{
    yyjson_mut_obj_iter i;
    yyjson_mut_obj_iter_init(object, &i);
    assert_true(yyjson_mut_obj_size(object) > 0);
    for (yyjson_mut_val *key; (key = yyjson_mut_obj_iter_next(&i));) {
        char word[64];
        snprintf(word, sizeof(word), " %s ", yyjson_mut_get_str(key));
        if (!strstr(words, word)) {
            fail_msg("\"%s\" is no key of this entity", yyjson_mut_get_str(key));
        }
    }
}

/* No key is there twice, nor in both parts of a post. */
static void assert_no_doubles(yyjson_mut_val *object)
{
    struct fragment_item *item = fragment_of(object);
    yyjson_mut_obj_iter i;
    yyjson_mut_obj_iter_init(object, &i);
    for (yyjson_mut_val *key; (key = yyjson_mut_obj_iter_next(&i));) {
        assert_ptr_equal(yyjson_mut_obj_get(object, yyjson_mut_get_str(key)), yyjson_mut_obj_iter_get_val(key));
        assert_true(!item || !yyjson_mut_obj_get(fragment_whole(item), yyjson_mut_get_str(key)));
    }
    if (item) {
        assert_no_doubles(fragment_whole(item));
    }
}

static yyjson_mut_val *at(yyjson_mut_val *o, const char *key)
{
    yyjson_mut_val *own = yyjson_mut_obj_get(o, key);
    struct fragment_item *item = own ? NULL : fragment_of(o);
    return item ? yyjson_mut_obj_get(fragment_whole(item), key) : own;
}

static void assert_text(yyjson_mut_val *o, const char *key, const char *expected)
{
    assert_non_null(at(o, key));
    assert_string_equal(yyjson_mut_get_str(at(o, key)), expected);
}

static void test_account(void **state)
{
    (void)state;
    const struct user_counts counts = {3, 2, 1};
    yyjson_mut_val *o = entity_account(&context, &bob);
    entity_account_counts(&context, o, &counts);
    entity_account_note(&context, o, &alice);
    assert_keys(o, account_keys);
    assert_no_doubles(o);
    assert_text(o, "username", "Bob");
    assert_text(o, "display_name", "\xc3\x84rger");
    assert_text(o, "url", "https://example.org/@Bob");
    assert_text(o, "created_at", "2025-03-04T12:05:32.123Z");
    assert_text(o, "note",
                "<p>I am <span class=\"h-card\"><a href=\"https://example.org/@bob\" class=\"u-url mention\">@<span>bob"
                "</span></a></span>&#39;s &lt;friend&gt;</p>");
    assert_int_equal(yyjson_mut_get_int(at(o, "statuses_count")), 3);
    assert_int_equal(yyjson_mut_get_int(at(o, "following_count")), 2);
    assert_int_equal(yyjson_mut_get_int(at(o, "followers_count")), 1);
    assert_keys(entity_relationship(&context, &bob, &(struct entity_relation){.following = true}), relationship_keys);
}

static void test_status(void **state)
{
    (void)state;
    char id[24];
    snprintf(id, sizeof(id), "%llu", (unsigned long long)BOB_ID);
    yyjson_mut_val *o = entity_status(&context, &reply);
    assert_keys(o, status_keys);
    assert_keys(at(o, "account"), account_keys);
    assert_no_doubles(o);
    assert_text(o, "in_reply_to_id", "4711");
    assert_text(o, "in_reply_to_account_id", id);
    assert_text(o, "created_at", "2025-03-04T12:06:32.123Z");
    assert_non_null(strstr(yyjson_mut_get_str(at(o, "content")), "https://example.org/@Bob"));
    assert_int_equal(yyjson_mut_get_int(at(o, "replies_count")), 2);
    assert_int_equal(yyjson_mut_get_int(at(o, "favourites_count")), 3);
    assert_true(yyjson_mut_get_bool(at(o, "favourited")));
    assert_false(yyjson_mut_get_bool(at(o, "bookmarked")));
    struct entity_context nobody = context;
    nobody.viewer = 0;
    assert_null(at(entity_status(&nobody, &reply), "favourited"));
    yyjson_mut_val *who = yyjson_mut_arr_get_first(at(o, "mentions"));
    assert_keys(who, " id username acct url ");
    assert_text(who, "id", id);
    struct post plain = reply;
    plain.reply_to = 0;
    assert_null(at(entity_status(&context, &plain), "in_reply_to_id"));
}

static void test_list(void **state)
{
    (void)state;
    const struct list l = {.id = 12, .title = "friends", .members = 1, .has = true};
    assert_keys(entity_list(&context, &l), list_keys);
    yyjson_mut_val *o = decoration_list(&context, &l);
    assert_no_doubles(o);
    assert_text(o, "href", "/lists/12");
    assert_int_equal(yyjson_mut_get_int(at(o, "members_count")), 1);
    assert_true(yyjson_mut_get_bool(at(o, "has")));
}

static void test_decorated_account(void **state)
{
    (void)state;
    yyjson_mut_val *o = decoration_account(&context, &alice);
    assert_no_doubles(o);
    assert_text(o, "url", "https://example.org/@alice");
    assert_text(o, "href", "/@alice");
    assert_text(o, "name_shown", "alice");
    assert_text(o, "avatar_initial", "A");
    o = decoration_account(&context, &bob);
    assert_text(o, "name_shown", "\xc3\x84rger");
    assert_text(o, "avatar_initial", "\xc3\x84");
    decoration_account_relation(&context, o, &bob, &(struct entity_relation){.following = true});
    assert_true(yyjson_mut_get_bool(at(at(o, "relationship"), "following")));
    assert_false(yyjson_mut_get_bool(at(at(o, "relationship"), "is_self")));
    context.viewer = 0;
    o = decoration_account(&context, &bob);
    decoration_account_relation(&context, o, &bob, &(struct entity_relation){.following = true});
    assert_null(at(o, "relationship"));
}

static void test_decorated_status(void **state)
{
    (void)state;
    char href[64];
    snprintf(href, sizeof(href), "/@alice/%llu", (unsigned long long)POST_ID);
    yyjson_mut_val *o = decoration_status(&context, &reply);
    assert_no_doubles(o);
    assert_no_doubles(at(o, "account"));
    assert_text(o, "href", href);
    assert_text(at(o, "account"), "href", "/@alice");
    assert_text(at(o, "in_reply_to"), "href", "/@Bob/4711");
    assert_text(at(o, "in_reply_to"), "username", "Bob");
    assert_text(o, "elapsed", "3m");
    assert_text(o, "at", "2025-03-04 12:06:32Z");
    decoration_status_counts(&context, o, &reply);
    assert_text(o, "ago", "3 minutes ago");
    assert_text(o, "date", "2025-03-04 12:06 UTC");
    assert_true(yyjson_mut_get_bool(at(o, "has_replies")) && yyjson_mut_get_bool(at(o, "is_mine")));
    context.viewer = BOB_ID;
    assert_false(yyjson_mut_get_bool(at(decoration_status(&context, &reply), "is_mine")));
}

/* The name of the parent's author: the author's own if it is he, or nobody's, and then there is no link. */
static void test_parents(void **state)
{
    (void)state;
    struct post p = reply;
    p.reply_name = "";
    assert_null(at(decoration_status(&context, &p), "in_reply_to"));
    p.reply_author = ALICE_ID;
    assert_text(at(decoration_status(&context, &p), "in_reply_to"), "username", "alice");
    p.reply_to = 0;
    assert_null(at(decoration_status(&context, &p), "in_reply_to"));
}

#define one(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        one(test_account),           one(test_status),           one(test_list),
        one(test_decorated_account), one(test_decorated_status), one(test_parents),
    };
    return cmocka_run_group_tests_name("entity", tests, NULL, NULL);
}
