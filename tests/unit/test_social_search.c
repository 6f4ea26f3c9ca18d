/* test_social_search.c - search: who finds which posts, people and tags; pages of what is found; the index made anew, and what
 * is left of what is gone.
 */
#include "social_case.h"

#include <ctype.h>

#include "base/buffer.h"
#include "social/people/user_index.h"
#include "social/people/visit.h"
#include "social/posts/edit.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "social/posts/publish.h"
#include "social/search/build.h"
#include "social/search/fresh.h"
#include "social/search/index.h"
#include "social/search/search.h"
#include "social/timelines/fanout.h"
#include "store/record.h"

static uint64_t alice, bob, carol;
static bool settles; /* every post goes into the lists at once; else it waits as long as it may (fresh.h) */

static int begin(void **state)
{
    site_setup(state);
    settles = false;
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    carol = person(name_in(9, 0));
    return 0;
}

static int begin_settled(void **state)
{
    int failed = begin(state);
    settles = true;
    return failed;
}

#define searching_settled(f)                                                                                           \
    {                                                                                                                  \
#f " settled", f, begin_settled, site_teardown, NULL                                                           \
    }
#define searching(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static uint64_t write_draft(uint64_t by, const struct post_draft *draft)
{
    struct fanout_wave *wave = NULL;
    uint64_t id = 0;
    assert_int_equal(post_create(social, arena, as(by), draft, &id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    while (clock_site_ms() <= id_ms(id)) { /* of two in one millisecond the greater bucket's is the newer */
        clock_sleep_ms(1);
    }
    if (settles) {
        assert_int_equal(fresh_settle(social, arena), ERR_OK);
    }
    return id;
}

static uint64_t write_post(uint64_t by, const char *text)
{
    return write_draft(by, &(struct post_draft){.text = text});
}

static struct visit *visit_of(uint64_t viewer)
{
    return viewer ? visit_begin_as(social, arena, viewer) : visit_begin(social, arena, NULL);
}

static struct search_posts page(uint64_t viewer, const char *text, uint64_t below, unsigned limit)
{
    struct visit *v = visit_of(viewer);
    const struct search_posts *found = search_posts_ask(v, text, below, limit);
    assert_int_equal(visit_read(v), ERR_OK);
    return *found;
}

/* The texts of what is found, newest first, with commas between. */
static const char *found(uint64_t viewer, const char *text)
{
    struct search_posts p = page(viewer, text, 0, 20);
    struct buffer out = buffer_make(arena);
    for (size_t i = 0; i < p.count; i++) {
        buffer_printf(&out, "%s%s", i ? "," : "", p.posts[i].text);
    }
    return buffer_string(&out);
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static void test_by_words(void **state)
{
    (void)state;
    write_post(alice, "Cats sleep");
    write_post(bob, "caf\xC3\xA9 and cats");
    write_post(alice, "dogs #cats");
    write_post(bob, "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E");
    assert_string_equal(found(0, "CATS"), "dogs #cats,caf\xC3\xA9 and cats,Cats sleep");
    assert_string_equal(found(0, "cats cafe"), "caf\xC3\xA9 and cats");
    assert_string_equal(found(0, "\"and cats\""), "caf\xC3\xA9 and cats");
    assert_string_equal(found(0, "\"cats and\""), "");
    assert_string_equal(found(0, "#cats"), "dogs #cats");
    assert_string_equal(found(0, "cat"), "");
    assert_string_equal(found(0, "\xE6\x9C\xAC"), "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E");
    assert_string_equal(found(0, "\xE6\x97\xA5\xE6\x9C\xAC"), "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E");
    assert_string_equal(found(0, "\xE6\x97\xA5\xE8\xAA\x9E"), "");
    assert_true(page(0, " ... ", 0, 20).is_empty);
    assert_false(page(0, "cats", 0, 20).is_empty);
    finish_jobs();
    assert_clean();
}

static void test_by_author(void **state)
{
    (void)state;
    write_post(alice, "one cat");
    write_post(bob, "two cats");
    write_post(alice, "two dogs");
    const char *her = arena_printf(arena, "from:%s", name_in(7, 0)),
               *his = arena_printf(arena, "from:@%s", name_in(8, 0));
    assert_string_equal(found(0, her), "two dogs,one cat");
    assert_string_equal(found(0, arena_printf(arena, "two %s", her)), "two dogs");
    assert_string_equal(found(0, arena_printf(arena, "%s two", his)), "two cats");
    assert_string_equal(found(0, "from:nobody_at_all two"), "");
    assert_string_equal(found(0, "from:!! two"), "");
    assert_string_equal(found(alice, "from:me"), "two dogs,one cat");
    assert_string_equal(found(0, "from:me"), "");
}

/* Whoever looks finds what he may see on public timelines, and his own. */
static void test_who_finds(void **state)
{
    (void)state;
    static const char *const words[] = {"public", "unlisted", "private", "direct"};
    for (size_t i = 0; i < COUNT(words); i++) {
        write_draft(alice, &(struct post_draft){.text = arena_printf(arena, "secret %s @%s", words[i], name_in(8, 0)),
                                                .visibility = words[i]});
    }
    const char *at = arena_printf(arena, " @%s", name_in(8, 0)), *all = arena_printf(arena, "secret public%s", at);
    ask(8, "ZADD", key_id(arena, KEY_FOLLOWING, bob), "1", id_text(arena, alice));
    ask(8, "HINCRBY", key_id(arena, KEY_HOMESTATE, bob), "version", "1");
    assert_string_equal(found(0, "secret"), all);
    assert_string_equal(found(carol, "secret"), all);
    assert_string_equal(found(bob, "secret"), all);
    const char *own =
        arena_printf(arena, "secret direct%s,secret private%s,secret unlisted%s,secret public%s", at, at, at, at);
    assert_string_equal(found(alice, "secret"), own);
    assert_string_equal(found(alice, "from:me"), own);
    assert_string_equal(found(alice, "from:me secret"), own);
    assert_string_equal(found(alice, arena_printf(arena, "from:%s", name_in(7, 0))), own);
    assert_string_equal(found(bob, arena_printf(arena, "from:%s", name_in(7, 0))), all);
    ask(9, "HSET", key_id(arena, KEY_APART, carol), id_text(arena, alice), "m");
    ask(9, "HINCRBY", key_id(arena, KEY_HOMESTATE, carol), "apart", "1");
    assert_string_equal(found(carol, "secret"), "");
    ask(8, "HSET", key_id(arena, KEY_APART, bob), id_text(arena, alice), "B");
    ask(8, "HINCRBY", key_id(arena, KEY_HOMESTATE, bob), "apart", "1");
    assert_string_equal(found(bob, "secret"), "");
}

/* Words of posts that are not public stand under their author's name alone. */
static void test_words_are_own(void **state)
{
    (void)state;
    write_draft(alice, &(struct post_draft){.text = "unmistakable", .visibility = "private"});
    assert_int_equal(fresh_settle(social, arena), ERR_OK);
    const char *slot = index_slot(arena, "unmistakable"), *own = index_own_word(arena, alice, "unmistakable");
    const char *own_slot = index_slot(arena, own);
    assert_int_equal(
        store_integer(ask(key_text_bucket(slot), "HEXISTS", key_text(arena, KEY_WORDS, slot), "unmistakable", NULL)),
        0);
    assert_int_equal(
        store_integer(ask(key_text_bucket(own_slot), "HEXISTS", key_text(arena, KEY_WORDS, own_slot), own, NULL)), 1);
}

static void test_what_is_gone(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "unmistakable word");
    write_post(alice, "another word");
    assert_string_equal(found(0, "word"), "another word,unmistakable word");
    assert_int_equal(fresh_settle(social, arena), ERR_OK);
    assert_string_equal(found(0, "word"), "another word,unmistakable word");
    assert_int_equal(post_delete(social, arena, as(alice), id, none()), ERR_OK);
    assert_string_equal(found(0, "word"), "another word");
    const char *slot = index_slot(arena, "unmistakable"); /* nothing is left of it */
    assert_int_equal(
        store_integer(ask(key_text_bucket(slot), "HEXISTS", key_text(arena, KEY_WORDS, slot), "unmistakable", NULL)),
        0);
    finish_jobs();
    assert_clean();
}

/* A post that was edited is found by what it says now. */
static void test_edited(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "early words");
    const struct post_draft draft = {.text = "late words #tag"};
    assert_int_equal(post_edit(social, arena, as(alice), id, &draft, none()), ERR_OK);
    finish_jobs();
    assert_string_equal(found(0, "late"), "late words #tag");
    assert_string_equal(found(0, "words"), "late words #tag");
    assert_string_equal(found(0, "early"), "");
    assert_clean();
}

/* The index may hold anything: what it says is compared with the post. */
static void test_a_wrong_entry(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "one word"), none_such = id_of_ms(id_ms(id) + 5000) | 7 << 6;
    const char *slot = index_slot(arena, "other");
    const struct script_word_add_row row = {slot, "other", {(const uint64_t[]){id, none_such}, 2}};
    struct store_batch *b = new_batch();
    script_word_add_add(b, &(struct script_word_add){key_text_bucket(slot), &row, 1});
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(found(0, "other"), "");
}

