/* test_social_visibility.c - where a post of each visibility goes, and that nothing of it stays; what a draft may say; answering what one
 * may not see.
 */
#include "social_case.h"

#include "social/people/follow.h"
#include "social/posts/delivery.h"
#include "social/people/visit.h"
#include "social/posts/edit.h"
#include "social/posts/post_pick.h"
#include "social/posts/publish.h"
#include "social/timelines/fanout.h"

static uint64_t alice, bob;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    return 0;
}

#define posting(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static enum err try_post(uint64_t by, const struct post_draft *draft, uint64_t *id, struct problems *p)
{
    struct fanout_wave *wave = NULL;
    enum err e = post_create(social, arena, as(by), draft, id, &wave, p);
    fanout_wait(wave);
    return e;
}

static uint64_t write_post(uint64_t by, const struct post_draft *draft)
{
    uint64_t id = 0;
    assert_int_equal(try_post(by, draft, &id, none()), ERR_OK);
    return id;
}

static bool has(unsigned bucket, const char *key, uint64_t id)
{
    return ask(bucket, "ZSCORE", key, id_text(arena, id), NULL)->type != STORE_NIL;
}

static bool in_list(unsigned bucket, const char *key, uint64_t id)
{
    return ask(bucket, "LPOS", key, id_text(arena, id), NULL)->type != STORE_NIL;
}

/* Where a post lies: letters for public timeline, tag, replies of what it answers, home of a follower, own home, own posts, directs,
 * newest. */
static const char *places_of(uint64_t id, uint64_t parent)
{
    char out[9] = "";
    size_t n = 0;
    const struct {
        char letter;
        bool is_there;
    } places[] = {
        {'p', in_list(0, key_plain(arena, KEY_TIMELINE, 0), id)},
        {'t', has(key_text_bucket("tag"), key_text(arena, KEY_TAG, "tag"), id)},
        {'r', has(id_bucket(parent), key_id(arena, KEY_REPLIES, parent), id)},
        {'h', in_list(8, key_id(arena, KEY_HOME, bob), id)},
        {'o', in_list(7, key_id(arena, KEY_HOME, alice), id)},
        {'w', has(7, key_id(arena, KEY_POSTS, alice), id)},
        {'d', has(7, key_id(arena, KEY_DIRECTS, alice), id)},
        {'n', strcmp(store_text(ask(7, "GET", key_id(arena, KEY_NEWEST, alice), NULL, NULL)), id_text(arena, id)) == 0},
    };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (places[i].is_there) {
            out[n++] = places[i].letter;
        }
    }
    return arena_dup(arena, out);
}

static void follow(uint64_t reader, const char *name)
{
    struct follow_item item = {.name = name};
    assert_int_equal(follow_many(social, arena, as(reader), true, &item, 1, none()), ERR_OK);
    finish_jobs();
}

static void begin_home(unsigned bucket, uint64_t uid)
{
    ask(bucket, "DEL", key_id(arena, KEY_HOME, uid), NULL, NULL);
    ask(bucket, "RPUSH", key_id(arena, KEY_HOME, uid), "0", NULL);
}

static void test_delivery(void **state)
{
    (void)state;
    static const struct {
        const char *visibility, *places;
    } rows[] = {{"", "ptrhown"}, {"public", "ptrhown"}, {"unlisted", "rhown"}, {"private", "hown"}, {"direct", "d"}};
    uint64_t parent = write_post(bob, &(struct post_draft){.text = "a question"});
    follow(bob, name_in(7, 0));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin_home(7, alice);
        begin_home(8, bob);
        uint64_t id = write_post(
            alice,
            &(struct post_draft){.text = "a word of #tag", .visibility = rows[i].visibility, .reply_to = parent});
        assert_string_equal(places_of(id, parent), rows[i].places);
        finish_jobs();
        assert_string_equal(places_of(id, parent), rows[i].places);
        assert_clean();
        ask(7, "DEL", key_id(arena, KEY_NEWEST, alice), NULL, NULL); /* it stays when a post goes */
        assert_int_equal(post_delete(social, arena, as(alice), id, none()), ERR_OK);
        finish_jobs();
        assert_string_equal(places_of(id, parent), "");
        assert_clean();
    }
}

