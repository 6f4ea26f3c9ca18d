/* test_stream_match.c - filters of streams (social/streaming): what they ask for, what is refused, who is found, and random filters and
 * posts against a matcher that knows no index.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "base/secret.h"
#include "social/core/problem.h"
#include "social/posts/post.h"
#include "social/streaming/match.h"
#include "social/streaming/match_post.h"
#include "social/streaming/match_query.h"

#define ANN 100000000000000001u
#define BOB 100000000000000002u
#define POST 117000000000000000u

static struct arena *arena;

static struct post post_of(const char *text)
{
    return (struct post){.id = POST, .author = {.id = ANN, .name = "Ann"}, .text = text, .spoiler = "", .place = ""};
}

static void count_hit(void *context, void *owner)
{
    (void)owner;
    ++*(size_t *)context;
}

/* Whether the filter is good and meets the post; it must not find anybody twice. */
static bool meets(struct match_asked asked, const struct post *p)
{
    struct problems problems = {.count = 0};
    struct match_query q;
    struct match_post read;
    size_t hits = 0;
    if (!match_filter_read(arena, &asked, &q, &problems)) {
        fail_msg("%s %s", problems.items[0].field, problems.items[0].rule);
    }
    struct match_index *m = match_new();
    match_add(m, &q, NULL);
    match_post_read(arena, p, &read);
    match_find(m, &read, count_hit, &hits);
    match_free(m);
    assert_true(hits <= 1);
    return hits == 1;
}

static void track(const char *phrases, const char *text, bool is_met)
{
    struct post p = post_of(text);
    if (meets((struct match_asked){.track = phrases}, &p) != is_met) {
        fail_msg("track=%s meets \"%s\": expected %d", phrases, text, is_met);
    }
}

static void test_words(void **state)
{
    (void)state;
    track("redis", "I like Redis!", true);
    track("REDIS", "(redis)", true);
    track("redis", "rediscover", false);
    track("redis", "preredis redi s", false);
    track("redis", "#redis", true);
    track("redis", "@redis,", true);
    track("caf\xC3\xA9", "CAFE\xCC\x81.", true);
    track("x,redis , y", "redis", true);
    track("redis lua", "lua and redis", true);
    track("redis lua", "redis", false);
    track("redis lua,go", "go", true);
    track("rock & roll", "roll, then rock", true);
    track("don't", "Don\xE2\x80\x99t!", true);
    track("don't", "t don", false);
    track("\xD0\x9C\xD0\xBE\xD1\x81\xD0\xBA\xD0\xB2\xD0\xB0", "\xD0\xBC\xD0\xBE\xD1\x81\xD0\xBA\xD0\xB2\xD0\xB0", true);
    struct post p = post_of("text");
    p.spoiler = "Redis";
    assert_true(meets((struct match_asked){.track = "redis"}, &p));
    assert_false(meets((struct match_asked){.track = "redis-text"}, &p));
}

/* Scripts without gaps: signs one after the other. */
static void test_signs(void **state)
{
    (void)state;
    const char *text =
        "\xE6\x88\x91\xE7\x88\xB1\xE5\x8C\x97\xE4\xBA\xAC\xE7\x83\xA4\xE9\xB8\xAD"; /* I love Peking duck */
    track("\xE5\x8C\x97\xE4\xBA\xAC", text, true);
    track("\xE5\x8C\x97", text, true);
    track("\xE4\xBA\xAC\xE5\x8C\x97", text, false);
    track("\xE7\x88\xB1\xE5\x8C\x97\xE4\xBA\xAC\xE7\x83\xA4", text, true);
    track("\xE7\x88\xB1\xE5\x8C\x97\xE4\xBA\xAC\xE9\xB8\xAD", text, false);
    track("\xE7\x8B\x97\xEF\xBC\x8C\xE9\xB8\xAD", text, true);  /* a wide comma */
    track("\xE7\x8B\x97\xE3\x80\x80\xE9\xB8\xAD", text, false); /* a wide blank */
    track("\xE9\xB8\xAD\xE3\x80\x80\xE7\x88\xB1", text, true);  /* in any order */
    track("\xE5\x8C\x97\xE4\xBA\xAC", "\xE5\x8C\x97-\xE4\xBA\xAC", true);
    track("\xF0\x9F\xA6\x86", "duck\xF0\x9F\xA6\x86", true);     /* a picture */
    track("v2\xE5\x8C\x97", "v2\xE5\x8C\x97\xE4\xBA\xAC", true); /* mixed */
}

