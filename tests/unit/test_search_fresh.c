/* test_search_fresh.c - posts between being written and being in the index of search: what waits, who finds it, how it gets into the lists, also
 * when that happens twice or only half; and words that leave the lists with an edit.
 */
#include "social_case.h"

#include "base/buffer.h"
#include "social/people/visit.h"
#include "social/posts/delivery.h"
#include "social/posts/edit.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "social/posts/publish.h"
#include "social/search/build.h"
#include "social/search/fresh.h"
#include "social/search/index.h"
#include "social/search/search.h"
#include "social/timelines/fanout.h"

static uint64_t alice, bob;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    return 0;
}

#define fresh_test(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static uint64_t write_draft(uint64_t by, const struct post_draft *draft)
{
    struct fanout_wave *wave = NULL;
    uint64_t id = 0;
    assert_int_equal(post_create(social, arena, as(by), draft, &id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    return id;
}

static uint64_t write_post(uint64_t by, const char *text)
{
    return write_draft(by, &(struct post_draft){.text = text});
}

static unsigned count_found(uint64_t viewer, const char *text)
{
    struct visit *v = viewer ? visit_begin_as(social, arena, viewer) : visit_begin(social, arena, NULL);
    const struct search_posts *found = search_posts_ask(v, text, 0, 200);
    assert_int_equal(visit_read(v), ERR_OK);
    return (unsigned)found->count;
}

static int64_t waiting(void)
{
    return store_integer(ask(0, "HLEN", key_plain(arena, KEY_FRESH, 0), NULL, NULL));
}

/* How many bytes the hash of lists has for a word; 0: nothing. */
static size_t listed(const char *word)
{
    const char *slot = index_slot(arena, word);
    return ask(key_text_bucket(slot), "HGET", key_text(arena, KEY_WORDS, slot), word, NULL)->length;
}

/* --- waiting ------------------------------------------------------------------------------------------------------- */

static void test_a_post_waits(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "Some WORDS");
    assert_int_equal(waiting(), 1);
    assert_int_equal(listed("words"), 0);
    assert_string_equal(store_text(ask(0, "HGET", key_plain(arena, KEY_FRESH, 0), id_text(arena, id), NULL)),
                        " some words ");
    assert_int_equal(count_found(0, "words"), 1);
    for (unsigned i = 0; i < 2; i++) { /* and once more changes nothing */
        assert_int_equal(fresh_settle(social, arena), ERR_OK);
        assert_int_equal(waiting(), 0);
        assert_int_equal(listed("words"), 8);
        assert_int_equal(count_found(0, "words"), 1);
    }
    finish_jobs();
    assert_clean();
}

/* When enough of them wait they go into the lists, with nobody's help. */
static void test_many_posts_go_on(void **state)
{
    (void)state;
    for (unsigned i = 1; i < FRESH_MANY; i++) {
        write_post(alice, arena_printf(arena, "common n%u", i));
    }
    assert_int_equal(waiting(), FRESH_MANY - 1);
    assert_int_equal(listed("common"), 0);
    write_post(bob, "the last common");
    assert_int_equal(waiting(), 0);
    assert_true(listed("common") > 0);
    assert_int_equal(count_found(0, "common"), FRESH_MANY);
    assert_int_equal(count_found(0, "n7"), 1);
    finish_jobs();
    assert_clean();
}

/* If that failed, a later post does it; the first FRESH_MANY do not block it. */
static void test_somebody_tries_again(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < FRESH_MANY + 10; i++) { /* of a server that has died: all of them are gone */
        store_command(b, 0, "HSET", key_plain(arena, KEY_FRESH, 0), id_text(arena, id_of_ms(1 + i) | 7 << 6), " x ",
                      NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    unsigned wrote = 0;
    do {
        write_post(alice, "again");
        wrote++;
    } while (waiting() && wrote < FRESH_MANY);
    assert_int_equal(waiting(), 0);
    assert_true(wrote <= FRESH_MANY / 4);
    assert_int_equal(count_found(0, "again"), wrote);
    assert_int_equal(count_found(0, "x"), 0);
}

/* A server that died between the lists and the end of the waiting. */
static void test_both_in_the_lists_and_waiting(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "some words");
    const char *value =
        arena_dup(arena, store_text(ask(0, "HGET", key_plain(arena, KEY_FRESH, 0), id_text(arena, id), NULL)));
    assert_int_equal(fresh_settle(social, arena), ERR_OK);
    ask(0, "HSET", key_plain(arena, KEY_FRESH, 0), id_text(arena, id), value);
    assert_int_equal(count_found(0, "words"), 1);
    assert_int_equal(fresh_settle(social, arena), ERR_OK);
    assert_int_equal(listed("words"), 8);
}

static void test_gone_while_it_waits(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "some words"), other = write_post(alice, "other words");
    assert_int_equal(post_delete(social, arena, as(alice), id, none()), ERR_OK);
    assert_int_equal(waiting(), 1);
    assert_int_equal(count_found(0, "words"), 1);
    ask(7, "DEL", key_id(arena, KEY_POST, other), NULL, NULL); /* lost: nothing of it comes into the lists */
    assert_int_equal(fresh_settle(social, arena), ERR_OK);
    assert_int_equal(waiting(), 0);
    assert_int_equal(listed("words"), 0);
}

static void test_switched_off(void **state)
{
    (void)state;
    write_post(alice, "some words");
    config.search.enabled = false;
    write_post(alice, "more words");
    assert_int_equal(waiting(), 1);
    assert_int_equal(build_begin(social, arena), ERR_OK);
    finish_jobs();
    assert_int_equal(waiting(), 0);
    config.search.enabled = true;
}