/* A job that was interrupted at its beginning does the same again. */
static void test_delivered_again(void **state)
{
    (void)state;
    uint64_t parent = write_post(bob, &(struct post_draft){.text = "a question"});
    struct post_draft draft = {.text = "#tag", .reply_to = parent, .visibility = "private"};
    const char *const words[] = {"unlisted", "private", "direct"};
    const char *const places[] = {"row", "ow", "d"};
    for (unsigned i = 0; i < 3; i++) {
        begin_home(7, alice);
        draft.visibility = words[i];
        struct fanout_wave *wave;
        uint64_t id;
        assert_int_equal(post_create(social, arena, as(alice), &draft, &id, &wave, none()), ERR_OK);
        struct job *work = job_new(arena, social->parts->delivery->work, alice);
        ((struct delivery_work *)work)->post = id;
        ((struct delivery_work *)work)->mode = "push";
        ((struct delivery_work *)work)->delivers = false;
        work->cursor = "0";
        bool done = false;
        assert_int_equal(social->parts->delivery->work->step(social, arena, work, &done), ERR_OK);
        finish_jobs();
        const char *found = places_of(id, parent);
        assert_int_equal(strncmp(found, places[i], strlen(places[i])), 0);
        assert_true(strlen(found) <= strlen(places[i]) + 1);
    }
    assert_clean();
}

/* --- drafts -------------------------------------------------------------------------------------------------------- */

static const char *refusal(const struct post_draft *draft)
{
    struct problems problems = {.count = 0};
    uint64_t id;
    enum err e = try_post(alice, draft, &id, &problems);
    assert_int_equal(e, problems.count ? ERR_INVALID : ERR_OK);
    return problems.count ? arena_printf(arena, "%s:%s", problems.items[0].field, problems.items[0].rule) : "";
}

static void test_drafts(void **state)
{
    (void)state;
    char long_text[500 + 1];
    memset(long_text, 'x', 500);
    long_text[500] = '\0';
    const char *const good[] = {"", "en", "zh-CN", "yue", "sr-Latn"};
    const char *const bad[] = {"e", "EN", "engl", "en-", "en-US-x", "en_US", "en\"", "zh-Hant-TW"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_string_equal(refusal(&(struct post_draft){.text = "x", .language = good[i]}), "");
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_string_equal(refusal(&(struct post_draft){.text = "x", .language = bad[i]}),
                            "language:language_unknown");
    }
    assert_string_equal(refusal(&(struct post_draft){.text = "x", .visibility = "followers"}),
                        "visibility:visibility_unknown");
    assert_string_equal(refusal(&(struct post_draft){.text = "x", .spoiler = "a\x01"}), "spoiler_text:post_invalid");
    assert_string_equal(refusal(&(struct post_draft){.text = " ", .spoiler = "a"}), "status:post_blank");
    assert_string_equal(refusal(&(struct post_draft){.text = long_text}), "");
    assert_string_equal(refusal(&(struct post_draft){.text = long_text, .spoiler = "a"}), "status:post_too_long");
}

static const char *field(uint64_t post, const char *name)
{
    return store_text(ask(id_bucket(post), "HGET", key_id(arena, KEY_POST, post), name, NULL));
}

static void test_fields(void **state)
{
    (void)state;
    struct post_draft draft = {
        .text = " x ", .visibility = "unlisted", .spoiler = " two\r\nlines ", .language = "ro", .request_key = "key"};
    uint64_t id = write_post(alice, &draft);
    assert_string_equal(field(id, "text"), "x");
    assert_string_equal(field(id, "visibility"), "unlisted");
    assert_string_equal(field(id, "spoiler"), "two lines");
    assert_string_equal(field(id, "language"), "ro");
    assert_int_equal(write_post(alice, &draft), id); /* the same request */
    draft.visibility = "private";
    uint64_t other = write_post(alice, &draft);
    assert_int_not_equal(other, id);
    draft.spoiler = "another";
    assert_int_not_equal(write_post(alice, &draft), other);
    draft.visibility = "public";
    id = write_post(alice, &draft);
    assert_int_equal(ask(7, "HEXISTS", key_id(arena, KEY_POST, id), "visibility", NULL)->integer, 0);
}

