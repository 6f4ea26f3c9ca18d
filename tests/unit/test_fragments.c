/* test_fragments.c - what is rendered once and kept gives the same page, byte by byte, as rendering it anew: for every
 * template and document of tests/view/samples, however its objects are cut into the part that is kept and the visitor's;
 * for real posts that several visitors look at in turn; for posts of which anything has changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <pthread.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/embedded.h"
#include "base/err.h"
#include "base/json.h"
#include "social/people/filter.h"
#include "social/posts/post.h"
#include "view/decoration.h"
#include "view/fragment.h"
#include "view/json.h"
#include "view/locale.h"
#include "view/template.h"

#define SAMPLES "tests/view/samples"
#define ID_1 ((UINT64_C(1741089932123) << 16) + 64)
#define KEPT ((size_t)8 << 20)
#define CUTS 40

static struct locales *locales;
static struct templates *site; /* those of the program */

static int setup(void **state)
{
    (void)state;
    locales = locales_load(NULL, stderr);
    site = templates_load(&(struct template_options){.locales = locales, .assets_version = "v"}, stderr);
    return site ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    templates_free(site);
    locales_free(locales);
    return 0;
}

static const char *rendered(struct arena *a, const char *locale, const char *name, yyjson_mut_val *root)
{
    struct buffer out = buffer_make(a);
    assert_int_equal(template_render(site, locale, name, root, &out), ERR_OK);
    return buffer_string(&out);
}

static struct fragment_numbers numbers(void)
{
    struct fragment_numbers n;
    templates_count(site, &n);
    return n;
}

/* --- documents that are cut at random ------------------------------------------------------------------------ */

static uint64_t dice;

static unsigned throw(unsigned sides)
{
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(dice >> 33) % sides;
}

static yyjson_mut_val *given(const void *from, const void *of)
{
    (void)from;
    return (yyjson_mut_val *)(uintptr_t)of;
}

static unsigned cuts;

/* A copy in which objects within lists, and under the document itself, are things: each member is in one of the parts. The
 * key of the whole is its text, as that of a real one. */
static yyjson_mut_val *cut(struct arena *a, yyjson_mut_doc *doc, yyjson_mut_val *v, bool may)
{
    yyjson_mut_val *copy = yyjson_mut_is_arr(v) ? yyjson_mut_arr(doc) : yyjson_mut_obj(doc);
    if (yyjson_mut_is_arr(v)) {
        yyjson_mut_arr_iter i;
        yyjson_mut_arr_iter_init(v, &i);
        for (yyjson_mut_val *one; (one = yyjson_mut_arr_iter_next(&i));) {
            yyjson_mut_arr_append(copy, cut(a, doc, one, true));
        }
        return copy;
    }
    if (!yyjson_mut_is_obj(v)) {
        return yyjson_mut_val_mut_copy(doc, v);
    }
    yyjson_mut_val *whole = may && throw(3) ? yyjson_mut_obj(doc) : NULL;
    struct fragment_item *item = arena_zero(a, sizeof(*item));
    if (whole) {
        fragment_mark(doc, copy, item);
        cuts++;
    }
    yyjson_mut_obj_iter i;
    yyjson_mut_obj_iter_init(v, &i);
    for (yyjson_mut_val *key; (key = yyjson_mut_obj_iter_next(&i));) {
        yyjson_mut_val *value = yyjson_mut_obj_iter_get_val(key);
        bool is_kept = whole && throw(3);
        yyjson_mut_obj_add_val(doc, is_kept ? whole : copy, yyjson_mut_get_str(key),
                               is_kept ? yyjson_mut_val_mut_copy(doc, value) : cut(a, doc, value, !whole && may));
    }
    if (whole) {
        struct buffer text = buffer_make(a);
        yyjson_mut_doc *own = view_doc(a);
        yyjson_mut_doc_set_root(own, yyjson_mut_val_mut_copy(own, whole));
        view_json(&text, own);
        *item = (struct fragment_item){.key = text.data, .key_size = text.length, .make = given, .of = whole};
    }
    return copy;
}

