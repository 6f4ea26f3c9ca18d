/* test_entity_whole.c - what the API shows of people and posts: every entity is held against the table of its fields
 * (view/entity_table.h), empty and full, for nobody and for somebody. What is kept: test_entity_kept.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "social/core/problem.h"
#include "social/notices/notice.h"
#include "social/people/filter.h"
#include "social/people/profile_field.h"
#include "social/people/tie.h"
#include "social/people/user.h"
#include "social/people/visit_apart.h"
#include "social/posts/post.h"
#include "social/timelines/list.h"
#include "view/entity.h"
#include "view/entity_kept.h"
#include "view/entity_notice.h"
#include "view/entity_table.h"
#include "social/timelines/tag_trends.h"
#include "view/entity_tag.h"
#include "view/entity_version.h"
#include "view/entity_filter.h"
#include "view/entity_whole.h"
#include "view/json.h"

#define ALICE_ID (UINT64_C(1741089932123) << 16 | 7 << 6)
#define POST_ID (ALICE_ID + (UINT64_C(60000) << 16))
#define BOB_ID (ALICE_ID + 64)

static struct entity_context context;
static struct post_mention mentions[] = {{"Bob", BOB_ID}};
static struct filter_keyword spoiler_words[] = {{.id = 5, .phrase = "spoiler", .whole_word = true},
                                                {.id = 6, .phrase = "end"}};
static struct filter_post spoiler_posts[] = {{.id = 7, .post = POST_ID}};
static const struct filter spoilers = {.id = 5,
                                       .title = "spoilers",
                                       .places = 3,
                                       .keywords = spoiler_words,
                                       .keyword_count = 2,
                                       .posts = spoiler_posts,
                                       .post_count = 1};
static const struct filter_match spoilers_met = {
    .filter = &spoilers, .keywords = (const char *[]){"spoiler", "end"}, .keyword_count = 2, .post = POST_ID};

static struct user person(uint64_t id, const char *name)
{
    return (struct user){.id = id, .name = name, .display = "", .bio = "", .profile_fields = ""};
}

static struct post plain_post(void)
{
    return (struct post){.id = POST_ID,
                         .author = person(ALICE_ID, "alice"),
                         .text = "hello",
                         .reply_name = "",
                         .boost_name = "",
                         .spoiler = "",
                         .language = "",
                         .place = "",
                         .app = ""};
}

/* Everything that a post can have. */
static struct post full_post(void)
{
    struct post p = plain_post();
    p.author.display = "A \"quoted\" <name>";
    p.author.bio = "about\nme, @bob #cats";
    p.author.is_locked = true;
    p.author.state = USER_STATE_LIMITED;
    p.text = "hello @bob #Cats https://example.org/a\n\n\"bye\"";
    p.reply_to = POST_ID - 64;
    p.reply_author = BOB_ID;
    p.reply_count = 2;
    p.favourite_count = 3;
    p.boost_count = 4;
    p.mentions = mentions;
    p.mention_count = 1;
    p.spoiler = "what \\ follows";
    p.language = "en";
    p.edited_ms = (POST_ID >> 16) + 5000;
    p.marks = (struct post_marks){.is_favourited = true, .is_quiet = true};
    p.filtered = &spoilers_met;
    p.app = "toot\thttps://toot.example";
    return p;
}

static struct post boost_of(const struct post *boosted)
{
    struct post p = plain_post();
    p.id = POST_ID + 640;
    p.author = person(BOB_ID, "Bob");
    p.text = "";
    p.boost = boosted->id;
    p.boosted = boosted;
    p.visibility = VISIBILITY_PRIVATE;
    return p;
}

static int begin(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    context =
        (struct entity_context){.arena = a, .doc = view_doc(a), .origin = "https://example.org", .viewer = ALICE_ID};
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(context.arena);
    return 0;
}

/* --- against the table --------------------------------------------------------------------------------------------- */

static void assert_shape(yyjson_val *v, const char *entity);

static const char *json_of(yyjson_mut_val *v)
{
    struct buffer out = buffer_make(context.arena);
    yyjson_mut_doc_set_root(context.doc, v);
    view_json(&out, context.doc);
    return buffer_string(&out);
}

