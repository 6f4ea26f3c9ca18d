/* test_search_lists.c - the index of search below the product: lists of posts in the engine against a naive set, at the bounds of their
 * parts; what lists have in common; and what somebody means who types something.
 */
#include "social_case.h"

#include "base/buffer.h"
#include "social/posts/post.h"
#include "social/search/hits.h"
#include "social/search/index.h"
#include "social/search/query.h"

#define PART 127 /* posts of a part: include/word.lua */
#define TAIL 32  /* of a list in the hash at most: word_add.lua */
#define FIRST_MS UINT64_C(1763812800000)

static const char *const word = "word";

/* --- lists in the engine ------------------------------------------------------------------------------------------- */

static uint64_t id_at(unsigned n)
{
    return id_of_ms(FIRST_MS + n) | (n * 7 % 1024) << 6 | n % 64;
}

static int oldest_first(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* In any order: a call has them in order. */
static int64_t change(const unsigned *numbers, size_t count, bool end)
{
    uint64_t *ids = arena_alloc(arena, (count + 1) * sizeof(*ids));
    const char *slot = index_slot(arena, word);
    for (size_t i = 0; i < count; i++) {
        ids[i] = id_at(numbers[i]);
    }
    qsort(ids, count, sizeof(*ids), oldest_first);
    const struct script_word_add_row row = {slot, word, {ids, count}};
    const struct script_word_add in = {key_text_bucket(slot), &row, 1};
    struct store_batch *b = new_batch();
    size_t reply = end ? script_word_end_add(b, &in) : script_word_add_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    struct script_word_add_reply r;
    assert_true(script_word_add_take(store_reply(b, reply), &r));
    return r.count;
}

static int64_t add_one(unsigned n)
{
    return change(&n, 1, false);
}

/* Numbers from..to (exclusive) in steps, also downwards. */
static int64_t add_range(unsigned from, unsigned to, int step)
{
    unsigned *numbers = arena_alloc(arena, 5000 * sizeof(*numbers));
    size_t count = 0;
    for (unsigned n = from; n != to; n = (unsigned)((int)n + step)) {
        numbers[count++] = n;
    }
    return change(numbers, count, false);
}

/* So many parts, or all of them if they are no more than `whole`. */
static struct hit_list read_whole(uint64_t below, int64_t parts, int64_t whole)
{
    const char *slot = index_slot(arena, word);
    struct store_batch *b = new_batch();
    script_word_read_add(b, &(struct script_word_read){key_text_bucket(slot), slot, word, below, parts, whole});
    assert_int_equal(store_run(b), ERR_OK);
    struct script_word_read_reply r;
    assert_true(script_word_read_take(store_reply(b, 0), &r));
    return hits_of_bytes(arena, r.posts->text, r.posts->length, r.older != 0);
}

static struct hit_list read_list(uint64_t below, int64_t parts)
{
    return read_whole(below, parts, parts);
}

/* The whole list is 0..count-1, in steps, newest first. */
static void assert_list(unsigned count, unsigned step)
{
    struct hit_list l = read_list(0, 1000);
    assert_int_equal(l.floor, 0);
    assert_int_equal(l.count, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(l.ids[i], id_at((count - 1 - i) * step));
    }
}

/* How many parts there are. */
static unsigned parts(void)
{
    struct store_batch *b = new_batch();
    store_command(b, key_text_bucket(index_slot(arena, word)), "KEYS", "*wordpart*", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    return (unsigned)store_reply(b, 0)->count;
}

/* Posts that lie in the hash. */
static unsigned tail(void)
{
    const char *slot = index_slot(arena, word);
    size_t length = ask(key_text_bucket(slot), "HGET", key_text(arena, KEY_WORDS, slot), word, NULL)->length;
    return (unsigned)(length / 8 - length % 8);
}

/* Posts of the longest part. */
static unsigned longest_part(void)
{
    struct store_batch *b = new_batch();
    store_command(b, 0, "EVAL",
                  "local n = 0 for _, k in ipairs(redis.call('KEYS', '*wordpart*')) do "
                  "n = math.max(n, redis.call('STRLEN', k)) end return n / 8",
                  "0", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    return (unsigned)store_integer(store_reply(b, 0));
}

static void test_an_empty_list(void **state)
{
    (void)state;
    assert_list(0, 1);
    assert_int_equal(read_list(id_at(5), 1).count, 0);
    unsigned none = 3;
    assert_int_equal(change(&none, 1, true), 0);
}

static void test_posts_in_order(void **state)
{
    (void)state;
    for (unsigned n = 0; n < TAIL; n++) {
        assert_int_equal(add_one(n), 1);
    }
    assert_int_equal(parts(), 0);
    assert_list(TAIL, 1);
    assert_int_equal(add_one(TAIL), 1);
    assert_int_equal(parts(), 1);
    assert_int_equal(tail(), 1); /* all but the last went into the part */
    assert_list(TAIL + 1, 1);
    for (unsigned n = TAIL + 1; n <= 2 * PART; n++) {
        assert_int_equal(add_one(n), 1);
    }
    assert_int_equal(parts(), 2); /* the first one was filled before the second began */
    assert_list(2 * PART + 1, 1);
}

/* Many at once fill the newest part, then whole ones; none is longer than PART. */
static void test_many_posts_at_once(void **state)
{
    (void)state;
    add_range(0, 40, 1);
    assert_int_equal(add_range(40, 5 * PART + 1, 1), 5 * PART + 1 - 40);
    assert_list(5 * PART + 1, 1);
    assert_int_equal(parts(), 5);
    assert_int_equal(longest_part(), PART);
    /* some of them there, some behind, some that were before all */
    assert_int_equal(add_range(5 * PART - 7, 5 * PART + 9, 1), 8);
    assert_list(5 * PART + 9, 1);
}

static void test_each_post_once(void **state)
{
    (void)state;
    assert_int_equal(add_range(0, 3 * PART, 1), 3 * PART);
    assert_int_equal(add_range(0, 3 * PART, 1), 0);
    assert_int_equal(add_range(3 * PART - 1, 0, -1), 0);
    assert_list(3 * PART, 1);
    assert_int_equal(parts(), 3);
}

/* As a rebuild writes: from the newest to the oldest, in several calls. */
static void test_posts_backwards(void **state)
{
    (void)state;
    for (unsigned to = 1000; to > 0; to -= 100) {
        assert_int_equal(add_range(to - 1, to == 100 ? 0 : to - 101, -1), to == 100 ? 99 : 100);
    }
    assert_int_equal(add_one(0), 1);
    assert_list(1000, 1);
    assert_true(parts() <= 1000 / PART + 2);
    assert_int_equal(longest_part(), PART);
}

/* Late ones, among those that are there: in the hash, in the last part, in the middle, in front. */
static void test_posts_in_between(void **state)
{
    (void)state;
    add_range(0, 2000, 2);
    static const unsigned late[] = {1997, 1501, 1001, 1, 777, 3};
    for (size_t i = 0; i < COUNT(late); i++) {
        assert_int_equal(add_one(late[i]), 1);
        assert_int_equal(add_one(late[i]), 0);
    }
    struct hit_list l = read_list(0, 1000);
    assert_int_equal(l.count, 1000 + COUNT(late));
    for (size_t i = 1; i < l.count; i++) {
        assert_true(l.ids[i - 1] > l.ids[i]);
    }
    for (size_t i = 0; i < COUNT(late); i++) {
        assert_int_equal(read_list(id_at(late[i]) + 1, 1).ids[0], id_at(late[i]));
    }
}

/* Page by page, from every place, whatever the size of a page. */
static void test_reading_downwards(void **state)
{
    (void)state;
    unsigned count = 4 * PART + 50;
    add_range(0, count, 1);
    for (int64_t most = 1; most < 4; most++) {
        uint64_t below = 0;
        unsigned seen = 0;
        struct hit_list l;
        do {
            l = read_list(below, most);
            assert_true(l.count > 0 && l.count <= (size_t)(most + 1) * PART);
            for (size_t i = 0; i < l.count; i++) {
                assert_int_equal(l.ids[i], id_at(count - 1 - seen++));
            }
            below = l.floor;
        } while (below);
        assert_int_equal(seen, count);
    }
    for (unsigned n = 0; n < count; n += 13) {
        struct hit_list l = read_list(id_at(n), 100);
        assert_int_equal(l.count, n);
        assert_int_equal(l.count ? l.ids[0] : 0, n ? id_at(n - 1) : 0);
    }
    assert_int_equal(read_list(id_at(0), 100).floor, 0);
}

/* A list that is not long is read whole, wherever one begins. */
static void test_reading_whole_lists(void **state)
{
    (void)state;
    add_range(0, 4 * PART + 1, 1); /* four parts, and one behind them */
    assert_int_equal(read_whole(0, 1, 3).count, PART + 1);
    struct hit_list l = read_whole(0, 1, 4);
    assert_int_equal(l.count, 4 * PART + 1);
    assert_int_equal(l.floor, 0);
    assert_int_equal(read_whole(id_at(3 * PART), 1, 2).count, PART);
    assert_int_equal(read_whole(id_at(3 * PART), 1, 3).count, 3 * PART);
    assert_int_equal(read_whole(id_at(3 * PART), 1, 3).floor, 0);
}

/* A part that is lost is as good as empty. */
static void test_a_lost_part(void **state)
{
    (void)state;
    add_range(0, 3 * PART + 1, 1);
    const char *slot = index_slot(arena, word);
    ask(key_text_bucket(slot), "DEL", key_text(arena, KEY_WORDPART, arena_printf(arena, "%s|1|%s", slot, word)), NULL,
        NULL);
    assert_int_equal(read_list(0, 10).count, 2 * PART + 1);
    assert_int_equal(read_list(0, 10).floor, 0);
}

static void test_taking_out(void **state)
{
    (void)state;
    unsigned count = 3 * PART + 10;
    add_range(0, count, 1);
    for (unsigned n = 0; n < count; n++) {
        if (n % 5) {
            assert_int_equal(change(&n, 1, true), 1);
            assert_int_equal(change(&n, 1, true), 0);
        }
    }
    assert_list((count + 4) / 5, 5);
    assert_int_equal(add_one(count - count % 5 + 5), 1); /* it goes on */
    for (unsigned n = 0; n <= count + 5; n += 5) {
        change(&n, 1, true);
    }
    assert_true(read_list(0, 100).count <= 2); /* a part in the middle keeps one */
}

static void test_nothing_is_left_of_the_last(void **state)
{
    (void)state;
    unsigned n = 9;
    add_one(n);
    assert_int_equal(change(&n, 1, true), 1);
    struct store_batch *b = new_batch();
    store_command(b, 0, "KEYS", "*words*", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_reply(b, 0)->count, 0);
}

/* The same as a naive set, whatever comes in whatever order. */
static void test_random_changes(void **state)
{
    (void)state;
    enum { MOST = 900 };
    static bool is_in[MOST];
    unsigned seed = 1, rows[40];
    memset(is_in, 0, sizeof(is_in));
    for (unsigned round = 0; round < 150; round++) {
        bool end = round % 7 == 6;
        seed = seed * 1103515245 + 12345;
        unsigned start = (seed >> 8) % MOST, direction = seed >> 20 & 1;
        for (unsigned i = 0; i < COUNT(rows); i++) {
            rows[i] = (direction ? start + i : start + MOST - i) % MOST;
            is_in[rows[i]] = true;
        }
        if (end) { /* which of them a part keeps nobody knows, so all are put back */
            change(rows, COUNT(rows), true);
        }
        change(rows, COUNT(rows), false);
        struct hit_list l = read_list(0, 1000);
        size_t at = 0;
        for (unsigned n = MOST; n-- > 0;) {
            if (is_in[n]) {
                assert_true(at < l.count);
                assert_int_equal(l.ids[at++], id_at(n));
            }
        }
        assert_int_equal(l.count, at);
    }
}

/* What is no list is as good as none, and the next post makes one of it. */
static void test_what_is_no_list(void **state)
{
    (void)state;
    static const char *const damaged[] = {"abc", "1", "12345678901", "123456789"}; /* the last one: lost parts */
    const char *slot = index_slot(arena, word), *key = key_text(arena, KEY_WORDS, slot);
    for (size_t i = 0; i < COUNT(damaged); i++) {
        ask(key_text_bucket(slot), "HSET", key, word, damaged[i]);
        assert_int_equal(read_list(0, 10).count, 0);
        unsigned n = 5;
        assert_int_equal(change(&n, 1, true), 0);
        assert_int_equal(add_one(5), 1);
        struct hit_list l = read_list(0, 10);
        assert_int_equal(l.count, 1);
        assert_int_equal(l.ids[0], id_at(5));
    }
}

/* Words share slots, and do not come in each other's way. */
static void test_words_side_by_side(void **state)
{
    (void)state;
    const char *slot = index_slot(arena, word);
    const uint64_t ids[] = {id_at(0), id_at(1), id_at(2), id_at(3), id_at(4), id_at(5)};
    const struct script_word_add_row rows[] = {{slot, "other", {ids, 3}}, {slot, word, {ids + 3, 3}}};
    struct store_batch *b = new_batch();
    script_word_add_add(b, &(struct script_word_add){key_text_bucket(slot), rows, 2});
    assert_int_equal(store_run(b), ERR_OK);
    struct hit_list l = read_list(0, 1);
    assert_int_equal(l.count, 3);
    assert_int_equal(l.ids[2], id_at(3));
}

/* A late post, in the parts of two words of one call. */
static void test_late_for_two_words(void **state)
{
    (void)state;
    const char *slot = index_slot(arena, word);
    uint64_t ids[3 * PART];
    for (unsigned i = 0; i < 3 * PART; i++) {
        ids[i] = id_at(2 * i);
    }
    const uint64_t late[] = {id_at(101)};
    const struct script_word_add_row all[] = {{slot, "other", {ids, 3 * PART}}, {slot, word, {ids, 3 * PART}}},
                                     few[] = {{slot, "other", {late, 1}}, {slot, word, {late, 1}}};
    struct store_batch *b = new_batch();
    script_word_add_add(b, &(struct script_word_add){key_text_bucket(slot), all, 2});
    size_t reply = script_word_add_add(b, &(struct script_word_add){key_text_bucket(slot), few, 2});
    assert_int_equal(store_run(b), ERR_OK);
    struct script_word_add_reply r;
    assert_true(script_word_add_take(store_reply(b, reply), &r));
    assert_int_equal(r.count, 2);
    assert_int_equal(read_list(0, 10).count, 3 * PART + 1);
}

static void test_dropping(void **state)
{
    (void)state;
    const char *slot = index_slot(arena, word);
    add_range(0, 2 * PART, 1);
    struct script_words_drop_reply r;
    unsigned calls = 0;
    do {
        struct store_batch *b = new_batch();
        script_words_drop_add(b, &(struct script_words_drop){key_text_bucket(slot), slot});
        assert_int_equal(store_run(b), ERR_OK);
        assert_true(script_words_drop_take(store_reply(b, 0), &r));
    } while (r.left && ++calls < 10);
    assert_int_equal(r.left, 0);
    assert_int_equal(parts(), 0);
    assert_list(0, 1);
}

/* --- what lists have in common ------------------------------------------------------------------------------------- */

static struct hit_list list_of(uint64_t floor, size_t count, ...)
{
    struct hit_list l = {.ids = arena_alloc(arena, (count + 1) * sizeof(uint64_t)), .count = count, .floor = floor};
    va_list ids;
    va_start(ids, count);
    for (size_t i = 0; i < count; i++) {
        l.ids[i] = (uint64_t)va_arg(ids, int);
    }
    va_end(ids);
    return l;
}

static const char *ids_of(const struct hit_list *l)
{
    struct buffer out = buffer_make(arena);
    for (size_t i = 0; i < l->count; i++) {
        buffer_printf(&out, "%s%llu", i ? " " : "", (unsigned long long)l->ids[i]);
    }
    return buffer_string(&out);
}

static void common(struct hit_list x, struct hit_list y, const char *ids, uint64_t floor, bool certain)
{
    struct hit_list lists[2] = {x, y};
    for (unsigned turn = 0; turn < 2; turn++) {
        bool is_certain;
        struct hit_list found = hits_common(arena, lists, 2, &is_certain);
        assert_string_equal(ids_of(&found), ids);
        assert_int_equal(found.floor, floor);
        assert_int_equal(is_certain, certain);
        lists[0] = y;
        lists[1] = x;
    }
}

static void test_common(void **state)
{
    (void)state;
    common(list_of(0, 3, 9, 5, 1), list_of(0, 3, 9, 4, 1), "9 1", 0, true);
    common(list_of(0, 0), list_of(0, 3, 9, 4, 1), "", 0, true);
    common(list_of(0, 2, 8, 6), list_of(0, 2, 7, 5), "", 0, true);
    /* one goes down to 4 only: of what is older on the other nobody knows */
    common(list_of(0, 4, 9, 5, 2, 1), list_of(4, 3, 9, 7, 4), "9 2 1", 0, false);
    common(list_of(0, 2, 9, 5), list_of(4, 3, 9, 7, 4), "9", 0, true);
    /* neither is whole: what is certain ends where the shorter ends */
    common(list_of(3, 3, 9, 5, 3), list_of(5, 3, 9, 7, 5), "9 5", 5, true);
    common(list_of(6, 2, 8, 6), list_of(2, 3, 7, 6, 2), "6", 6, true);
    bool is_certain;
    struct hit_list one = list_of(3, 2, 9, 3), found = hits_common(arena, &one, 1, &is_certain);
    assert_string_equal(ids_of(&found), "9 3");
    assert_int_equal(found.floor, 3);
}

static void joined(struct hit_list x, struct hit_list y, const char *ids, uint64_t floor)
{
    struct hit_list found = hits_joined(arena, &x, &y);
    assert_string_equal(ids_of(&found), ids);
    assert_int_equal(found.floor, floor);
}

static void test_joined(void **state)
{
    (void)state;
    joined(list_of(0, 2, 9, 5), list_of(0, 2, 7, 5), "9 7 5", 0);
    joined(list_of(0, 0), list_of(0, 1, 7), "7", 0);
    joined(list_of(0, 0), list_of(0, 0), "", 0);
    joined(list_of(5, 2, 9, 5), list_of(0, 3, 7, 4, 1), "9 7 5", 5);
    joined(list_of(0, 2, 9, 5), list_of(7, 1, 7), "9 7", 7);
}

static void test_bytes(void **state)
{
    (void)state;
    static const char bytes[] = "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\1\0";
    struct hit_list l = hits_of_bytes(arena, bytes, 16, true);
    assert_string_equal(ids_of(&l), "256 1");
    assert_int_equal(l.floor, 1);
    l = hits_of_bytes(arena, bytes, 15, false);
    assert_string_equal(ids_of(&l), "1");
    l = hits_of_bytes(arena, bytes, 0, true);
    assert_int_equal(l.count, 0);
    assert_int_equal(l.floor, 0);
}

/* --- what is meant ------------------------------------------------------------------------------------------------- */

/* Terms in brackets, tags with #, then the author, then the lists. */
static void means(const char *text, const char *expected)
{
    struct query q;
    struct buffer out = buffer_make(arena);
    query_parse(arena, text, &q);
    for (size_t i = 0; i < q.count; i++) {
        buffer_text(&out, q.terms[i].tag ? arena_printf(arena, "#%s", q.terms[i].tag) : "");
        buffer_char(&out, '[');
        for (size_t k = 0; k < q.terms[i].words.count; k++) {
            const struct word *w = &q.terms[i].words.items[k];
            buffer_printf(&out, "%s%.*s", k ? " " : "", (int)w->length, w->text);
        }
        buffer_char(&out, ']');
    }
    buffer_text(&out, q.from ? arena_printf(arena, "from %s", q.from) : "");
    for (size_t i = 0; i < q.list_count; i++) {
        buffer_printf(&out, " %s", q.lists[i]);
    }
    if (strcmp(buffer_string(&out), expected) != 0) {
        fail_msg("%s: %s, expected %s", text, buffer_string(&out), expected);
    }
    assert_int_equal(query_is_empty(&q), !*expected);
}

static void test_queries(void **state)
{
    (void)state;
    means("", "");
    means("  .,  \"\" ", "");
    means("Cats dogs", "[cats][dogs] cats dogs");
    means("cats Cats", "[cats][cats] cats");
    means("don't", "[don t] don t");
    means("\"two words\" more", "[two words][more] two words more");
    means("a\"b c\"d", "[a][b c][d] a b c d");
    means("\"not closed", "[not closed] not closed");
    means("\xE2\x80\x9Ctwo words\xE2\x80\x9D", "[two words] two words");
    means("from:Ann cats", "[cats]from Ann cats");
    means("FROM:@ann", "from ann");
    means("from: cats", "[from][cats] from cats");
    means("from:@", "");
    means("from:a from:b", "from a");
    means("\"from:ann\"", "[from ann] from ann");
    means("#Cats", "#cats[cats] cats");
    means("\xEF\xBC\x83"
          "Cats",
          "#cats[cats] cats");
    means("#", "");
    means("#12", "[12] 12");
    means("@ann", "[ann] ann");
    means("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E",
          "[\xE6\x97\xA5 \xE6\x9C\xAC \xE8\xAA\x9E] \xE6\x97\xA5\xE6\x9C\xAC \xE6\x9C\xAC\xE8\xAA\x9E");
    means("\xE6\x97\xA5\xE3\x80\x80\xE6\x9C\xAC", "[\xE6\x97\xA5][\xE6\x9C\xAC] \xE6\x97\xA5 \xE6\x9C\xAC");
    means("1 2 3 4 5 6 7 8 9", "[1][2][3][4][5][6][7][8] 1 2 3 4 5 6 7 8");
}

static bool fits(const char *asked, const char *spoiler, const char *text)
{
    struct query q;
    struct post p = {.id = 1, .text = text, .spoiler = spoiler};
    query_parse(arena, asked, &q);
    return query_fits(social, arena, &q, &p);
}

static void test_fits(void **state)
{
    (void)state;
    assert_true(fits("cats dogs", "", "Dogs and cats."));
    assert_false(fits("cats dogs", "", "Cats."));
    assert_true(fits("\"and cats\"", "", "Dogs and cats."));
    assert_false(fits("\"dogs cats\"", "", "Dogs and cats."));
    assert_true(fits("dont", "", "dont"));
    assert_false(fits("don't", "", "don a t"));
    assert_true(fits("#cats", "", "see #Cats"));
    assert_false(fits("#cats", "", "see cats"));
    assert_true(fits("cats", "", "see #Cats"));
    assert_true(fits("warned told", "warned", "told"));
    assert_true(fits("\xE6\x9C\xAC", "", "\xE6\x97\xA5\xE6\x9C\xAC"));
    assert_false(fits("\xE6\x97\xA5\xE8\xAA\x9E", "", "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"));
}

/* Only so many words of a post count, in the index and when it is compared. */
static void test_words_that_count(void **state)
{
    (void)state;
    config.search.words = 2;
    assert_true(fits("b", "", "a b c"));
    assert_false(fits("c", "", "a b c"));
    config.search.words = 400;
    assert_true(fits("c", "", "a b c"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        site(test_an_empty_list),
        site(test_posts_in_order),
        site(test_many_posts_at_once),
        site(test_each_post_once),
        site(test_posts_backwards),
        site(test_posts_in_between),
        site(test_reading_downwards),
        site(test_reading_whole_lists),
        site(test_a_lost_part),
        site(test_taking_out),
        site(test_nothing_is_left_of_the_last),
        site(test_random_changes),
        site(test_words_side_by_side),
        site(test_what_is_no_list),
        site(test_late_for_two_words),
        site(test_dropping),
        site(test_common),
        site(test_joined),
        site(test_bytes),
        site(test_queries),
        site(test_fits),
        site(test_words_that_count),
    };
    return site_main(argc, argv, tests, COUNT(tests));
}