/* --- pages --------------------------------------------------------------------------------------------------------- */

/* So many posts of alice, one a second; every n-th with the word rare, and every 2nd even. */
static void many_posts(unsigned count, unsigned rare)
{
    struct post *posts = arena_zero(arena, count * sizeof(*posts));
    struct store_batch *b = new_batch(), *index = new_batch();
    for (unsigned i = 0; i < count; i++) {
        uint64_t id = id_of_ms(clock_site_ms() - (count - i) * 1000) | 7 << 6;
        const char *text = arena_printf(arena, "n%u common%s%s", i, i % rare ? "" : " rare", i % 2 ? "" : " even");
        const struct record_post r = {.author = alice, .text = text};
        posts[i] = (struct post){.id = id, .author = {.id = alice}, .text = text, .spoiler = ""};
        record_put(b, RECORD_POST, id, &r);
        store_command(b, 7, "ZADD", key_id(arena, KEY_POSTS, alice), "0", id_text(arena, id), NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    social->parts->index->posts_add(social, index, arena, posts, count);
    assert_int_equal(store_run(index), ERR_OK);
}

/* All pages of a question: how many posts, each once and newest first, and in how many pages. */
static unsigned all_pages(const char *text, unsigned limit, unsigned *pages)
{
    uint64_t below = 0, last = UINT64_MAX;
    unsigned count = 0;
    *pages = 0;
    do {
        struct search_posts p = page(0, text, below, limit);
        for (size_t i = 0; i < p.count; i++) {
            assert_true(p.posts[i].id < last);
            last = p.posts[i].id;
        }
        count += (unsigned)p.count;
        assert_true(!p.older_id || !below || p.older_id < below);
        below = p.older_id;
    } while (below && ++*pages < 1000);
    return count;
}

static void test_pages(void **state)
{
    (void)state;
    unsigned pages;
    many_posts(1000, 100);
    assert_int_equal(all_pages("common", 20, &pages), 1000);
    assert_int_equal(pages, 49);
    assert_int_equal(all_pages("rare", 20, &pages), 10);
    assert_int_equal(pages, 0);
    assert_int_equal(all_pages("common rare", 3, &pages), 10);
    assert_int_equal(all_pages("common even rare", 20, &pages), 10);
    assert_int_equal(all_pages("n7", 1, &pages), 1);
    assert_int_equal(all_pages(arena_printf(arena, "from:%s even", name_in(7, 0)), 20, &pages), 500);
    assert_int_equal(all_pages(arena_printf(arena, "from:%s", name_in(7, 0)), 40, &pages), 1000);
}

/* A question that nearly nothing fits is cut off, and the next page goes on from there. */
static void test_cut_off(void **state)
{
    (void)state;
    unsigned pages;
    many_posts(1000, 500);
    config.search.posts = 40;
    struct search_posts p = page(0, "\"common rare\" \"rare even\" common", 0, 20);
    assert_int_equal(p.count, 2);
    assert_int_equal(p.older_id, 0);
    p = page(0, "\"common even\"", 0, 20); /* whatever is even and not rare */
    assert_int_equal(p.count, 20);
    p = page(0, "\"even common\"", 0, 20); /* nothing is */
    assert_int_equal(p.count, 0);
    assert_int_not_equal(p.older_id, 0);
    assert_int_equal(all_pages("\"even common\"", 20, &pages), 0);
    assert_int_equal(pages, 12); /* of 40 posts each, that are looked at */
}

static void test_round_trips(void **state)
{
    (void)state;
    many_posts(300, 10);
    static const char *const asked[] = {"common", "rare", "common rare", "\"common rare\"", "nothing"};
    for (size_t i = 0; i < COUNT(asked); i++) {
        store_trips_reset();
        page(alice, asked[i], 0, 20);
        assert_true(store_trips() <= 2);
    }
    store_trips_reset();
    page(0, "...", 0, 20);
    assert_true(store_trips() <= 1);
    store_trips_reset();
    page(alice, "from:me rare", 0, 20);
    assert_true(store_trips() <= 2);
}

/* --- people -------------------------------------------------------------------------------------------------------- */

static uint64_t somebody(const char *name, const char *display)
{
    uint64_t uid = person(name);
    assert_int_equal(user_edit(social, arena, as(uid), &(struct user_profile){.display = display, .bio = ""}, none()),
                     ERR_OK);
    return uid;
}

/* As many as are asked for, in one order: what is shown first stays in front. */
static void test_as_many_as_asked(void **state)
{
    (void)state;
    uint64_t first[50];
    for (unsigned i = 0; i < 60; i++) {
        person(arena_printf(arena, "crowded_%02u", i));
    }
    for (unsigned most = 10; most <= 70; most += 20) {
        struct visit *v = visit_of(0);
        const struct people *p = search_people_ask(v, "crowded", most);
        assert_int_equal(visit_read(v), ERR_OK);
        assert_int_equal(p->count, most < 60 ? most : 60);
        for (size_t i = 0; i < p->count && i < COUNT(first); i++) {
            assert_true(i >= most - 20 || most == 10 || p->users[i].id == first[i]);
            first[i] = p->users[i].id;
        }
    }
}

static const char *people(uint64_t viewer, const char *text)
{
    struct visit *v = visit_of(viewer);
    const struct people *p = search_people_ask(v, text, SEARCH_SHOWN);
    struct buffer out = buffer_make(arena);
    assert_int_equal(visit_read(v), ERR_OK);
    for (size_t i = 0; i < p->count; i++) {
        buffer_printf(&out, "%s%s", i ? " " : "", p->users[i].name);
    }
    return buffer_string(&out);
}

static void test_people(void **state)
{
    (void)state;
    somebody("smith_ann", "Ann Lee");
    uint64_t annika = somebody("annika", "\xC3\x89lise Smithers");
    somebody("wang", "\xE7\x8E\x8B\xE5\xB0\x8F\xE6\x98\x8E");
    assert_string_equal(people(0, "ann"), "smith_ann annika");
    assert_string_equal(people(0, "@ann"), "smith_ann annika");
    assert_string_equal(people(0, "ANNI"), "annika");
    assert_string_equal(people(0, "smith"), "smith_ann annika");
    assert_string_equal(people(0, "smith_an lee"), "smith_ann");
    assert_string_equal(people(0, "smith eli"), "annika");
    assert_string_equal(people(0, "nn"), "");
    assert_string_equal(people(0, "\xE5\xB0\x8F\xE6\x98\x8E"), "wang");
    assert_string_equal(people(0, "\xE7\x8E\x8B"), "wang");
    assert_string_equal(people(0, "..."), "");
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "1", id_text(arena, annika));
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "version", "1");
    assert_string_equal(people(alice, "ann"), "annika smith_ann"); /* whom she follows first */
    assert_string_equal(people(alice, "ann"), "annika smith_ann"); /* and when the process remembers */
    for (const char *letter = "bB"; *letter; letter++) {
        ask(7, "HSET", key_id(arena, KEY_APART, alice), id_text(arena, annika), arena_printf(arena, "%c", *letter));
        ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "apart", "1");
        assert_string_equal(people(alice, "ann"), "smith_ann");
    }
}