/* Read back as programs read it. The document is the arena's. */
static yyjson_val *read_back(yyjson_mut_val *v)
{
    const char *text = json_of(v);
    char *own = arena_dup(context.arena, text);
    yyjson_doc *doc = yyjson_read_opts(own, strlen(own), 0, &context.doc->alc, NULL);
    assert_non_null(doc);
    return yyjson_doc_get_root(doc);
}

static bool is_word_of(const char *words, size_t length, const char *value)
{
    size_t size = strlen(value);
    for (const char *at = words; at < words + length; at += strcspn(at, "|") + 1) {
        if (strncmp(at, value, size) == 0 && (at + size == words + length || at[size] == '|')) {
            return true;
        }
    }
    return false;
}

static const struct entity_shape *shape_of(const char *name, size_t length)
{
    const struct entity_shape *s = entity_shapes;
    while (s->name && (strlen(s->name) != length || strncmp(s->name, name, length) != 0)) {
        s++;
    }
    return s->name ? s : NULL;
}

/* The simple words; what their patterns say, without a machine for patterns. */
static bool is_simple(yyjson_val *v, const char *type)
{
    const char *text = yyjson_get_str(v);
    if (strcmp(type, "any") == 0) {
        return true;
    } else if (strcmp(type, "bool") == 0) {
        return yyjson_is_bool(v);
    } else if (strcmp(type, "number") == 0) {
        return yyjson_is_int(v);
    } else if (!text) {
        return false;
    } else if (strcmp(type, "id") == 0) {
        return text[0] != '0' && text[0] && strspn(text, "0123456789") == strlen(text);
    } else if (strcmp(type, "digits") == 0) {
        return text[0] && strspn(text, "0123456789") == strlen(text);
    } else if (strcmp(type, "word") == 0) {
        return text[0] != '\0';
    } else if (strcmp(type, "url") == 0) {
        return strncmp(text, "https://example.org/", 20) == 0 && !strchr(text, ' ');
    } else if (strcmp(type, "date") == 0) {
        return strlen(text) == 24 && text[10] == 'T' && text[19] == '.' && text[23] == 'Z';
    } else if (strcmp(type, "day") == 0) {
        return strlen(text) == 10 && text[4] == '-' && text[7] == '-';
    }
    return strcmp(type, "text") == 0 || strcmp(type, "html") == 0;
}

static bool is_known_word(const char *type)
{
    const struct entity_word *w = entity_words;
    while (w->name && strcmp(w->name, type) != 0) {
        w++;
    }
    return w->name != NULL;
}

static void assert_type(yyjson_val *v, const char *type, size_t length, const char *where)
{
    if (type[length - 1] == '?') {
        if (yyjson_is_null(v)) {
            return;
        }
        length--;
    }
    if (type[0] == '[') {
        size_t i, count;
        yyjson_val *one;
        assert_true(yyjson_is_arr(v));
        yyjson_arr_foreach(v, i, count, one)
        {
            assert_type(one, type + 1, length - 2, where);
        }
        return;
    }
    char *name = arena_dup_n(context.arena, type, length);
    if (shape_of(type, length)) {
        assert_shape(v, name);
    } else if (is_known_word(name) ? !is_simple(v, name)
                                   : !yyjson_is_str(v) || !is_word_of(name, length, yyjson_get_str(v))) {
        fail_msg("%s is no %s", where, name);
    }
}

static size_t assert_fields(yyjson_val *v, const struct entity_shape *shape)
{
    size_t seen = shape->extends ? assert_fields(v, shape_of(shape->extends, strlen(shape->extends))) : 0;
    for (const char *at = shape->fields; *at; at += strspn(at, " ")) {
        size_t name = strcspn(at, ":"), all = strcspn(at, " ");
        bool optional = at[name + 1] == '~';
        yyjson_val *member = yyjson_obj_getn(v, at, name);
        if (member) {
            const char *type = at + name + 1 + optional;
            assert_type(member, type, (size_t)(at + all - type), arena_dup_n(context.arena, at, all));
            seen++;
        } else if (!optional) {
            fail_msg("%s lacks %.*s", shape->name, (int)name, at);
        }
        at += all;
    }
    return seen;
}