/* At the root all names stay; what is under them may be cut. */
static yyjson_mut_val *cut_page(struct arena *a, yyjson_mut_val *root)
{
    yyjson_mut_doc *doc = view_doc(a);
    yyjson_mut_val *copy = yyjson_mut_obj(doc);
    yyjson_mut_obj_iter i;
    yyjson_mut_obj_iter_init(root, &i);
    for (yyjson_mut_val *key; (key = yyjson_mut_obj_iter_next(&i));) {
        yyjson_mut_obj_add_val(doc, copy, yyjson_mut_get_str(key), cut(a, doc, yyjson_mut_obj_iter_get_val(key), true));
    }
    return copy;
}

static yyjson_mut_val *sample(struct arena *a, const char *file)
{
    yyjson_alc allocator = json_allocator(a);
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", SAMPLES, file);
    yyjson_doc *doc = yyjson_read_file(path, 0, &allocator, NULL);
    assert_non_null(doc);
    return yyjson_val_mut_copy(view_doc(a), yyjson_doc_get_root(doc));
}

/* Twice: what is made and kept by the first is what the second takes. */
static void compare_page(const char *file)
{
    char template[64];
    snprintf(template, sizeof(template), "%.*s", (int)strcspn(file, "."), file);
    for (unsigned n = 0; n < CUTS; n++) {
        struct arena *a = arena_new();
        yyjson_mut_val *root = sample(a, file);
        const char *locale = locale_code(locales_at(locales, n % locales_count(locales)));
        const char *fresh = rendered(a, locale, template, root);
        yyjson_mut_val *parts = cut_page(a, root);
        for (int round = 0; round < 2; round++) {
            const char *kept = rendered(a, locale, template, parts);
            if (strcmp(fresh, kept) != 0) {
                fail_msg("%s, cut %u, round %d is another page", file, n, round);
            }
        }
        arena_free(a);
    }
}

static void test_all_samples(void **state)
{
    (void)state;
    templates_keep(site, KEPT);
    dice = 7;
    DIR *d = opendir(SAMPLES);
    assert_non_null(d);
    unsigned files = 0;
    for (struct dirent *f; (f = readdir(d));) {
        if (strstr(f->d_name, ".json")) {
            compare_page(f->d_name);
            files++;
        }
    }
    closedir(d);
    assert_true(files > 50 && cuts > 1000);
    assert_true(numbers().kept.hits > 1000 && numbers().kept.misses > 1000 && numbers().kept.bytes <= KEPT);
}

/* --- real posts ----------------------------------------------------------------------------------------------- */

static struct post_mention mentioned[] = {{"bob", ID_1 + 6400}};

static struct post a_post(void)
{
    return (struct post){
        .id = ID_1,
        .author = {.id = ID_1 - 640, .name = "ann", .display = "Ann <b>", .bio = "", .profile_fields = ""},
        .text = "hello @bob #tag & https://example.org/x",
        .reply_name = "",
        .boost_name = "",
        .spoiler = "",
        .language = "en",
        .mentions = mentioned,
        .mention_count = 1};
}

struct look {
    const char *locale;
    uint64_t viewer, now_ms;
    struct post_marks marks;
    const char *filtered;
    bool is_boosted;
};

static const struct look looks[] = {
    {"en", 0, (ID_1 >> 16) + 1000, {0}, NULL, false},
    {"en", ID_1 - 640, (ID_1 >> 16) + 90000, {.is_pinned = true}, NULL, false},
    {"en", ID_1 + 6400, (ID_1 >> 16) + 7200000, {.is_favourited = true, .is_boosted = true}, NULL, false},
    {"zh-CN", ID_1 + 6400, (ID_1 >> 16) + 7200000, {.is_bookmarked = true}, "x & y", false},
    {"ro", ID_1 + 6400, (ID_1 >> 16) + 9200000, {.is_quiet = true}, NULL, true},
};
#define LOOKS (sizeof(looks) / sizeof(*looks))