static void test_names(void **state)
{
    (void)state;
    track("#Redis", "see #redis", true);
    track("#redis", "see redis", false);
    track("#redis", "#rediscover", false);
    track("\xEF\xBC\x83redis", "#Redis.", true);
    track("@Bob", "hello @bob,", true);
    track("@bob", "bob", false);
    track("(@bob!)", "@bob", true);
    track("@bob", "@bobby", false);
    track("@bob #redis", "@bob likes #redis", true);
    track("@bob #redis", "@bob likes redis", false);
    track("#1", "number 1", true); /* no tag: a word */
}

static void test_follow(void **state)
{
    (void)state;
    struct post_mention of[] = {{"bob", BOB}};
    struct post p = post_of("hi @Bob");
    p.mentions = of;
    p.mention_count = 1;
    static const struct {
        const char *follow;
        bool is_met;
    } rows[] = {{"ann", true},
                {"@ANN", true},
                {"bob", true},
                {"carol", false},
                {"anna", false},
                {"100000000000000001", true},
                {" carol, 100000000000000002 ,", true},
                {"100000000000000003", false},
                {"@100000000000000001", false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (meets((struct match_asked){.follow = rows[i].follow}, &p) != rows[i].is_met) {
            fail_msg("follow=%s", rows[i].follow);
        }
    }
    assert_true(meets((struct match_asked){"nothing", "carol,ann", "1,1,2,2"}, &p));
}

static void test_locations(void **state)
{
    (void)state;
    static const struct {
        const char *boxes, *place;
        bool is_met;
    } rows[] = {
        {"2,48,3,49", "48.85837,2.29448", true},
        {"2,48,3,49", "49.00001,2.5", false},
        {"2,48,3,49", "49,3", true},
        {"2,48,3,49", "48,2", true},
        {"2,48,3,49", "2.5,48.5", false},
        {"2,48,3,49", "", false},
        {"-180,-90,180,90", "90,180", true},
        {"-180,-90,180,90", "-90,-180", true},
        {"170,-20,-170,20", "0,179.5", true},
        {"170,-20,-170,20", "0,-180", true},
        {"170,-20,-170,20", "0,160", false},
        {"0,0,0,0, 2,48,3,49", "48.5,2.5", true},
        {"2.5,48.5,2.5,48.5", "48.5,2.5", true},
        {"2.5,48.5,2.5,48.5", "48.50001,2.5", false},
        {"-0.1,-0.1,0.1,0.1", "0.05,-0.05", true},
        {"-122.75,36.8,-121.75,37.8", "37.77,-122.41", true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct post p = post_of("x");
        p.place = rows[i].place;
        if (meets((struct match_asked){.locations = rows[i].boxes}, &p) != rows[i].is_met) {
            fail_msg("locations=%s at %s", rows[i].boxes, rows[i].place);
        }
    }
}

/* The text `count` times, with commas between. */
static const char *times(const char *text, size_t count)
{
    struct buffer b = buffer_make(arena);
    for (size_t i = 0; i < count; i++) {
        buffer_printf(&b, "%s%s", i ? "," : "", text);
    }
    return buffer_string(&b);
}

static void refused(struct match_asked asked, const char *field, const char *rule)
{
    struct problems p = {.count = 0};
    struct match_query q;
    assert_false(match_filter_read(arena, &asked, &q, &p));
    assert_int_equal(p.count, 1);
    assert_string_equal(p.items[0].field, field);
    assert_string_equal(p.items[0].rule, rule);
}

static void test_refusals(void **state)
{
    (void)state;
    struct problems p = {.count = 0};
    struct match_query q;
    refused((struct match_asked){.track = NULL}, "track", "stream_filter_empty");
    refused((struct match_asked){" , ", ",", " "}, "track", "stream_filter_empty");
    refused((struct match_asked){.track = "a,!?"}, "track", "stream_track_empty");
    refused((struct match_asked){.track = "a\xFF"}, "track", "stream_track_unclean");
    refused((struct match_asked){.track = times("a", MATCH_PHRASES + 1)}, "track", "stream_track_many");
    refused((struct match_asked){.track = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16-17"}, "track", "stream_track_long");
    refused((struct match_asked){.follow = "ann,a b"}, "follow", "stream_follow_invalid");
    refused((struct match_asked){.follow = times("ann", MATCH_FOLLOWS + 1)}, "follow", "stream_follow_many");
    refused((struct match_asked){.locations = "1,2,3"}, "locations", "stream_box_open");
    refused((struct match_asked){.locations = "1,3,2,2"}, "locations", "stream_box_order");
    refused((struct match_asked){.locations = "1,x,2,2"}, "locations", "latitude_invalid");
    refused((struct match_asked){.locations = "181,1,2,2"}, "locations", "longitude_invalid");
    refused((struct match_asked){.locations = times("1,1,2,2", MATCH_BOXES + 1)}, "locations", "stream_box_many");
    struct match_asked most = {times("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", MATCH_PHRASES),
                               times("ann", MATCH_FOLLOWS), times("1,1,2,2", MATCH_BOXES)};
    assert_true(match_filter_read(arena, &most, &q, &p));
    assert_int_equal(q.count, MATCH_PHRASES + MATCH_FOLLOWS + MATCH_BOXES);
    static const char *const wrong[] = {"0", "101", "-1", "1.5", "x", "1000", " 1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        p.count = 0;
        assert_false(match_sample_read(arena, wrong[i], ANN, &q, &p));
        assert_string_equal(p.items[0].rule, "stream_percent");
    }
}

/* --- samples ------------------------------------------------------------------------------------------------------- */

#define SAMPLE 20000

/* Which of SAMPLE posts a client gets. */
static size_t sample(const char *percent, uint64_t client, bool got[SAMPLE])
{
    struct problems p = {.count = 0};
    struct match_query q;
    struct match_index *m = match_new();
    struct arena *a = arena_new();
    size_t all = 0;
    assert_true(match_sample_read(a, percent, client, &q, &p));
    match_add(m, &q, NULL);
    for (size_t i = 0; i < SAMPLE; i++) {
        struct post one = post_of("x");
        struct match_post read;
        size_t hits = 0;
        struct arena *each = arena_new();
        one.id = POST + i * 65536;
        match_post_read(each, &one, &read);
        match_find(m, &read, count_hit, &hits);
        got[i] = hits == 1;
        all += hits;
        arena_free(each);
    }
    match_free(m);
    arena_free(a);
    return all;
}

static void test_samples(void **state)
{
    (void)state;
    static bool ten[SAMPLE], again[SAMPLE], twenty[SAMPLE], other[SAMPLE];
    size_t count = sample(NULL, ANN, ten), same = 0;
    assert_int_equal(count, sample("10", ANN, again));
    assert_memory_equal(ten, again, sizeof(ten));
    assert_in_range(count, SAMPLE / 10 - 200, SAMPLE / 10 + 200);
    assert_in_range(sample("1", ANN, again), SAMPLE / 100 - 60, SAMPLE / 100 + 60);
    assert_int_equal(sample("100", ANN, again), SAMPLE);
    sample("20", ANN, twenty);
    sample("10", BOB, other);
    for (size_t i = 0; i < SAMPLE; i++) {
        assert_true(!ten[i] || twenty[i]);
        same += ten[i] && other[i];
    }
    assert_true(same < count); /* not the same ones for all */
    struct match_query q;
    struct post p = post_of("");
    struct match_post read;
    struct match_index *m = match_new();
    size_t hits = 0;
    match_firehose(arena, &q);
    match_add(m, &q, NULL);
    match_post_read(arena, &p, &read);
    match_find(m, &read, count_hit, &hits);
    assert_int_equal(hits, 1);
    match_free(m);
}

/* --- random filters and posts -------------------------------------------------------------------------------------- */

#define PEOPLE 6
#define LISTENERS 150
#define ROUNDS 300
#define POSTS 3 /* of a round */

static uint64_t chance_state;

static unsigned chance(unsigned below)
{
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance_state >> 33) % below;
}

/* Letters of the alphabet: few, so that things meet. Each is its own fold. */
static const char *const latin[] = {"red", "redis", "lua", "go", "c", "ant"};
static const char *const signs[] = {"\xE5\x8C\x97", "\xE4\xBA\xAC", "\xE9\xB8\xAD"};
static const char *const people[PEOPLE] = {"ann", "bob", "cid", "dan", "eve", "fay"};

/* What a part of a phrase, or of a text, is. */
struct piece {
    enum { PIECE_WORD, PIECE_SIGNS, PIECE_PAIR, PIECE_TAG, PIECE_NAME, PIECES } kind;
    const char *words[3]; /* as they stand one after the other, folded; of a tag or mention its name */
    size_t count;
};

static struct piece piece_random(void)
{
    struct piece p = {.kind = chance(PIECES), .count = 1};
    p.words[0] = p.kind == PIECE_SIGNS  ? signs[chance(3)]
                 : p.kind == PIECE_NAME ? people[chance(PEOPLE)]
                                        : latin[chance(6)];
    if (p.kind == PIECE_SIGNS || p.kind == PIECE_PAIR) {
        p.count = p.kind == PIECE_PAIR ? 2 : 1 + chance(3);
        for (size_t i = 1; i < p.count; i++) {
            p.words[i] = p.kind == PIECE_PAIR ? latin[chance(6)] : signs[chance(3)];
        }
    }
    return p;
}

/* As somebody types it: any case. */
static void piece_write(struct buffer *b, const struct piece *p)
{
    buffer_text(b, p->kind == PIECE_TAG ? "#" : p->kind == PIECE_NAME ? "@" : "");
    for (size_t i = 0; i < p->count; i++) {
        bool is_loud = chance(3) == 0;
        buffer_text(b, i && p->kind == PIECE_PAIR ? "-" : "");
        for (const char *c = p->words[i]; *c; c++) {
            buffer_char(b, is_loud && *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c);
        }
    }
}

/* A post as the naive matcher sees it: pieces, apart from each other by a full stop. */
struct told_post {
    struct piece pieces[6];
    size_t count;
    unsigned author;
    int latitude, longitude; /* tenths of degrees */
    bool has_place;
};

struct told_filter {
    struct piece phrases[3][3];
    size_t phrase_count, part_count[3];
    unsigned follows[2];
    bool by_id[2];
    size_t follow_count;
    int boxes[2][4];
    size_t box_count;
};

/* The words of a post in order: naive, pieces one after the other. */
static size_t all_words(const struct told_post *p, const char *out[18])
{
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < p->pieces[i].count; k++) {
            out[n++] = p->pieces[i].words[k];
        }
    }
    return n;
}

static bool naive_piece(const struct told_post *p, const struct piece *want)
{
    if (want->kind == PIECE_TAG || want->kind == PIECE_NAME) {
        for (size_t i = 0; i < p->count; i++) {
            if (p->pieces[i].kind == want->kind && strcmp(p->pieces[i].words[0], want->words[0]) == 0) {
                return true;
            }
        }
        return false;
    }
    const char *words[18];
    size_t n = all_words(p, words);
    for (size_t at = 0; at + want->count <= n; at++) {
        size_t same = 0;
        while (same < want->count && strcmp(words[at + same], want->words[same]) == 0) {
            same++;
        }
        if (same == want->count) {
            return true;
        }
    }
    return false;
}

static bool naive_phrase(const struct told_filter *f, size_t i, const struct told_post *p)
{
    for (size_t k = 0; k < f->part_count[i]; k++) {
        if (!naive_piece(p, &f->phrases[i][k])) {
            return false;
        }
    }
    return true;
}

static bool naive_follow(const struct told_post *p, unsigned who)
{
    bool is_met = p->author == who;
    for (size_t i = 0; i < p->count; i++) {
        is_met |= p->pieces[i].kind == PIECE_NAME && strcmp(p->pieces[i].words[0], people[who]) == 0;
    }
    return is_met;
}

static bool naive_box(const int box[4], const struct told_post *p)
{
    bool is_between = box[0] <= box[2] ? p->longitude >= box[0] && p->longitude <= box[2]
                                       : p->longitude >= box[0] || p->longitude <= box[2];
    return p->has_place && is_between && p->latitude >= box[1] && p->latitude <= box[3];
}

static bool naive_meets(const struct told_filter *f, const struct told_post *p)
{
    bool is_met = false;
    for (size_t i = 0; i < f->phrase_count; i++) {
        is_met |= naive_phrase(f, i, p);
    }
    for (size_t i = 0; i < f->follow_count; i++) {
        is_met |= naive_follow(p, f->follows[i]);
    }
    for (size_t i = 0; i < f->box_count; i++) {
        is_met |= naive_box(f->boxes[i], p);
    }
    return is_met;
}

static uint64_t person_id(unsigned who)
{
    return ANN + who;
}

static void filter_random(struct told_filter *f)
{
    memset(f, 0, sizeof(*f));
    while (f->phrase_count + f->follow_count + f->box_count == 0) {
        f->phrase_count = chance(4);
        f->follow_count = chance(4) ? 0 : 1 + chance(2);
        f->box_count = chance(4) ? 0 : 1 + chance(2);
    }
    for (size_t i = 0; i < f->phrase_count; i++) {
        f->part_count[i] = 1 + chance(3);
        for (size_t k = 0; k < f->part_count[i]; k++) {
            f->phrases[i][k] = piece_random();
        }
    }
    for (size_t i = 0; i < f->follow_count; i++) {
        f->follows[i] = chance(PEOPLE);
        f->by_id[i] = chance(2);
    }
    for (size_t i = 0; i < f->box_count; i++) {
        int *box = f->boxes[i], high = (int)chance(chance(2) ? 1800 : 20);
        box[0] = (int)chance(3601) - 1800;
        box[2] = chance(3) ? (int)chance(3601) - 1800 : box[0] + (box[0] < 1790 ? (int)chance(10) : 0);
        box[1] = (int)chance((unsigned)(1801 - high)) - 900;
        box[3] = box[1] + high;
    }
}

static const char *tenths(int n)
{
    return arena_printf(arena, "%s%d.%d", n < 0 ? "-" : "", abs(n) / 10, abs(n) % 10);
}

static struct match_listener *filter_add(struct match_index *m, const struct told_filter *f, void *owner)
{
    struct buffer phrases = buffer_make(arena), follows = buffer_make(arena), boxes = buffer_make(arena);
    struct problems p = {.count = 0};
    struct match_query q;
    for (size_t i = 0; i < f->phrase_count; i++) {
        buffer_text(&phrases, i ? "," : "");
        for (size_t k = 0; k < f->part_count[i]; k++) {
            buffer_text(&phrases, k ? " " : "");
            piece_write(&phrases, &f->phrases[i][k]);
        }
    }
    for (size_t i = 0; i < f->follow_count; i++) {
        const char *id = id_text(arena, person_id(f->follows[i]));
        buffer_printf(&follows, "%s,", f->by_id[i] ? id : people[f->follows[i]]);
    }
    for (size_t i = 0; i < f->box_count * 4; i++) {
        buffer_printf(&boxes, "%s%s", i ? "," : "", tenths(f->boxes[i / 4][i % 4]));
    }
    struct match_asked asked = {buffer_string(&phrases), buffer_string(&follows), buffer_string(&boxes)};
    if (!match_filter_read(arena, &asked, &q, &p)) {
        fail_msg("track=%s follow=%s locations=%s: %s", asked.track, asked.follow, asked.locations, p.items[0].rule);
    }
    return match_add(m, &q, owner);
}

static void post_random(struct told_post *t, struct post *p)
{
    struct buffer text = buffer_make(arena);
    struct post_mention *mentions = arena_alloc(arena, 6 * sizeof(*mentions));
    *t = (struct told_post){.count = chance(7), .author = chance(PEOPLE), .has_place = chance(2)};
    *p = post_of("");
    for (size_t i = 0; i < t->count; i++) {
        t->pieces[i] = piece_random();
        buffer_text(&text, i == 0 ? "" : chance(2) ? " " : ". ");
        piece_write(&text, &t->pieces[i]);
        if (t->pieces[i].kind == PIECE_NAME) {
            unsigned who = 0;
            while (strcmp(people[who], t->pieces[i].words[0]) != 0) {
                who++;
            }
            mentions[p->mention_count++] = (struct post_mention){people[who], person_id(who)};
        }
    }
    p->text = buffer_string(&text);
    p->mentions = mentions;
    p->author.id = person_id(t->author);
    p->author.name = people[t->author];
    t->latitude = (int)chance(1801) - 900;
    t->longitude = (int)chance(3601) - 1800;
    p->place = t->has_place ? arena_printf(arena, "%s,%s", tenths(t->latitude), tenths(t->longitude)) : "";
}

struct slot_of {
    struct told_filter filter;
    struct match_listener *listener; /* NULL: gone */
    unsigned hits;
};

static void note_hit(void *context, void *owner)
{
    (void)context;
    ((struct slot_of *)owner)->hits++;
}

/* Listeners come and go, posts go by: the index finds whom the naive matcher finds, each once. */
static void test_random(void **state)
{
    (void)state;
    static struct slot_of all[LISTENERS];
    struct match_index *m = match_new();
    size_t met = 0, checks = 0;
    chance_state = (uint64_t)time(NULL);
    print_message("seed %llu\n", (unsigned long long)chance_state);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < 20; i++) {
            struct slot_of *one = &all[chance(LISTENERS)];
            if (one->listener) {
                match_remove(m, one->listener);
                one->listener = NULL;
            } else {
                filter_random(&one->filter);
                one->listener = filter_add(m, &one->filter, one);
            }
        }
        for (unsigned n = 0; n < POSTS; n++) {
            struct told_post told;
            struct post p;
            struct match_post read;
            post_random(&told, &p);
            match_post_read(arena, &p, &read);
            match_find(m, &read, note_hit, NULL);
            for (unsigned i = 0; i < LISTENERS; i++) {
                unsigned expected = all[i].listener && naive_meets(&all[i].filter, &told);
                if (all[i].hits != expected) {
                    fail_msg("listener %u, \"%s\" by %s at %s: %u times, expected %u", i, p.text, p.author.name,
                             p.place, all[i].hits, expected);
                }
                met += expected;
                checks++;
                all[i].hits = 0;
            }
        }
        arena_reset(arena);
    }
    print_message("%zu of %zu met\n", met, checks);
    assert_true(met > checks / 100 && met < checks / 2);
    match_free(m);
    memset(all, 0, sizeof(all));
}