/* However many have such a name, whom one follows comes first. */
static void test_many_people(void **state)
{
    (void)state;
    uint64_t last = somebody("anny", "Anny"), other = somebody("zoe", "Zoe"), near = somebody("ann", "Ann");
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < 1200; i++) {
        const char *entry = arena_printf(arena, "anna%u:%s", i, id_text(arena, id_of_ms(1000 + i) | 7 << 6));
        store_command(b, key_text_bucket("a"), "ZADD", key_text(arena, KEY_PEOPLE, "a"), "0", entry, NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(people(alice, "anny"), "anny");
    assert_string_equal(people(alice, "ann"), "ann");
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "1", id_text(arena, other));
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "2", id_text(arena, last));
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "version", "1");
    assert_string_equal(people(alice, "ann"), "anny ann");
    assert_string_equal(people(alice, "ann"), "anny ann"); /* and when the process remembers */
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "3", id_text(arena, near));
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "version", "1");
    const char *both = people(alice, "ann"); /* who is found both ways comes once */
    assert_true(strcmp(both, "anny ann") == 0 || strcmp(both, "ann anny") == 0);
}

static void test_other_names(void **state)
{
    (void)state;
    uint64_t uid = somebody("first", "Old Name");
    assert_int_equal(
        user_edit(social, arena, as(uid), &(struct user_profile){.display = "New Name", .bio = ""}, none()), ERR_OK);
    assert_string_equal(people(0, "old"), "");
    assert_string_equal(people(0, "new"), "first");
    assert_string_equal(people(0, "name"), "first");
    const char *key = key_text(arena, KEY_PEOPLE, "o");
    assert_int_equal(store_integer(ask(key_text_bucket("o"), "EXISTS", key, NULL, NULL)), 0);
    /* one that was refused was there before it was */
    const struct config_limit usual = config.limits.settings;
    const struct actor himself = {.kind = ACTOR_USER, .uid = uid, .name = "first", .request = ""};
    config.limits.enabled = true;
    config.limits.settings = (struct config_limit){.count = 0, .seconds = 60};
    assert_int_equal(
        user_edit(social, arena, &himself, &(struct user_profile){.display = "Refused New", .bio = ""}, none()),
        ERR_TOO_MANY);
    config.limits.settings = usual;
    config.limits.enabled = false;
    key = key_text(arena, KEY_PEOPLE, "r");
    assert_int_equal(store_integer(ask(key_text_bucket("r"), "EXISTS", key, NULL, NULL)), 0);
    assert_string_equal(people(0, "new"), "first");
    key = key_text(arena, KEY_PEOPLE, "o");
    /* one that an interrupted change left is not believed */
    ask(key_text_bucket("o"), "ZADD", key, "0", arena_printf(arena, "old:%s", id_text(arena, uid)));
    assert_string_equal(people(0, "old"), "");
    struct actor command = *as_command();
    assert_int_equal(user_delete(social, arena, &command, uid), ERR_OK);
    finish_jobs();
    assert_string_equal(people(0, "new"), "");
    key = key_text(arena, KEY_PEOPLE, "n");
    assert_int_equal(store_integer(ask(key_text_bucket("n"), "EXISTS", key, NULL, NULL)), 0);
}