/* The page of a post that this visitor looks at. */
static const char *seen(struct arena *a, const struct post *post, const struct look *by, const char *template)
{
    struct entity_context c = {.arena = a,
                               .doc = view_doc(a),
                               .origin = "https://example.org",
                               .locale = locales_find(locales, by->locale),
                               .viewer = by->viewer,
                               .now_ms = by->now_ms};
    struct post p = *post;
    p.marks = by->marks;
    const struct filter of = {.title = by->filtered};
    const struct filter_match behind = {.filter = &of};
    p.filtered = by->filtered ? &behind : NULL;
    struct post boost = a_post();
    boost.id = ID_1 + 640000;
    boost.author.name = "carol";
    boost.boosted = &p;
    yyjson_mut_val *root = yyjson_mut_obj(c.doc), *list = yyjson_mut_obj_add_arr(c.doc, root, "statuses");
    yyjson_mut_obj_add_bool(c.doc, root, "signed_in", by->viewer != 0);
    yyjson_mut_obj_add_str(c.doc, root, "csrf_token", by->viewer ? arena_printf(a, "t%d", (int)(by - looks)) : "");
    yyjson_mut_obj_add_str(c.doc, root, "path", "/here");
    yyjson_mut_arr_append(list, decoration_status(&c, by->is_boosted ? &boost : &p));
    yyjson_mut_obj_add_val(c.doc, root, "post", decoration_status(&c, &p));
    return rendered(a, by->locale, template, root);
}

/* What each of them sees, in turn, is what he would see if nothing were kept; and what is kept is used. */
static void compare_looks(struct arena *a, const struct post *post)
{
    static const char *const pages[] = {"home", "post"};
    for (size_t page = 0; page < 2; page++) {
        const char *fresh[LOOKS];
        templates_keep(site, 0);
        for (size_t i = 0; i < LOOKS; i++) {
            fresh[i] = seen(a, post, &looks[i], pages[page]);
            assert_true(i == 0 || strcmp(fresh[i], fresh[i - 1]) != 0);
        }
        templates_keep(site, KEPT);
        for (size_t i = 0; i < 3 * LOOKS; i++) {
            assert_string_equal(seen(a, post, &looks[i % LOOKS], pages[page]), fresh[i % LOOKS]);
        }
        struct fragment_numbers n = numbers();
        assert_int_equal(n.unfit, 0);
        assert_true(n.kept.hits >= 2 * LOOKS && n.kept.misses <= 2 * LOOKS);
    }
}

static void test_two_visitors(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct post p = a_post();
    compare_looks(a, &p);
    p.spoiler = "careful <i>";
    p.reply_to = ID_1 - 64;
    p.reply_author = ID_1 - 1280;
    p.reply_name = "dan";
    p.edited_ms = (ID_1 >> 16) + 500;
    p.reply_count = 2;
    p.favourite_count = 1;
    p.boost_count = 12;
    p.visibility = VISIBILITY_PRIVATE;
    compare_looks(a, &p);
    templates_keep(site, 0);
    arena_free(a);
}

/* Whatever changes in a post shows at once. */
static void test_changes_show(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const struct look *by = &looks[2];
    struct post all[13];
    for (size_t i = 0; i < 13; i++) {
        all[i] = a_post();
        all[i].favourite_count = all[i].boost_count = all[i].reply_count = 1; /* the numbers are on the page */
        all[i].reply_to = 4711;
        all[i].reply_author = 99;
        all[i].reply_name = "dan";
    }
    all[1].id += UINT64_C(65536) * 61000;
    all[2].author.name = "anne";
    all[3].author.display = "";
    all[4].text = "hello @bob #tag & https://example.org/y";
    all[5].reply_name = "eve";
    all[6].reply_to = 4712;
    all[7].favourite_count = 2;
    all[8].boost_count = 3;
    all[9].reply_count = 4;
    all[10].edited_ms = (ID_1 >> 16) + 5;
    all[11].visibility = VISIBILITY_UNLISTED;
    all[12].spoiler = "s";
    templates_keep(site, KEPT);
    for (size_t i = 0; i < 13; i++) {
        const char *page = seen(a, &all[i], by, "home");
        for (size_t n = 0; n < i; n++) {
            assert_string_not_equal(page, seen(a, &all[n], by, "home"));
        }
    }
    struct post other = a_post();
    const char *before = seen(a, &other, by, "home");
    other.language = "de";
    assert_string_not_equal(before, seen(a, &other, by, "home"));
    other = a_post();
    other.place = "52.5,13.4";
    assert_string_not_equal(before, seen(a, &other, by, "home"));
    other = a_post();
    other.mention_count = 0;
    assert_string_not_equal(before, seen(a, &other, by, "home"));
    templates_keep(site, 0);
    arena_free(a);
}