/* --- places -------------------------------------------------------------------------------------------------------- */

/* Degrees as people and their maps write them, and what is kept of them: a metre. */
static void test_place_is_kept(void **state)
{
    (void)state;
    static const struct {
        const char *latitude, *longitude, *place;
    } rows[] = {{"48.858370", "2.294481", "48.85837,2.29448"},
                {" +48 ", "-0.5", "48,-0.5"},
                {"-90", "180.00000", "-90,180"},
                {"90.000004", "-180", "90,-180"},
                {"0", "0", "0,0"},
                {"-0.000001", "0.999999", "0,1"},
                {"007.1", "-179.99999", "7.1,-179.99999"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct post_draft draft = {.text = "here", .latitude = rows[i].latitude, .longitude = rows[i].longitude};
        assert_string_equal(field(write_post(alice, &draft), "place"), rows[i].place);
    }
    uint64_t id = write_post(alice, &(struct post_draft){.text = "nowhere", .latitude = " ", .longitude = ""});
    assert_int_equal(ask(7, "HEXISTS", key_id(arena, KEY_POST, id), "place", NULL)->integer, 0);
}

/* What is no place is refused, and the words say which of the two. */
static void test_no_place(void **state)
{
    (void)state;
    const char *const bad[] = {"90.00001", "-90.1", "91",   "999999999999999999999",
                               "x",        "4 8",   "48,8", ".5",
                               "5.",       "--1",   "1e1",  "nan",
                               "0x1",      "48°",   "-",    "1.0000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_string_equal(refusal(&(struct post_draft){.text = "x", .latitude = bad[i], .longitude = "2"}),
                            "lat:latitude_invalid");
    }
    assert_string_equal(refusal(&(struct post_draft){.text = "x", .latitude = "2", .longitude = "180.00001"}),
                        "long:longitude_invalid");
    assert_string_equal(refusal(&(struct post_draft){.text = "x", .latitude = "2"}), "long:longitude_missing");
    assert_string_equal(refusal(&(struct post_draft){.text = "x", .latitude = "", .longitude = "2"}),
                        "lat:latitude_missing");
}

/* An edit that says nothing of the place keeps it; one that says something changes it. */
static void test_edit_and_place(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, &(struct post_draft){.text = "here", .latitude = "1", .longitude = "2"});
    static const struct {
        struct post_draft draft;
        const char *place;
    } rows[] = {{{.text = "here!"}, "1,2"},
                {{.text = "here!", .latitude = "3", .longitude = "4"}, "3,4"},
                {{.text = "there!"}, "3,4"},
                {{.text = "there!", .latitude = "", .longitude = ""}, ""}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(post_edit(social, arena, as(alice), id, &rows[i].draft, none()), ERR_OK);
        assert_string_equal(field(id, "place"), rows[i].place);
    }
    assert_int_equal(
        post_edit(social, arena, as(alice), id, &(struct post_draft){.text = "x", .latitude = "5"}, none()),
        ERR_INVALID);
}

/* --- answering ----------------------------------------------------------------------------------------------------- */

static void assert_answers(uint64_t parent, bool may)
{
    uint64_t id = 0;
    struct problems problems = {.count = 0};
    enum err e = try_post(bob, &(struct post_draft){.text = "yes", .reply_to = parent}, &id, &problems);
    assert_int_equal(e, may ? ERR_OK : ERR_INVALID);
    if (!may) {
        assert_string_equal(problems.items[0].rule, "post_reply_gone");
        assert_int_equal(ask(id_bucket(parent), "ZCARD", key_id(arena, KEY_REPLIES, parent), NULL, NULL)->integer, 0);
    }
}