/* An entity has the fields of the table with their types, and no others, and none twice. */
static void assert_shape(yyjson_val *v, const char *entity)
{
    const struct entity_shape *shape = shape_of(entity, strlen(entity));
    assert_non_null(shape);
    assert_true(yyjson_is_obj(v));
    size_t seen = assert_fields(v, shape);
    if (seen != yyjson_obj_size(v)) {
        fail_msg("%s has %zu members, of which %zu are known", entity, yyjson_obj_size(v), seen);
    }
}

static void assert_entity(yyjson_mut_val *v, const char *entity)
{
    assert_shape(read_back(v), entity);
}

static void assert_says(yyjson_val *o, const char *key, const char *expected)
{
    assert_non_null(yyjson_obj_get(o, key));
    assert_string_equal(yyjson_get_str(yyjson_obj_get(o, key)), expected);
}

/* --- people -------------------------------------------------------------------------------------------------------- */

static void test_accounts(void **state)
{
    (void)state;
    const struct profile_field fields[PROFILE_FIELDS_MAX] = {{"Site", "https://example.org/~alice"},
                                                             {"Pet", "a \"cat\""}};
    const struct user_counts counts = {3, 2, 1};
    struct user u = person(ALICE_ID, "alice");
    assert_entity(entity_account_whole(&context, &u, NULL, 0), "Account");
    yyjson_val *bare = read_back(entity_account_whole(&context, &u, NULL, 0));
    assert_says(bare, "display_name", "");
    assert_true(yyjson_is_null(yyjson_obj_get(bare, "last_status_at")));
    struct problems problems = {.count = 0};
    u.profile_fields = profile_fields_pack(context.arena, fields, &problems);
    u.bio = "line\nline";
    u.state = USER_STATE_LIMITED;
    assert_entity(entity_account_whole(&context, &u, &counts, POST_ID), "Account");
    yyjson_val *full = read_back(entity_account_whole(&context, &u, &counts, POST_ID));
    assert_says(full, "last_status_at", "2025-03-04");
    assert_int_equal(yyjson_get_int(yyjson_obj_get(full, "statuses_count")), 3);
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(full, "fields")), 2);
    assert_entity(entity_account_own(&context, &u, &counts, 0, 4), "CredentialAccount");
    yyjson_val *source = yyjson_obj_get(read_back(entity_account_own(&context, &u, &counts, 0, 4)), "source");
    assert_says(source, "note", "line\nline");
    assert_int_equal(yyjson_get_int(yyjson_obj_get(source, "follow_requests_count")), 4);
    assert_says(yyjson_arr_get(yyjson_obj_get(source, "fields"), 0), "value", fields[0].value);
}

static void test_relationships(void **state)
{
    (void)state;
    const struct user u = person(BOB_ID, "Bob");
    const struct tie tie = {.languages = "en,ro"}, hides = {.hides_boosts = true, .languages = ""};
    const struct entity_relation stands = {.following = true,
                                           .requested_by = true,
                                           .endorsed = true,
                                           .apart = APART_BLOCKED_BY | APART_MUTES,
                                           .tie = &tie,
                                           .remark = "a \"note\""};
    const struct entity_relation hiding = {.following = true, .tie = &hides};
    assert_entity(entity_relationship_whole(&context, &u, &(struct entity_relation){0}), "Relationship");
    yyjson_val *o = read_back(entity_relationship_whole(&context, &u, &hiding));
    assert_false(yyjson_is_true(yyjson_obj_get(o, "showing_reblogs")));
    assert_true(yyjson_is_null(yyjson_obj_get(o, "languages")));
    o = read_back(entity_relationship_whole(&context, &u, &stands));
    assert_shape(o, "Relationship");
    static const char *const yes[] = {"following",  "showing_reblogs", "requested_by",
                                      "blocked_by", "muting",          "endorsed"};
    for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++) {
        assert_true(yyjson_is_true(yyjson_obj_get(o, yes[i])));
    }
    assert_false(yyjson_is_true(yyjson_obj_get(o, "blocking")));
    assert_false(yyjson_is_true(yyjson_obj_get(o, "muting_notifications")));
    assert_string_equal(yyjson_get_str(yyjson_obj_get(o, "note")), "a \"note\"");
    yyjson_val *languages = yyjson_obj_get(o, "languages");
    assert_int_equal(yyjson_arr_size(languages), 2);
    assert_string_equal(yyjson_get_str(yyjson_arr_get(languages, 1)), "ro");
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