/* --- an object of the visitor's -------------------------------------------------------------------------------- */

/* A thing in a list: its visitor's part, which is returned, with `name` in its whole, and `id` unless it is 0. */
static yyjson_mut_val *put_thing(struct arena *a, yyjson_mut_doc *doc, yyjson_mut_val *list, const char *key,
                                 const char *name, int id)
{
    yyjson_mut_val *part = yyjson_mut_arr_add_obj(doc, list), *whole = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, whole, "name", name);
    if (id) {
        yyjson_mut_obj_add_int(doc, whole, "id", id);
    }
    struct fragment_item *item = arena_zero(a, sizeof(*item));
    *item = (struct fragment_item){.key = key, .key_size = strlen(key), .make = given, .of = whole};
    fragment_mark(doc, part, item);
    return part;
}

/* Names in a section over an object of the visitor's are looked up in there first: such a section cannot be run in
 * advance, and is not. */
static void test_unfit(void **state)
{
    (void)state;
    static const char text[] = "{{#list}}<{{#by}}{{name}}/{{id}}{{/by}}{{name}}>{{/list}}";
    struct template_source source = {"main", text, sizeof(text) - 1};
    struct templates *t = templates_compile(&source, 1, NULL, "v", stderr);
    templates_keep(t, KEPT);
    static const char *const documents[][2] = {{"{\"by\":{\"name\":\"his\"}}", "<his/7own>"},
                                               {"{\"by\":true}", "<own/7own>"},
                                               {"{\"by\":[{\"name\":1},{\"id\":2}]}", "<1/7own/2own>"},
                                               {"{}", "<own>"}};
    for (int round = 0; round < 8; round++) {
        struct arena *a = arena_new();
        yyjson_mut_doc *doc = view_doc(a);
        yyjson_mut_val *root = yyjson_mut_obj(doc), *list = yyjson_mut_obj_add_arr(doc, root, "list");
        yyjson_alc allocator = json_allocator(a);
        const char *json = documents[round % 4][0];
        yyjson_doc *parsed = yyjson_read_opts((char *)(uintptr_t)json, strlen(json), 0, &allocator, NULL);
        yyjson_mut_val *part = put_thing(a, doc, list, "k", "own", 7);
        yyjson_val *by = yyjson_obj_get(yyjson_doc_get_root(parsed), "by");
        if (by) {
            yyjson_mut_obj_add_val(doc, part, "by", yyjson_val_mut_copy(doc, by));
        }
        struct buffer out = buffer_make(a);
        assert_int_equal(template_render(t, NULL, "main", root, &out), ERR_OK);
        assert_string_equal(buffer_string(&out), documents[round % 4][1]);
        arena_free(a);
    }
    struct fragment_numbers n;
    templates_count(t, &n);
    assert_int_equal(n.unfit, 4);
    assert_int_equal(n.kept.misses, 1);
    templates_free(t);
}

