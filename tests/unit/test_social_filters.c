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

#define POST UINT64_C(115000000000000088) /* some post */

static uint64_t alice, bob;

/* At home, of one word. */
static struct filter simple(const char *phrase)
{
    struct filter_keyword *k = arena_zero(arena, sizeof(*k));
    k->phrase = phrase;
    return (struct filter){.title = phrase, .keywords = k, .keyword_count = 1, .places = 1};
}

static void add(const char *phrase, unsigned places, bool hides, uint64_t until_ms)
{
    struct filter f = simple(phrase);
    f.places = places;
    f.action = hides ? FILTER_HIDE : FILTER_WARN;
    f.until_ms = until_ms;
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
    const struct filter_match *met;
    enum sight sight = post_sight(visit_of(place), p, place, &met);
    return sight == SIGHT_HIDDEN ? "hidden" : met ? met->filter->title : "";
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
    assert_string_equal(all[1].title, "cake"); /* in the order in which they were made, also within a millisecond */
    assert_int_equal(filter_remove(social, arena, as(alice), all[1].id, none()), ERR_OK);
    assert_int_equal(filter_remove(social, arena, as(alice), all[1].id, none()), ERR_NOT_FOUND);
    add("cake", 1, true, clock_site_ms() - 1);
    assert_string_equal(seen(SEE_LIST, &post), "Tea");
}

/* --- several words, single posts ----------------------------------------------------------------------------------- */

/* Reads it back from what is kept, and from what is remembered. */
static const struct filter *kept(uint64_t id)
{
    const struct filter *found = NULL;
    for (unsigned time = 0; time < 2; time++) {
        size_t count;
        const struct filter *all = visit_filters(visit_of(SEE_HOME), &count);
        for (size_t i = 0; i < count; i++) {
            found = all[i].id == id ? &all[i] : found;
        }
    }
    assert_non_null(found);
    return found;
}

static void test_many_words(void **state)
{
    (void)state;
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    struct filter_keyword words[] = {
        {.phrase = "tea\ntime", .whole_word = true}, {.phrase = "k1 cake"}, {.phrase = "x: \t"}};
    struct filter_post posts[] = {{.post = POST - 1}, {.post = POST}};
    struct filter f = {
        .title = "Food", .places = 5, .keywords = words, .keyword_count = 3, .posts = posts, .post_count = 2};
    assert_int_equal(filter_add(social, arena, as(alice), &f, none()), ERR_OK);
    const struct filter *found = kept(f.id);
    assert_string_equal(found->title, "Food");
    assert_int_equal(found->keyword_count, 3);
    assert_int_equal(found->post_count, 2);
    assert_int_equal(found->keywords[0].id, f.id);
    for (size_t i = 0; i < 3; i++) {
        static const char *const expected[] = {"tea time", "k1 cake", "x:"};
        assert_string_equal(found->keywords[i].phrase, expected[i]);
        assert_int_equal(found->keywords[i].whole_word, i == 0);
        assert_true(i == 0 || found->keywords[i].id > found->keywords[i - 1].id);
    }
    assert_int_equal(found->posts[1].post, POST);
    assert_true(found->posts[0].id && found->posts[0].id != found->posts[1].id);
    const struct post post = {.id = 1, .author = {.id = bob}, .text = "K1 cake at tea time", .spoiler = ""},
                      single = {.id = POST, .author = {.id = bob}, .text = "-", .spoiler = ""},
                      boost = {
                          .id = 5, .author = {.id = bob}, .boost = POST, .boosted = &single, .text = "", .spoiler = ""};
    const struct filter_match *met;
    assert_int_equal(post_sight(visit_of(SEE_LIST), &post, SEE_LIST, &met), SIGHT_FULL);
    assert_int_equal(met->keyword_count, 2);
    assert_int_equal(met->post, 0);
    assert_null(met->next);
    assert_string_equal(seen(SEE_LIST, &single), "Food");
    assert_string_equal(seen(SEE_LIST, &boost), "Food");
    assert_string_equal(seen(SEE_THREAD, &single), "");
    add("cake", 1, false, 0);
    struct filter blur = simple("tea");
    blur.action = FILTER_BLUR;
    assert_int_equal(filter_add(social, arena, as(alice), &blur, none()), ERR_OK);
    add("K1", 1, false, 0);
    assert_int_equal(post_sight(visit_of(SEE_LIST), &post, SEE_LIST, &met), SIGHT_FULL);
    assert_string_equal(met->next->next->filter->title, "K1");
    assert_string_equal(met->next->next->next->filter->title, "tea"); /* what warns comes first */
}

/* It is made of what it was, or not at all. */
static void test_changed_meanwhile(void **state)
{
    (void)state;
    alice = person(name_in(7, 0));
    add("tea", 1, false, 0);
    size_t count;
    struct filter one = visit_filters(visit_of(SEE_HOME), &count)[0], two = one;
    one.title = "one";
    two.title = "two";
    assert_int_equal(filter_set(social, arena, as(alice), &one, none()), ERR_OK);
    assert_int_equal(filter_set(social, arena, as(alice), &one, none()), ERR_OK); /* the same call again */
    assert_int_equal(filter_set(social, arena, as(alice), &two, none()), ERR_BUSY);
    assert_string_equal(kept(one.id)->title, "one");
    assert_string_equal(kept(one.id)->keywords[0].phrase, "tea");
    two.value = kept(one.id)->value;
    two.keyword_count = 0;
    assert_int_equal(filter_set(social, arena, as(alice), &two, none()), ERR_OK);
    assert_int_equal(kept(one.id)->keyword_count, 0);
    two.id++;
    assert_int_equal(filter_set(social, arena, as(alice), &two, none()), ERR_NOT_FOUND);
}

/* --- rules --------------------------------------------------------------------------------------------------------- */

static enum err try_add(const char *phrase, unsigned places)
{
    struct filter f = simple(phrase);
    f.places = places;
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
        struct filter f = simple(arena_printf(arena, "%u: tea", i));
        clock_sleep_ms(1);
        assert_int_equal(filter_add(social, arena, &tool, &f, none()), ERR_OK);
    }
    struct filter f = simple("one more");
    assert_int_equal(filter_add(social, arena, &tool, &f, none()), ERR_CONFLICT);
    size_t count;
    const struct filter *all = visit_filters(visit_of(SEE_HOME), &count);
    assert_int_equal(count, FILTER_MOST);
    assert_string_equal(all[FILTER_MOST - 1].title, "49: tea");
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
    site(test_keywords),
    site(test_places),
    site(test_hiding_wins_and_ends),
    site(test_many_words),
    site(test_changed_meanwhile),
    site(test_rules),
    site(test_cost),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
