/* test_social_filters.c - keyword filters: what is found in a text, which posts they hide or warn of, where and until when, and what it
 * costs.
 */
#include "social_case.h"

#include "base/clock.h"
#include "base/keyword.h"
#include "social/people/filter.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/posts/post.h"
#include "social/posts/see.h"

/* --- words in texts ------------------------------------------------------------------------------------------------ */

static void test_keywords(void **state)
{
    (void)state;
    static const struct {
        const char *text, *phrase;
        bool anywhere, whole;
    } cases[] = {
        {"I like Tea.", "tea", true, true},
        {"A steak", "tea", true, false},
        {"teatime", "tea", true, false},
        {"team, then tea", "tea", true, true},
        {"green  tea", "green tea", false, false},
        {"green\ntea", "green tea", true, true},
        {"ÄPFEL", "äpfel", true, true},
        {"Äpfelchen", "äpfel", true, false},
        {"éteat", "tea", true, false},
        {"ЧАЙ", "чай", true, true},
        {"чайник", "чай", true, false},
        {"我喜欢喝茶", "喝茶", true, true},
        {"ＴＥＡ", "tea", true, true},
        {"tea", "ＴＥＡ", true, true},
        {"ＦＵＬＬ　ｗｉｄｔｈ", "full width", true, true},
        {"#tea", "#tea", true, true},
        {"a#tea", "#tea", true, true},
        {"#teas", "#tea", true, false},
        {"c++ is", "c++", true, true},
        {"c", "c", true, true},
        {"x", "c", false, false},
        {"te", "tea", false, false},
        {"", "tea", false, false},
        {"tea", "", false, false},
        {"t\xff"
         "ea",
         "tea", false, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct keyword_text t = keyword_text_of(arena, cases[i].text);
        const char *phrase = keyword_fold(arena, cases[i].phrase);
        if (keyword_is_in(&t, phrase, false) != cases[i].anywhere ||
            keyword_is_in(&t, phrase, true) != cases[i].whole) {
            fail_msg("'%s' in '%s'", cases[i].phrase, cases[i].text);
        }
    }
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static uint64_t alice, bob;

static void add(const char *phrase, unsigned places, bool hides, uint64_t until_ms)
{
    struct filter f = {.phrase = phrase, .places = places, .hides = hides, .until_ms = until_ms};
    assert_int_equal(filter_add(social, arena, as(alice), &f, none()), ERR_OK);
}

/* Her visit, in which all is known that decides what she sees. */
static struct visit *visit_of(enum see_place place)
{
    struct visit *v = visit_begin_as(social, arena, alice);
    see_want(v, place, true);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_true(see_is_ready(v, place, true));
    return v;
}

/* "hidden", "" or the warning. */
static const char *seen(enum see_place place, const struct post *p)
{
    const struct filter *behind;
    enum sight sight = post_sight(visit_of(place), p, place, &behind);
    return sight == SIGHT_HIDDEN ? "hidden" : behind ? behind->phrase : "";
}

static void test_places(void **state)
{
    (void)state;
    static const enum see_place places[] = {SEE_HOME,   SEE_LIST,   SEE_PUBLIC, SEE_PROFILE,
                                            SEE_THREAD, SEE_NOTICE, SEE_POST};
    static const unsigned of[] = {FILTER_PLACE_HOME,    FILTER_PLACE_HOME,   FILTER_PLACE_PUBLIC,
                                  FILTER_PLACE_ACCOUNT, FILTER_PLACE_THREAD, FILTER_PLACE_NOTIFICATIONS,
                                  FILTER_PLACES};
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    const struct post post = {.id = 1, .author = {.id = bob}, .text = "tea and cake", .spoiler = "food"};
    for (unsigned place = 0; place < FILTER_PLACES; place++) {
        add(arena_printf(arena, place % 2 ? "cake" : "food"), 1u << place, place % 2, 0);
        for (size_t i = 0; i < COUNT(places); i++) {
            const char *expected = of[i] > place || of[i] == FILTER_PLACES ? "" : of[i] % 2 ? "hidden" : "food";
            assert_string_equal(seen(places[i], &post), expected);
        }
    }
    struct post own = post;
    own.author.id = alice;
    assert_string_equal(seen(SEE_HOME, &own), "");
    const struct post boost = {.id = 2, .author = {.id = bob}, .boost = 1, .boosted = &post, .text = "", .spoiler = ""};
    assert_string_equal(seen(SEE_LIST, &boost), "food");
    const struct post own_boosted = {
        .id = 3, .author = {.id = bob}, .boost = 1, .boosted = &own, .text = "", .spoiler = ""};
    assert_string_equal(seen(SEE_LIST, &own_boosted), "");
}

static void test_hiding_wins_and_ends(void **state)
{
    (void)state;
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    const struct post post = {.id = 1, .author = {.id = bob}, .text = "tea and cake", .spoiler = ""};
    add("Tea", 1, false, 0);
    assert_string_equal(seen(SEE_LIST, &post), "Tea");
    add("cake", 1, true, clock_site_ms() + 3600000);
    assert_string_equal(seen(SEE_LIST, &post), "hidden");
    size_t count;
    const struct filter *all = visit_filters(visit_of(SEE_HOME), &count);
    assert_int_equal(count, 2);
    assert_string_equal(all[1].phrase, "cake"); /* in the order in which they were made, also within a millisecond */
    assert_int_equal(filter_remove(social, arena, as(alice), all[1].id, none()), ERR_OK);
    assert_int_equal(filter_remove(social, arena, as(alice), all[1].id, none()), ERR_NOT_FOUND);
    add("cake", 1, true, clock_site_ms() - 1);
    assert_string_equal(seen(SEE_LIST, &post), "Tea");
}

/* --- rules --------------------------------------------------------------------------------------------------------- */

static enum err try_add(const char *phrase, unsigned places)
{
    struct filter f = {.phrase = phrase, .places = places};
    struct problems problems = {.count = 0};
    return filter_add(social, arena, as(alice), &f, &problems);
}

static void test_rules(void **state)
{
    (void)state;
    alice = person(name_in(7, 0));
    char longest[FILTER_PHRASE_MAX + 2];
    memset(longest, 'x', sizeof(longest));
    longest[FILTER_PHRASE_MAX + 1] = '\0';
    assert_int_equal(try_add(longest, 1), ERR_INVALID);
    longest[FILTER_PHRASE_MAX] = '\0';
    assert_int_equal(try_add(longest, 1), ERR_OK);
    assert_int_equal(try_add(" \t", 1), ERR_INVALID);
    assert_int_equal(try_add("a\x07", 1), ERR_INVALID);
    assert_int_equal(try_add("tea", 0), ERR_INVALID);
    const struct actor tool = actor_system(alice);
    for (unsigned i = 1; i < FILTER_MOST; i++) {
        struct filter f = {.phrase = arena_printf(arena, "%u: tea", i), .places = 1};
        clock_sleep_ms(1);
        assert_int_equal(filter_add(social, arena, &tool, &f, none()), ERR_OK);
    }
    struct filter f = {.phrase = "one more", .places = 1};
    assert_int_equal(filter_add(social, arena, &tool, &f, none()), ERR_CONFLICT);
    size_t count;
    const struct filter *all = visit_filters(visit_of(SEE_HOME), &count);
    assert_int_equal(count, FILTER_MOST);
    assert_string_equal(all[FILTER_MOST - 1].phrase, "49: tea");
    assert_clean();
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    finish_jobs();
    assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, KEY_FILTERS, alice), NULL, NULL)), 0);
}