/* Things and ordinary values in one list; what both parts have is taken from the visitor's. */
static void test_mixed_list(void **state)
{
    (void)state;
    static const char text[] = "{{#list}}{{name}}{{id}} {{/list}}";
    struct template_source source = {"main", text, sizeof(text) - 1};
    struct templates *t = templates_compile(&source, 1, NULL, "v", stderr);
    templates_keep(t, KEPT);
    struct arena *a = arena_new();
    yyjson_mut_doc *doc = view_doc(a);
    yyjson_mut_val *root = yyjson_mut_obj(doc), *list = yyjson_mut_obj_add_arr(doc, root, "list");
    for (int i = 0; i < 6; i++) {
        if (i == 0 || i == 3) {
            yyjson_mut_obj_add_str(doc, yyjson_mut_arr_add_obj(doc, list), "name", "plain");
            continue;
        }
        yyjson_mut_val *part = put_thing(a, doc, list, arena_printf(a, "%d", i), "whole", i);
        if (i == 2) {
            yyjson_mut_obj_add_str(doc, part, "name", "part");
        }
    }
    for (int round = 0; round < 3; round++) {
        struct buffer out = buffer_make(a);
        assert_int_equal(template_render(t, NULL, "main", root, &out), ERR_OK);
        assert_string_equal(buffer_string(&out), "plain whole1 part2 plain whole4 whole5 ");
    }
    struct fragment_numbers n;
    templates_count(t, &n);
    assert_int_equal(n.kept.misses, 4);
    assert_int_equal(n.kept.hits, 8);
    arena_free(a);
    templates_free(t);
}

/* --- memory ---------------------------------------------------------------------------------------------------- */

static void render_many(const struct templates *t, unsigned seed, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        struct arena *a = arena_new();
        yyjson_mut_doc *doc = view_doc(a);
        yyjson_mut_val *root = yyjson_mut_obj(doc), *list = yyjson_mut_obj_add_arr(doc, root, "list");
        const char *name = arena_printf(a, "%u", (i * 7 + seed) % 500);
        put_thing(a, doc, list, name, name, 0);
        struct buffer out = buffer_make(a);
        assert_int_equal(template_render(t, NULL, "main", root, &out), ERR_OK);
        assert_string_equal(buffer_string(&out), arena_printf(a, "%s,", name));
        arena_free(a);
    }
}

static void *render_thread(void *t)
{
    render_many(t, (unsigned)(uintptr_t)&t, 4000);
    return NULL;
}

/* Little room and many threads: what is in use may be pushed out. */
static void test_little_room(void **state)
{
    (void)state;
    static const char text[] = "{{#list}}{{name}},{{/list}}";
    struct template_source source = {"main", text, sizeof(text) - 1};
    struct templates *t = templates_compile(&source, 1, NULL, "v", stderr);
    const size_t room = 16 << 10;
    templates_keep(t, room);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, render_thread, t), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    struct fragment_numbers n;
    templates_count(t, &n);
    assert_true(n.kept.bytes <= room && n.kept.entries > 0 && n.kept.entries < 500);
    assert_int_equal(n.kept.hits + n.kept.misses, 16000);
    assert_int_equal(n.unfit, 0);
    templates_free(t);
}

/* What is too large is rendered each time. */
static void test_too_large(void **state)
{
    (void)state;
    static const char text[] = "{{#list}}{{name}},{{/list}}";
    struct template_source source = {"main", text, sizeof(text) - 1};
    struct templates *t = templates_compile(&source, 1, NULL, "v", stderr);
    templates_keep(t, KEPT);
    struct arena *a = arena_new();
    yyjson_mut_doc *doc = view_doc(a);
    yyjson_mut_val *root = yyjson_mut_obj(doc), *list = yyjson_mut_obj_add_arr(doc, root, "list");
    char *name = arena_zero(a, 70001);
    memset(name, 'x', 70000);
    put_thing(a, doc, list, "k", name, 0);
    for (int i = 0; i < 2; i++) {
        struct buffer out = buffer_make(a);
        assert_int_equal(template_render(t, NULL, "main", root, &out), ERR_OK);
        assert_int_equal(out.length, 70001);
    }
    struct fragment_numbers n;
    templates_count(t, &n);
    assert_int_equal(n.kept.entries, 0);
    arena_free(a);
    templates_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_samples), cmocka_unit_test(test_two_visitors), cmocka_unit_test(test_changes_show),
        cmocka_unit_test(test_unfit),       cmocka_unit_test(test_mixed_list),   cmocka_unit_test(test_little_room),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests_name("fragments", tests, setup, teardown);
}
