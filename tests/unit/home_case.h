/* home_case.h - what the tests of timelines share: a reader, Alice, whom she may follow, and her home as the engine has
 * it. Posts are put into the engine by hand, so no test waits for a time to pass.
 */
#ifndef TESTS_HOME_CASE_H
#define TESTS_HOME_CASE_H

#include "social_case.h"

#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/timelines/home.h"
#include "social/timelines/timeline.h"

#define PAGE 20
#define POSTS 120
#define APART_MS 50 /* hours aside, all of them lie within SOCIAL_DISORDER_MS */
#define HOUR_MS 3600000
#define DAY_MS (INT64_C(24) * HOUR_MS)

static uint64_t alice, bob, carol;
static uint64_t posts[POSTS];        /* newest first */
static const char *home, *homestate; /* keys of alice's */

static inline int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    carol = person(name_in(9, 0));
    home = key_id(arena, KEY_HOME, alice);
    homestate = key_id(arena, KEY_HOMESTATE, alice);
    return 0;
}

static inline void follow(uint64_t reader, uint64_t author)
{
    ask(id_bucket(reader), "ZADD", key_id(arena, KEY_FOLLOWING, reader), "1", id_text(arena, author));
    ask(id_bucket(author), "ZADD", key_id(arena, KEY_FOLLOWERS, author), "1", id_text(arena, reader));
}

static inline struct timeline_page read_home(uint64_t max_id, uint64_t min_id)
{
    struct timeline_query q = {.max_id = max_id, .min_id = min_id, .limit = PAGE};
    struct visit *v = visit_begin_as(social, arena, alice);
    const struct home *h = home_ask(v, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    return h->page;
}

/* The page's posts are those from this one on. */
static inline void assert_page(struct timeline_page page, unsigned first)
{
    assert_int_equal(page.count, PAGE);
    for (unsigned i = 0; i < PAGE; i++) {
        assert_int_equal(page.posts[i].id, posts[first + i]);
    }
}

/* Waits until a visit's window has come into the engine: no visit waits for that. */
static inline void wait_for_home(uint64_t newest)
{
    const char *first = "";
    for (unsigned i = 0; i < 5000 && strcmp(first, id_text(arena, newest)) != 0; i++) {
        clock_sleep_ms(2);
        first = store_text(ask(7, "LINDEX", home, "0", NULL));
    }
    assert_string_equal(first, id_text(arena, newest));
}

#define timeline(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

#endif