/* Fifty filters on a page of twenty long posts, none of which they meet: so short that no page feels it. It is printed, not judged:
 * machines differ. */
static void test_cost(void **state)
{
    (void)state;
    const char *text = "";
    for (int i = 0; i < 10; i++) {
        text = arena_printf(arena, "%sThe quick brown fox jumps over the lazy dog. ", text);
    }
    const char *phrases[FILTER_MOST];
    for (unsigned i = 0; i < FILTER_MOST; i++) {
        phrases[i] = keyword_fold(arena, arena_printf(arena, "%c%c%u word", 'a' + i % 26, 'a' + i * 7 % 26, i));
    }
    uint64_t begin = clock_monotonic_us();
    unsigned found = 0;
    for (int page = 0; page < 100; page++) {
        for (int post = 0; post < 20; post++) {
            struct keyword_text t = keyword_text_of(arena, text);
            for (unsigned i = 0; i < FILTER_MOST; i++) {
                found += keyword_is_in(&t, phrases[i], true);
            }
        }
    }
    assert_int_equal(found, 0);
    print_message("50 filters, 20 posts of %zu bytes: %.1f us a page\n", strlen(text),
                  (double)(clock_monotonic_us() - begin) / 100);
}

static const struct CMUnitTest tests[] = {
    site(test_keywords), site(test_places), site(test_hiding_wins_and_ends), site(test_rules), site(test_cost),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