static void test_answers(void **state)
{
    (void)state;
    const char *at_bob = arena_printf(arena, "@%s", name_in(8, 0));
    assert_answers(write_post(alice, &(struct post_draft){.text = "x", .visibility = "unlisted"}), true);
    assert_answers(write_post(alice, &(struct post_draft){.text = "x", .visibility = "direct"}), false);
    assert_answers(write_post(alice, &(struct post_draft){.text = at_bob, .visibility = "direct"}), true);
    assert_answers(write_post(alice, &(struct post_draft){.text = at_bob, .visibility = "private"}), true);
    uint64_t private = write_post(alice, &(struct post_draft){.text = "x", .visibility = "private"});
    assert_answers(private, false);
    ask(8, "HSET", key_id(arena, KEY_APART, bob), id_text(arena, alice), "B");
    assert_answers(write_post(alice, &(struct post_draft){.text = "x"}), false);
    ask(8, "HSET", key_id(arena, KEY_APART, bob), id_text(arena, alice), "m");
    follow(bob, name_in(7, 0));
    assert_answers(private, true);
    assert_int_equal(write_post(alice, &(struct post_draft){.text = "to myself", .reply_to = private}) != 0, true);
}

/* Whoever is deleted leaves no direct post either. */
static void test_deleted(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, &(struct post_draft){.text = "x", .visibility = "direct"});
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    finish_jobs();
    assert_int_equal(ask(7, "EXISTS", key_id(arena, KEY_POST, id), key_id(arena, KEY_DIRECTS, alice), NULL)->integer,
                     0);
    assert_clean();
}

/* What the check says of a direct post in the wrong place, and how it mends it. */
static void test_check(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, &(struct post_draft){.text = "x #tag", .visibility = "direct"});
    finish_jobs();
    ask(7, "ZREM", key_id(arena, KEY_DIRECTS, alice), id_text(arena, id), NULL);
    ask(7, "ZADD", key_id(arena, KEY_POSTS, alice), "0", id_text(arena, id));
    ask(0, "RPUSH", key_plain(arena, KEY_TIMELINE, 0), id_text(arena, id), NULL);
    ask(key_text_bucket("tag"), "ZADD", key_text(arena, KEY_TAG, "tag"), "0", id_text(arena, id));
    struct check_options o = {.repair = true};
    struct check_report report;
    assert_int_equal(check_run(social, arena, &o, &report), ERR_OK);
    assert_int_equal(report.kinds[CHECK_POST_UNLISTED].count, 1);
    assert_int_equal(report.kinds[CHECK_POST_STRANGER].count, 1);
    assert_int_equal(report.kinds[CHECK_INDEX_STRANGER].count, 2);
    assert_string_equal(places_of(id, bob), "d");
    assert_clean();
}

/* Posts by their ids: those that one may see, as they were asked for, though nothing is known of them before. */
static void test_posts_by_ids(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), open = put_post(alice, now - 2000), closed = put_post(alice, now - 1000);
    uint64_t stranger = person(name_in(9, 0));
    follow(bob, name_in(7, 0));
    ask(7, "HSET", key_id(arena, KEY_POST, closed), "visibility", "private");
    const struct {
        uint64_t reader;
        size_t count;
        uint64_t ids[3];
    } cases[] = {{bob, 3, {closed, open, open}}, {stranger, 2, {open, open}}, {0, 2, {open, open}}};
    const uint64_t asked[] = {closed, open + 1, open, open};
    for (unsigned i = 0; i < 2 * COUNT(cases); i++) { /* the second time the process remembers them */
        ask(8, "HINCRBY", key_id(arena, KEY_HOMESTATE, bob), "version", "1"); /* but not whom he follows */
        struct visit *v = visit_begin_as(social, arena, cases[i % 3].reader);
        const struct post_picked *picked = post_pick_ask(v, asked, COUNT(asked));
        assert_int_equal(visit_read(v), ERR_OK);
        assert_int_equal(picked->count, cases[i % 3].count);
        for (size_t k = 0; k < picked->count; k++) {
            assert_int_equal(picked->posts[k].id, cases[i % 3].ids[k]);
        }
    }
}

static const struct CMUnitTest tests[] = {
    posting(test_posts_by_ids),   posting(test_delivery), posting(test_delivered_again), posting(test_drafts),
    posting(test_fields),         posting(test_delivery), posting(test_delivered_again), posting(test_drafts),
    posting(test_place_is_kept),  posting(test_delivery), posting(test_delivered_again), posting(test_drafts),
    posting(test_no_place),       posting(test_delivery), posting(test_delivered_again), posting(test_drafts),
    posting(test_edit_and_place), posting(test_answers),  posting(test_deleted),         posting(test_check),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