/* By a name alone, in any case; nobody whom the visitor is not to see. */
static void test_named(void **state)
{
    (void)state;
    const char *name = name_in(7, 0);
    char *shouted = arena_dup(arena, name);
    for (char *c = shouted; *c; c++) {
        *c = (char)toupper((unsigned char)*c);
    }
    struct visit *v = visit_of(0);
    const struct user *is = user_named_ask(v, shouted), *none_such = user_named_ask(v, "nobodyatall"),
                      *no_name = user_named_ask(v, "no name");
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(is->id, alice);
    assert_string_equal(is->name, name);
    assert_int_equal(none_such->id, 0);
    assert_int_equal(no_name->id, 0);
    assert_int_equal(user_set_state(social, arena, as_command(), alice, USER_STATE_SUSPENDED), ERR_OK);
    v = visit_of(bob);
    is = user_named_ask(v, name);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(is->id, 0);
}

/* The posts of one person, whatever the words say of whose they are; his own are his, direct ones too. */
static const char *found_of(uint64_t viewer, uint64_t of, const char *text)
{
    struct visit *v = visit_of(viewer);
    const struct search_posts *p = search_posts_of_ask(v, of, text, 0, 20);
    struct buffer out = buffer_make(arena);
    assert_int_equal(visit_read(v), ERR_OK);
    for (size_t i = 0; i < p->count; i++) {
        buffer_printf(&out, "%s%s", i ? "," : "", p->posts[i].text);
    }
    return buffer_string(&out);
}

