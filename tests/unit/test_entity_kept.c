/* test_entity_kept.c - posts as kept JSON: the same as what is made anew, for everybody, however they have changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/json.h"
#include "base/kept.h"
#include "http/static.h"
#include "social/people/filter.h"
#include "social/people/user_numbers.h"
#include "social/posts/post.h"
#include "view/entity_kept.h"
#include "view/entity_whole.h"
#include "view/json.h"

static struct arena *arena;
static struct kept *kept;

static struct entity_context context_of(uint64_t viewer)
{
    return (struct entity_context){
        .arena = arena, .doc = view_doc(arena), .origin = "https://example.org", .viewer = viewer, .now_ms = 1};
}

/* The text as a value. */
static yyjson_mut_val *parsed(yyjson_mut_doc *doc, yyjson_mut_val *raw)
{
    yyjson_alc allocator = json_allocator(arena);
    char *text = arena_dup_n(arena, yyjson_mut_get_raw(raw), yyjson_mut_get_len(raw));
    yyjson_doc *read = yyjson_read_opts(text, strlen(text), 0, &allocator, NULL);
    assert_non_null(read);
    return yyjson_val_mut_copy(doc, yyjson_doc_get_root(read));
}

static void assert_same(const struct post *p, uint64_t viewer)
{
    for (unsigned i = 0; i < 2; i++) { /* made, and found */
        struct entity_context c = context_of(viewer);
        yyjson_mut_val *found = parsed(c.doc, entity_status_kept(&c, kept, p));
        assert_true(yyjson_mut_equals(found, entity_status_whole(&c, p)));
    }
}

static struct post_mention mentions[] = {{.uid = 7 << 16, .name = "bob"}, {.uid = 9 << 16, .name = "Carol"}};

static struct post post_of(uint64_t id)
{
    return (struct post){.id = id,
                         .author = {.id = 115000000000000064u,
                                    .name = "ann",
                                    .display = "Ann <3",
                                    .bio = "me & you",
                                    .profile_fields = ""},
                         .text = "hello @bob, #tea & \"more\"",
                         .reply_name = "",
                         .boost_name = "",
                         .spoiler = "",
                         .language = "en",
                         .place = "",
                         .app = "",
                         .mentions = mentions,
                         .mention_count = 1};
}

static void test_every_change_shows(void **state)
{
    (void)state;
    struct post p = post_of(115000000000000000u);
    assert_same(&p, 0);
#define CHANGE(member, value)                                                                                          \
    p.member = value;                                                                                                  \
    assert_same(&p, 0);                                                                                                \
    assert_same(&p, 5);
    CHANGE(text, "other words")
    CHANGE(is_sensitive, true)
    CHANGE(spoiler, "careful")
    CHANGE(language, "")
    CHANGE(app, "A \"program\"\nhttps://app.example")
    CHANGE(visibility, VISIBILITY_PRIVATE)
    CHANGE(edited_ms, 1750000000000u)
    CHANGE(reply_to, 115000000000000001u)
    CHANGE(reply_author, 115000000000000064u)
    CHANGE(reply_count, 1)
    CHANGE(favourite_count, 2)
    CHANGE(boost_count, 3)
    CHANGE(mention_count, 2)
    CHANGE(author.display, "")
    CHANGE(author.bio, "somebody else")
    CHANGE(author.name, "Ann")
    CHANGE(author.is_locked, true)
    CHANGE(author.is_bot, true)
    CHANGE(author.is_discoverable, true)
    CHANGE(author.is_indexable, true)
    CHANGE(author.hides_people, true)
    CHANGE(author.state, USER_STATE_LIMITED)
    CHANGE(id, 115000099999999936u)
    struct user_numbers numbers = {.counts.posts = 0};
    CHANGE(author.numbers, &numbers)
#define CHANGE_NUMBER(member, value)                                                                                   \
    numbers.member = value;                                                                                            \
    assert_same(&p, 0);
    CHANGE_NUMBER(counts.posts, 4)
    CHANGE_NUMBER(counts.following, 5)
    CHANGE_NUMBER(counts.followers, 6)
    CHANGE_NUMBER(last_post, 115000000000000000u)
    CHANGE_NUMBER(last_post, 115900000000000000u)
#undef CHANGE_NUMBER
#undef CHANGE
}

/* What one viewer did is not shown to the next. */
static void test_marks_are_the_viewers(void **state)
{
    (void)state;
    struct post p = post_of(115000000000000000u);
    const struct filter of = {.id = 3, .title = "tea \"x\"", .places = 1};
    const struct filter_match f = {.filter = &of, .keywords = &(const char *){"tea"}, .keyword_count = 1};
    const struct post_marks all[] = {{0},
                                     {.is_favourited = true},
                                     {.is_bookmarked = true},
                                     {.is_boosted = true},
                                     {.is_pinned = true},
                                     {.is_quiet = true}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        p.marks = all[i];
        p.filtered = i % 2 ? &f : NULL;
        assert_same(&p, 5 + i);
        struct post plain = p;
        plain.marks = all[0];
        plain.filtered = NULL;
        assert_same(&plain, 0);
    }
}

static void test_boosts(void **state)
{
    (void)state;
    struct post own = post_of(115000000000000000u), boost = post_of(115000000000065536u);
    own.marks.is_favourited = true;
    boost.author =
        (struct user){.id = 115000000000000128u, .name = "bob", .display = "", .bio = "", .profile_fields = ""};
    boost.text = "";
    boost.boost = own.id;
    boost.boosted = &own;
    assert_same(&boost, 0);
    assert_same(&boost, 5);
    own.favourite_count = 9;
    assert_same(&boost, 5);
    assert_same(&own, 5);
}

static int prepare(void **state)
{
    (void)state;
    arena = arena_new();
    kept = kept_new(1 << 20);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    kept_free(kept);
    arena_free(arena);
    return 0;
}

#define kept_test(f) cmocka_unit_test_setup_teardown(f, prepare, finish)

int main(void)
{
    static_setup(NULL);
    const struct CMUnitTest tests[] = {kept_test(test_every_change_shows), kept_test(test_marks_are_the_viewers),
                                       kept_test(test_boosts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
