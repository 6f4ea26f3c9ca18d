/* test_social_edit.c - what follows from an edit: who boosted the post is told once, tags and whom it mentions are those of its words, whatever
 * other edits and deletions come in between, also by processes that know only the words before.
 */
#include "home_case.h"

#include "social/posts/boost.h"
#include "social/posts/delivery.h"
#include "social/posts/edit.h"
#include "social/posts/publish.h"
#include "social/timelines/fanout.h"

#define MANY 501 /* one more than a step of the job tells */

static uint64_t post;

static uint64_t write_text(uint64_t by, const char *text)
{
    struct fanout_wave *wave;
    uint64_t id = 0;
    const struct post_draft draft = {.text = text};
    assert_int_equal(post_create(social, arena, as(by), &draft, &id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    return id;
}

/* Alice writes. */
static int begin_edit(void **state)
{
    begin(state);
    post = write_text(alice, "before #old");
    return 0;
}

static enum err edit(uint64_t id, const char *text)
{
    return post_edit(social, arena, as(alice), id, &(struct post_draft){.text = text}, none());
}

static void boost(uint64_t uid, bool on)
{
    struct fanout_wave *wave;
    assert_int_equal(post_boost(social, arena, as(uid), post, on, &wave, none()), ERR_OK);
    fanout_wait(wave);
}

/* When somebody was told of an edit of the post (us); 0: he is not. */
static uint64_t told_us(uint64_t uid)
{
    const struct store_reply *r = ask(id_bucket(uid), "ZSCORE", key_id(arena, KEY_NOTICES, uid),
                                      arena_printf(arena, "e:%s", id_text(arena, post)), NULL);
    return strtoull(store_text(r), NULL, 10);
}

static bool leads(const char *tag, uint64_t id)
{
    return ask(key_text_bucket(tag), "ZSCORE", key_text(arena, KEY_TAG, tag), id_text(arena, id), NULL)->type !=
           STORE_NIL;
}

/* --- those who boosted it ------------------------------------------------------------------------------------------ */

/* Each edit is told once, later ones again; whoever does not boost it, or not any more, is told nothing. */
static void test_boosters_are_told(void **state)
{
    (void)state;
    boost(bob, true);
    boost(alice, true);
    assert_int_equal(edit(post, "after"), ERR_OK);
    uint64_t first = told_us(bob);
    assert_int_not_equal(first, 0);
    assert_int_equal(told_us(carol), 0);
    assert_int_equal(told_us(alice), 0);           /* it was she */
    assert_int_equal(edit(post, "after"), ERR_OK); /* the same words */
    assert_int_equal(told_us(bob), first);
    assert_int_equal(edit(post, "after that"), ERR_OK);
    assert_true(told_us(bob) > first);
    boost(bob, false);
    assert_int_equal(told_us(bob), 0);
    assert_int_equal(edit(post, "at last"), ERR_OK);
    assert_int_equal(told_us(bob), 0);
    finish_jobs();
    assert_clean();
}

/* What came before the boost is no news. */
static void test_later_boosters_are_not_told(void **state)
{
    (void)state;
    boost(bob, true);
    struct store_batch *b = new_batch();
    uint64_t later_us = (clock_site_ms() + 600000) * 1000;
    store_command(b, id_bucket(post), "ZADD", key_id(arena, KEY_BOOSTS, post),
                  arena_printf(arena, "%llu", (unsigned long long)later_us), id_text(arena, bob), NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(edit(post, "after"), ERR_OK);
    assert_int_equal(told_us(bob), 0);
}

/* A post that goes takes along what was told of its edits. */
static void test_post_goes_with_its_notices(void **state)
{
    (void)state;
    boost(bob, true);
    assert_int_equal(edit(post, "after"), ERR_OK);
    assert_int_equal(post_delete(social, arena, as(alice), post, none()), ERR_OK);
    finish_jobs();
    assert_int_equal(told_us(bob), 0);
    assert_clean();
}

/* A crowd: the author waits for the first ones, the job tells the others, and whoever took his boost back is not among them. */
static void test_a_crowd_is_told(void **state)
{
    (void)state;
    uint64_t people[MANY];
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < MANY; i++) {
        people[i] = id_of_ms(1600000000000 + i) | (uint64_t)(20 + i % 100) << 6;
        const char *uid = id_text(arena, people[i]), *member = arena_printf(arena, "%s 5", id_text(arena, post));
        unsigned bucket = id_bucket(people[i]);
        store_command(b, bucket, "HSET", key_id(arena, KEY_USER, people[i]), "name", uid, NULL);
        store_command(b, bucket, "ZADD", key_id(arena, KEY_BOOSTED, people[i]), "0", member, NULL);
        store_command(b, id_bucket(post), "ZADD", key_id(arena, KEY_BOOSTS, post), arena_printf(arena, "%u", i + 1),
                      uid, NULL);
    }
    store_command(b, id_bucket(people[7]), "DEL", key_id(arena, KEY_BOOSTED, people[7]), NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(edit(post, "after"), ERR_OK);
    assert_int_not_equal(told_us(people[0]), 0);
    finish_jobs();
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(told_us(people[i]) != 0, i != 7);
    }
}

/* --- those whom it mentions ---------------------------------------------------------------------------------------- */

/* When somebody was told that the post mentions him (us); 0: he is not. */
static uint64_t mentioned_us(uint64_t uid)
{
    const struct store_reply *r = ask(id_bucket(uid), "ZSCORE", key_id(arena, KEY_NOTICES, uid),
                                      arena_printf(arena, "m:%s", id_text(arena, post)), NULL);
    return strtoull(store_text(r), NULL, 10);
}

/* When the post was edited last. */
static uint64_t edited_us(void)
{
    const struct store_reply *r = ask(id_bucket(post), "HGET", key_id(arena, KEY_POST, post), "edited", NULL);
    return strtoull(store_text(r), NULL, 10) * 1000;
}

/* Who is mentioned by an edit is told then, once; who is mentioned no more has no notice that nobody would take away. */
static void test_mentions_follow_the_words(void **state)
{
    (void)state;
    const char *to_bob = arena_printf(arena, "for @%s", name_in(8, 0)),
               *and = arena_printf(arena, "@%s", name_in(9, 0));
    assert_int_equal(edit(post, to_bob), ERR_OK);
    uint64_t first = mentioned_us(bob);
    assert_int_equal(first, edited_us());
    assert_int_equal(edit(post, arena_printf(arena, "%s and %s", to_bob, and)), ERR_OK);
    assert_int_equal(mentioned_us(bob), first);
    assert_int_equal(mentioned_us(carol), edited_us());
    assert_int_equal(edit(post, arena_printf(arena, "for %s", and)), ERR_OK);
    assert_int_equal(mentioned_us(bob), 0);
    assert_int_not_equal(mentioned_us(carol), 0);
    assert_int_equal(post_delete(social, arena, as(alice), post, none()), ERR_OK);
    finish_jobs();
    assert_int_equal(mentioned_us(carol), 0);
    assert_clean();
}

/* --- processes that know the words before -------------------------------------------------------------------------- */

/* The words of the post as another process changes them: here nobody hears of it. Its job is done. */
static void edit_elsewhere(const char *text, const char *tag)
{
    struct store_batch *b = new_batch();
    const char *id = id_text(arena, post);
    store_command(b, id_bucket(post), "HSET", key_id(arena, KEY_POST, post), "text", text, "edited",
                  arena_printf(arena, "%llu", (unsigned long long)clock_site_ms() + 1), "mentions",
                  post_mentions_text(arena, &(struct post_mention){"bob", bob}, 1), NULL);
    store_command(b, key_text_bucket(tag), "ZADD", key_text(arena, KEY_TAG, tag), "0", id, NULL);
    store_command(b, id_bucket(bob), "ZADD", key_id(arena, KEY_NOTICES, bob), "5", arena_printf(arena, "m:%s", id),
                  NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* Reads it, so that this process remembers it. */
static void remember(void)
{
    struct post_load l = {.id = post};
    struct store_batch *b = social_batch(social, arena);
    post_load_add(social, b, arena, &l, 1);
    assert_int_equal(store_run(b), ERR_OK);
    post_load_take(social, b, arena, &l, 1);
    assert_int_equal(l.post.id, post);
}

/* It was edited there and is deleted here: no tag leads to it, nobody is told of it. */
static void test_delete_what_was_edited_elsewhere(void **state)
{
    (void)state;
    remember();
    edit_elsewhere("now #new", "new");
    assert_int_equal(post_delete(social, arena, as(alice), post, none()), ERR_OK);
    finish_jobs();
    assert_false(leads("new", post));
    assert_int_equal(store_integer(ask(id_bucket(bob), "ZCARD", key_id(arena, KEY_NOTICES, bob), NULL, NULL)), 0);
}

/* Edited there and here: the last one counts, and no tag of the one in between stays; its words are kept. */
static void test_edit_what_was_edited_elsewhere(void **state)
{
    (void)state;
    remember();
    edit_elsewhere("now #new", "new");
    assert_int_equal(edit(post, "at last #newest"), ERR_OK);
    finish_jobs();
    assert_false(leads("new", post));
    assert_true(leads("newest", post));
    const struct store_reply *words = ask(id_bucket(post), "LRANGE", key_id(arena, KEY_HISTORY, post), "0", "-1");
    assert_int_equal(words->count, 3);
    assert_string_equal(store_text(&words->items[2]), "now #new");
}

/* --- the job comes late -------------------------------------------------------------------------------------------- */

/* The job of an edit, as after a crash. */
static struct delivery_edit_work *job_of_edit(const char *tags)
{
    struct delivery_edit_work *w = job_new(arena, social->parts->delivery->edit_work, alice);
    w->post = post;
    w->tags = tags;
    w->people = id_text(arena, bob);
    return w;
}

/* After a later edit: it brings nothing of its own words back. */
static void test_job_after_a_later_edit(void **state)
{
    (void)state;
    assert_int_equal(edit(post, "now #new"), ERR_OK);
    assert_int_equal(edit(post, "at last #newest"), ERR_OK);
    assert_int_equal(job_run(social, arena, &job_of_edit("old,new")->job), ERR_OK);
    assert_false(leads("old", post) || leads("new", post));
    assert_true(leads("newest", post));
}

/* After the post: it brings nothing back, and takes away what it may have written before. */
static void test_job_after_the_post(void **state)
{
    (void)state;
    assert_int_equal(post_delete(social, arena, as(alice), post, none()), ERR_OK);
    finish_jobs();
    ask(key_text_bucket("new"), "ZADD", key_text(arena, KEY_TAG, "new"), "0", id_text(arena, post));
    ask(id_bucket(bob), "ZADD", key_id(arena, KEY_NOTICES, bob), "5",
        arena_printf(arena, "m:%s", id_text(arena, post)));
    assert_int_equal(job_run(social, arena, &job_of_edit("old,new")->job), ERR_OK);
    assert_false(leads("new", post));
    assert_int_equal(store_integer(ask(id_bucket(bob), "ZCARD", key_id(arena, KEY_NOTICES, bob), NULL, NULL)), 0);
    assert_clean();
}

#define edited(f) cmocka_unit_test_setup_teardown(f, begin_edit, site_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        edited(test_boosters_are_told),
        edited(test_later_boosters_are_not_told),
        edited(test_post_goes_with_its_notices),
        edited(test_a_crowd_is_told),
        edited(test_mentions_follow_the_words),
        edited(test_delete_what_was_edited_elsewhere),
        edited(test_edit_what_was_edited_elsewhere),
        edited(test_job_after_a_later_edit),
        edited(test_job_after_the_post),
    };
    return site_main(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