/* --- what it costs ------------------------------------------------------------------------------------------------- */

/* However many filters of other words there are, as many are looked at: those under the rarest of their words. The words that all share
 * come first, so nothing but the choice of the key keeps them apart. */
static void test_rarest(void **state)
{
    (void)state;
    struct match_index *m = match_new();
    struct problems p = {.count = 0};
    struct post common = post_of("the common word and nothing else");
    struct match_post read;
    size_t hits = 0;
    for (unsigned i = 0; i < 2000; i++) {
        struct match_query q;
        struct match_asked asked = {.track = arena_printf(arena, "common w%u,word x%u", i, i)};
        assert_true(match_filter_read(arena, &asked, &q, &p));
        match_add(m, &q, NULL);
    }
    match_post_read(arena, &common, &read);
    size_t looked = match_find(m, &read, count_hit, &hits);
    assert_int_equal(hits, 0);
    assert_true(looked <= 2); /* the very first of each word found all its keys empty */
    common.text = "common w77 word";
    match_post_read(arena, &common, &read);
    match_find(m, &read, count_hit, &hits);
    assert_int_equal(hits, 1);
    match_free(m);
}

static int start(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words, start, end),
        cmocka_unit_test_setup_teardown(test_signs, start, end),
        cmocka_unit_test_setup_teardown(test_names, start, end),
        cmocka_unit_test_setup_teardown(test_follow, start, end),
        cmocka_unit_test_setup_teardown(test_locations, start, end),
        cmocka_unit_test_setup_teardown(test_refusals, start, end),
        cmocka_unit_test_setup_teardown(test_samples, start, end),
        cmocka_unit_test_setup_teardown(test_random, start, end),
        cmocka_unit_test_setup_teardown(test_rarest, start, end),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