/* The index made anew has everything: nothing waits. */
static void test_rebuilt(void **state)
{
    (void)state;
    write_post(alice, "some words");
    assert_int_equal(build_now(social, arena), ERR_OK);
    assert_int_equal(waiting(), 0);
    assert_int_equal(listed("words"), 8);
}

/* --- who finds what waits ------------------------------------------------------------------------------------------ */

/* The ids that may be meant, of one post that waits. */
static unsigned hits(const char *value, const char *word, uint64_t uid, uint64_t below)
{
    struct store_batch *b = new_batch();
    store_command(b, 0, "DEL", key_plain(arena, KEY_FRESH, 0), NULL);
    store_command(b, 0, "HSET", key_plain(arena, KEY_FRESH, 0), "117661773351485890", value, NULL);
    size_t all = fresh_ask(b, arena);
    assert_int_equal(store_run(b), ERR_OK);
    return (unsigned)fresh_hits(arena, store_reply(b, all), word, uid, below).count;
}

static void test_hits(void **state)
{
    (void)state;
    assert_int_equal(hits(" some words ", "some", 0, 0), 1);
    assert_int_equal(hits(" some words ", "words", 0, 0), 1);
    assert_int_equal(hits(" some words ", "word", 0, 0), 0); /* a beginning is none, nor is an end */
    assert_int_equal(hits(" some words ", "ome", 0, 0), 0);
    assert_int_equal(hits(" awords words ", "words", 0, 0), 1);
    assert_int_equal(hits(" some words ", "words", 0, UINT64_C(117661773351485890)), 0);
    assert_int_equal(hits(" some words ", "words", 0, UINT64_C(117661773351485891)), 1);
    assert_int_equal(hits("77 secret ", "secret", 0, 0), 0);
    assert_int_equal(hits("77 secret ", "secret", 7, 0), 0);
    assert_int_equal(hits("77 secret ", "secret", 77, 0), 1);
    assert_int_equal(hits("77 secret ", "77", 7, 0), 0);
    assert_int_equal(hits(" \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E ", "\xE6\x97\xA5\xE6\x9C\xAC", 0, 0), 1);
    assert_int_equal(hits(" \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E ", "\xE6\x9C\xAC", 0, 0), 1);
    assert_int_equal(hits("", "some", 0, 0), 0);
}

static void test_nobody_else_finds_it(void **state)
{
    (void)state;
    write_draft(alice, &(struct post_draft){.text = "my secret", .visibility = "private"});
    assert_int_equal(waiting(), 1);
    assert_int_equal(count_found(0, "secret"), 0);
    assert_int_equal(count_found(bob, "secret"), 0);
    assert_int_equal(count_found(alice, "secret"), 1);
}

/* --- edits --------------------------------------------------------------------------------------------------------- */

static void edit(uint64_t id, const char *text, const char *spoiler)
{
    const struct post_draft draft = {.text = text, .spoiler = spoiler};
    assert_int_equal(post_edit(social, arena, as(alice), id, &draft, none()), ERR_OK);
}

/* What a post does not say any more leaves the lists; what it says still stays. */
static void test_words_leave(void **state)
{
    (void)state;
    uint64_t id = write_draft(alice, &(struct post_draft){.text = "early words stay", .spoiler = "warned"});
    assert_int_equal(fresh_settle(social, arena), ERR_OK);
    assert_int_equal(listed("early"), 8);
    edit(id, "late words stay", "stay warned");
    finish_jobs();
    assert_int_equal(listed("early"), 0);
    assert_int_equal(listed("words"), 8);
    assert_int_equal(listed("warned"), 8);
    assert_int_equal(listed("late"), 8);
    edit(id, "early again", "");
    finish_jobs();
    assert_int_equal(listed("early"), 8); /* it came back */
    assert_int_equal(listed("late") + listed("words") + listed("warned") + listed("stay"), 0);
    assert_int_equal(count_found(0, "early"), 1);
    assert_int_equal(count_found(0, "late"), 0);
    assert_clean();
}

/* Two edits whose jobs run after both, in whatever order: the last one counts, and both versions before it leave. */
static void test_edits_that_overlap(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "first version"), other = write_post(bob, "first of another");
    assert_int_equal(fresh_settle(social, arena), ERR_OK);
    edit(id, "second version", "");
    const char *history = key_id(arena, KEY_HISTORY, id), *record = key_id(arena, KEY_POST, id);
    struct store_batch *b = new_batch();
    store_command(b, 7, "RPUSH", history, "1", "", "second version", NULL); /* as the script does; its job is to come */
    store_command(b, 7, "HSET", record, "text", "third version", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    struct delivery_edit_work *work = job_new(arena, social->parts->delivery->edit_work, alice);
    work->post = id;
    work->tags = "";
    assert_int_equal(job_run(social, arena, &work->job), ERR_OK);
    assert_int_equal(listed("second"), 0);
    assert_int_equal(listed("third"), 8);
    assert_int_equal(listed("first"), 8); /* the other post's */
    assert_int_equal(count_found(0, "first"), 1);
    assert_int_equal(post_delete(social, arena, as(bob), other, none()), ERR_OK);
    assert_int_equal(listed("first"), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        fresh_test(test_a_post_waits),
        fresh_test(test_many_posts_go_on),
        fresh_test(test_somebody_tries_again),
        fresh_test(test_both_in_the_lists_and_waiting),
        fresh_test(test_gone_while_it_waits),
        fresh_test(test_switched_off),
        fresh_test(test_rebuilt),
        fresh_test(test_hits),
        fresh_test(test_nobody_else_finds_it),
        fresh_test(test_words_leave),
        fresh_test(test_edits_that_overlap),
    };
    return site_main(argc, argv, tests, COUNT(tests));
}