static void test_posts_of(void **state)
{
    (void)state;
    write_post(alice, "tea one");
    write_post(bob, "tea two");
    write_draft(bob, &(struct post_draft){.text = "tea three", .visibility = "direct"});
    write_post(bob, "milk");
    assert_string_equal(found_of(alice, bob, "tea"), "tea two");
    assert_string_equal(found_of(bob, bob, "tea"), "tea three,tea two");
    assert_string_equal(found_of(0, alice, arena_printf(arena, "from:%s tea", name_in(8, 0))), "tea one");
    assert_string_equal(found_of(alice, bob, ""), "milk,tea two");
}

/* --- tags ---------------------------------------------------------------------------------------------------------- */

static const char *tags_in_order(const char *text, enum search_order order)
{
    struct visit *v = visit_of(0);
    const struct search_tags *t = search_tags_ask(v, text, order, SEARCH_SHOWN);
    struct buffer out = buffer_make(arena);
    assert_int_equal(visit_read(v), ERR_OK);
    for (size_t i = 0; i < t->count; i++) {
        buffer_printf(&out, "%s%s:%lld", i ? " " : "", t->tags[i].name, (long long)t->tags[i].posts);
    }
    return buffer_string(&out);
}

static const char *tags(const char *text)
{
    return tags_in_order(text, SEARCH_BY_USE);
}