/* Of a post, made anew and as it is kept. */
static void assert_status(const struct post *p)
{
    yyjson_val *whole = read_back(entity_status_whole(&context, p));
    yyjson_val *kept = read_back(entity_status_kept(&context, NULL, p));
    assert_shape(whole, "Status");
    assert_shape(kept, "Status");
    const bool is_signed_in = context.viewer != 0;
    assert_int_equal(yyjson_obj_get(kept, "favourited") != NULL, is_signed_in);
    assert_int_equal(yyjson_obj_get(kept, "filtered") != NULL, is_signed_in);
    assert_int_equal(yyjson_obj_get(whole, "filtered") != NULL, is_signed_in);
}

static void test_statuses(void **state)
{
    (void)state;
    const uint64_t viewers[] = {0, ALICE_ID, BOB_ID};
    const struct post plain = plain_post(), full = full_post(), boost = boost_of(&full), other = boost_of(&plain);
    const struct post *const posts[] = {&plain, &full, &boost, &other};
    for (size_t v = 0; v < 3; v++) {
        context.viewer = viewers[v];
        for (size_t i = 0; i < 4; i++) {
            assert_status(posts[i]);
        }
    }
    for (enum visibility v = 0; v < VISIBILITIES; v++) {
        struct post p = plain;
        p.visibility = v;
        assert_status(&p);
    }
}

static void test_applications(void **state)
{
    (void)state;
    struct post p = full_post();
    yyjson_val *app = yyjson_obj_get(read_back(entity_status_whole(&context, &p)), "application");
    assert_says(app, "name", "toot");
    assert_says(app, "website", "https://toot.example");
    p.app = "toot\t";
    app = yyjson_obj_get(read_back(entity_status_whole(&context, &p)), "application");
    assert_true(yyjson_is_null(yyjson_obj_get(app, "website")));
    p.app = "";
    assert_true(yyjson_is_null(yyjson_obj_get(read_back(entity_status_whole(&context, &p)), "application")));
}

static void test_boosts(void **state)
{
    (void)state;
    const struct post full = full_post(), boost = boost_of(&full);
    yyjson_val *o = read_back(entity_status_kept(&context, NULL, &boost));
    yyjson_val *original = yyjson_obj_get(o, "reblog");
    assert_says(o, "id", id_text(context.arena, boost.id));
    assert_says(yyjson_obj_get(o, "account"), "username", "Bob");
    assert_says(o, "visibility", "private");
    assert_says(original, "id", id_text(context.arena, full.id));
    assert_says(original, "visibility", "public");
    assert_says(yyjson_obj_get(original, "account"), "username", "alice");
    assert_says(o, "content", yyjson_get_str(yyjson_obj_get(original, "content")));
    assert_true(yyjson_is_true(yyjson_obj_get(o, "favourited")));
    assert_true(yyjson_is_null(yyjson_obj_get(original, "reblog")));
    assert_true(yyjson_is_null(yyjson_obj_get(o, "in_reply_to_id")));
}

static void test_versions(void **state)
{
    (void)state;
    const struct post full = full_post();
    assert_entity(entity_version(&context, &full, full.edited_ms), "StatusEdit");
    assert_entity(entity_source(&context, &full), "StatusSource");
}

/* --- the rest ------------------------------------------------------------------------------------------------------ */

static void test_filters(void **state)
{
    (void)state;
    struct filter f = spoilers;
    for (int ends = 0; ends < 2; ends++) {
        f.until_ms = ends ? POST_ID >> 16 : 0;
        f.action = ends ? FILTER_HIDE : FILTER_BLUR;
        assert_entity(entity_filter(&context, &f), "Filter");
        assert_entity(entity_filter_v1(&context, &f, &f.keywords[1]), "V1_Filter");
        assert_entity(entity_filter_keyword(&context, &f.keywords[0]), "FilterKeyword");
        assert_entity(entity_filter_status(&context, &f.posts[0]), "FilterStatus");
    }
    struct post p = full_post();
    yyjson_val *met = yyjson_arr_get(yyjson_obj_get(read_back(entity_status_kept(&context, NULL, &p)), "filtered"), 0);
    assert_shape(met, "FilterResult");
    assert_says(yyjson_obj_get(met, "filter"), "title", "spoilers");
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(met, "keyword_matches")), 2);
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(met, "status_matches")), 1);
}