static void test_tags(void **state)
{
    (void)state;
    write_post(alice, "#cat #caf\xC3\xA9");
    uint64_t id = write_post(bob, "#Cats #dog");
    write_post(bob, "#cats");
    write_draft(bob, &(struct post_draft){.text = "#catsecret", .visibility = "unlisted"});
    assert_int_equal(
        ask(key_text_bucket("c"), "ZSCORE", key_text(arena, KEY_TAGNAMES, "c"), "catsecret:catsecret", NULL)->type,
        STORE_NIL);
    assert_string_equal(tags("ca"), "cats:2 caf\xC3\xA9:1 cat:1");
    assert_string_equal(tags("#CAT"), "cats:2 cat:1");
    assert_string_equal(tags_in_order("ca", SEARCH_BY_LENGTH), "cat:1 cats:2 caf\xC3\xA9:1");
    assert_string_equal(tags("cafe"), "caf\xC3\xA9:1");
    assert_string_equal(tags("\xC3\xA9"), "");
    assert_string_equal(tags(""), "");
    assert_int_equal(post_delete(social, arena, as(bob), id, none()), ERR_OK);
    finish_jobs();
    assert_string_equal(tags("dog"), ""); /* nothing has it any more */
}

/* --- the index made anew ------------------------------------------------------------------------------------------- */

static const char *state_of_index(void)
{
    return store_text(ask(0, "HGET", key_plain(arena, KEY_SITE, 0), "search", NULL));
}

static void lose_index(void)
{
    struct store_batch *b = new_batch();
    store_command(b, 0, "EVAL",
                  "for _, k in ipairs(redis.call('KEYS', '*')) do local w = string.match(k, '}:(%a+)') "
                  "if w == 'words' or w == 'wordpart' or w == 'fresh' or w == 'people' or w == 'tagnames' then "
                  "redis.call('DEL', k) end end",
                  "0", NULL);
    store_command(b, 0, "HDEL", key_plain(arena, KEY_SITE, 0), "search", NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

static void test_a_new_site_has_an_index(void **state)
{
    (void)state;
    assert_string_equal(state_of_index(), INDEX_WHOLE);
    assert_true(page(0, "x", 0, 20).is_whole);
}

/* Data of an older version: the first start has it built. */
static void test_built_at_start(void **state)
{
    (void)state;
    uint64_t id = write_post(alice, "old words #tag");
    write_draft(alice, &(struct post_draft){.text = "old secret", .visibility = "direct"});
    somebody("somebody", "Some Body");
    lose_index();
    assert_string_equal(found(0, "old"), "");
    assert_false(page(0, "old", 0, 20).is_whole);
    assert_int_equal(build_begin(social, arena), ERR_OK);
    finish_jobs();
    assert_string_equal(state_of_index(), INDEX_WHOLE);
    assert_string_equal(found(0, "old"), "old words #tag");
    assert_string_equal(found(alice, "old"), "old secret,old words #tag");
    assert_string_equal(people(0, "body"), "somebody");
    assert_string_equal(tags("tag"), "tag:1");
    assert_int_equal(build_begin(social, arena), ERR_OK); /* nothing more */
    unsigned jobs;
    assert_int_equal(job_sweep(social, &jobs), ERR_OK);
    assert_int_equal(jobs, 0);
    assert_clean();
    (void)id;
}

static void test_rebuilt(void **state)
{
    (void)state;
    many_posts(700, 10);
    uint64_t gone = write_post(alice, "unmistakable");
    ask(7, "DEL", key_id(arena, KEY_POST, gone), NULL, NULL);
    ask(7, "ZREM", key_id(arena, KEY_POSTS, alice), id_text(arena, gone), NULL);
    unsigned pages;
    assert_int_equal(build_now(social, arena), ERR_OK);
    assert_string_equal(state_of_index(), INDEX_WHOLE);
    assert_int_equal(all_pages("common", 40, &pages), 700);
    assert_int_equal(all_pages("rare", 40, &pages), 70);
    const char *slot = index_slot(arena, "unmistakable");
    assert_int_equal(
        store_integer(ask(key_text_bucket(slot), "HEXISTS", key_text(arena, KEY_WORDS, slot), "unmistakable", NULL)),
        0);
}

/* One that is interrupted goes on where it was, and may do anything twice. */
static void test_built_step_by_step(void **state)
{
    (void)state;
    many_posts(300, 10);
    lose_index();
    struct job *j = job_new(arena, &build_job, alice);
    assert_int_equal(job_store(social, arena, j), ERR_OK);
    bool done = false;
    for (unsigned i = 0; !done; i++) {
        assert_true(i < 200);
        const char *before = j->cursor;
        assert_int_equal(build_job.step(social, arena, j, &done), ERR_OK);
        if (!done) {
            const char *after = j->cursor;
            j->cursor = before;
            assert_int_equal(build_job.step(social, arena, j, &done), ERR_OK);
            assert_string_equal(j->cursor, after);
        }
    }
    unsigned pages;
    assert_int_equal(all_pages("common", 40, &pages), 300);
    assert_string_equal(state_of_index(), INDEX_WHOLE);
}

static void test_switched_off(void **state)
{
    (void)state;
    write_post(alice, "one word");
    config.search.enabled = false;
    write_post(alice, "two words");
    assert_int_equal(build_begin(social, arena), ERR_OK);
    finish_jobs();
    assert_string_equal(state_of_index(), "");
    const char *slot = index_slot(arena, "word");
    assert_int_equal(store_integer(ask(key_text_bucket(slot), "EXISTS", key_text(arena, KEY_WORDS, slot), NULL, NULL)),
                     0);
    config.search.enabled = true;
    assert_int_equal(build_begin(social, arena), ERR_OK);
    finish_jobs();
    assert_string_equal(found(0, "words"), "two words");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        searching(test_by_words),
        searching_settled(test_by_words),
        searching(test_by_author),
        searching_settled(test_by_author),
        searching(test_who_finds),
        searching_settled(test_who_finds),
        searching(test_words_are_own),
        searching(test_what_is_gone),
        searching(test_edited),
        searching(test_a_wrong_entry),
        searching(test_pages),
        searching(test_cut_off),
        searching(test_round_trips),
        searching(test_people),
        searching(test_as_many_as_asked),
        searching(test_many_people),
        searching(test_other_names),
        searching(test_named),
        searching(test_posts_of),
        searching(test_tags),
        searching(test_a_new_site_has_an_index),
        searching(test_built_at_start),
        searching(test_rebuilt),
        searching(test_built_step_by_step),
        searching(test_switched_off),
    };
    return site_main(argc, argv, tests, COUNT(tests));
}