static void test_notifications(void **state)
{
    (void)state;
    struct user bob = person(BOB_ID, "Bob");
    for (unsigned k = 0; k < NOTICE_KINDS; k++) {
        struct notice n = {
            .kind = k, .at_us = UINT64_C(1741089932123456), .group = "f:1", .people = &bob, .people_count = 1};
        assert_entity(entity_notification(&context, NULL, &n), "Notification");
        n.post = full_post();
        yyjson_val *o = read_back(entity_notification(&context, NULL, &n));
        assert_shape(o, "Notification");
        assert_non_null(yyjson_obj_get(o, "status"));
        assert_true(entity_notification_kinds(yyjson_get_str(yyjson_obj_get(o, "type"))) & 1u << k);
    }
    assert_int_equal(entity_notification_kinds("poll"), 0);
}

/* The key of a group leads back to it, alone or in a group. */
static void test_notification_groups(void **state)
{
    (void)state;
    struct user people[] = {person(BOB_ID, "Bob"), person(BOB_ID, "Bob")};
    assert_entity(entity_account_partial(&context, &people[0]), "PartialAccountWithAvatar");
    for (unsigned k = 0; k < NOTICE_KINDS; k++) {
        struct notice n = {
            .kind = k, .at_us = 20, .newest_us = UINT64_C(1741089932123456), .oldest_us = 10, .count = 2};
        n.people = people;
        n.people_count = 2;
        n.post = full_post();
        n.group = notice_group(context.arena, k, k == NOTICE_FOLLOW ? 20414 : POST_ID);
        for (unsigned grouped = 0; grouped <= NOTICE_GROUPED; grouped += NOTICE_GROUPED) {
            yyjson_val *o = read_back(entity_notification_group(&context, &n, grouped, grouped != 0));
            assert_shape(o, "NotificationGroup");
            assert_int_equal(yyjson_obj_get(o, "page_min_id") != NULL, grouped != 0);
            const char *group;
            uint64_t id;
            assert_true(
                entity_notice_key_parse(context.arena, yyjson_get_str(yyjson_obj_get(o, "group_key")), &group, &id));
            assert_int_equal(group != NULL, (grouped & 1u << k) != 0);
            assert_true(group ? strcmp(group, n.group) == 0 : id == 20);
        }
    }
    static const char *const bad[] = {"",
                                      "x",
                                      "ungrouped-",
                                      "ungrouped-0",
                                      "ungrouped-1x",
                                      "ungrouped-1234567890123456789",
                                      "favourite-",
                                      "favourite-1",
                                      "mention-117657670766635999",
                                      "follow-",
                                      "follow-x"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        const char *group;
        uint64_t id;
        assert_false(entity_notice_key_parse(context.arena, bad[i], &group, &id));
    }
}

static void test_small_ones(void **state)
{
    (void)state;
    const struct list l = {.id = 12, .title = "friends"};
    assert_entity(entity_list(&context, &l), "List");
    const struct tag_days days = {.uses = {3, 0, 7}, .people = {2, 0, 5}};
    const struct entity_tag tag = {.name = "caf\xc3\xa9", .days = &days, .following = true};
    assert_entity(entity_tag(&context, &tag), "Tag");
    context.viewer = 0;
    assert_null(yyjson_obj_get(read_back(entity_tag(&context, &tag)), "following"));
}

#define one(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        one(test_accounts),   one(test_relationships), one(test_statuses),
        one(test_boosts),     one(test_applications),  one(test_versions),
        one(test_filters),    one(test_notifications), one(test_notification_groups),
        one(test_small_ones),
    };
    return cmocka_run_group_tests_name("entity_whole", tests, NULL, NULL);
}
