/* test_key_index.c - objects of any number of members are asked for their keys, and each question looks at a few of
 * them only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "view/json.h"
#include "view/key_index.h"
#include "view/template.h"

static struct arena *arena;
static yyjson_mut_doc *doc;

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    doc = view_doc(arena);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* Names as they occur: numbered ones, and ones that differ at one place only, wherever it is. */
static const char *name(size_t i)
{
    static const char *const ends[][2] = {
        {"k", ""}, {"month_", ""}, {"", "_followers_count_other"}, {"elapsed_", "_one"}};
    return arena_printf(arena, "%s%zu%s", ends[i % 4][0], i / 4, ends[i % 4][1]);
}

/* {name(first): "0", name(first + 1): "1", …} */
static yyjson_mut_val *object(size_t first, size_t members)
{
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    for (size_t i = 0; i < members; i++) {
        yyjson_mut_obj_add_str(doc, o, name(first + i), arena_printf(arena, "%zu", i));
    }
    return o;
}

static yyjson_mut_val *find(const struct key_index *x, const char *key)
{
    return key_index_find(x, key, strlen(key), key_index_hash(key, strlen(key)));
}

/* How many keys are looked at for this one. */
static size_t looks(const struct key_index *x, const char *key)
{
    size_t count = 1;
    for (size_t slot = key_index_hash(key, strlen(key)); x->slots[slot & x->mask]; slot++, count++) {
        if (strcmp(yyjson_mut_get_str(x->slots[slot & x->mask]), key) == 0) {
            break;
        }
    }
    return count;
}

static const size_t sizes[] = {1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000, 20000};

/* Each is found, none that is not there is, and one costs as little among 20000 as among 64. */
static void test_any_size(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        struct key_index x = {.capacity = 0};
        key_index_make(&x, object(0, sizes[s]), arena);
        size_t all = 0, most = 0;
        for (size_t i = 0; i < sizes[s]; i++) {
            yyjson_mut_val *v = find(&x, name(i));
            assert_non_null(v);
            assert_string_equal(yyjson_mut_get_str(v), arena_printf(arena, "%zu", i));
            size_t n = looks(&x, name(i));
            all += n;
            most = n > most ? n : most;
        }
        for (size_t i = sizes[s]; i < sizes[s] + 100; i++) {
            assert_null(find(&x, name(i)));
            all += looks(&x, name(i));
        }
        assert_null(find(&x, ""));
        assert_true(all <= 3 * (sizes[s] + 100));
        assert_true(most <= 64);
    }
}

/* The memory of a large one serves small ones, and what it held is forgotten; a larger one gets more. */
static void test_used_again(void **state)
{
    (void)state;
    const size_t members[] = {10, 100, 9, 1000, 3, 2000, 65};
    struct key_index x = {.capacity = 0};
    for (size_t n = 0; n < sizeof(members) / sizeof(members[0]); n++) {
        key_index_make(&x, object(n * 5000, members[n]), arena);
        assert_true(x.mask + 1 >= 2 * members[n] && x.mask + 1 <= x.capacity);
        assert_true(x.mask + 1 < 4 * members[n] || x.mask + 1 == 16);
        for (size_t i = 0; i < members[n]; i++) {
            assert_non_null(find(&x, name(n * 5000 + i)));
        }
        assert_null(find(&x, name(n * 5000 + members[n])));
        assert_true(n == 0 || !find(&x, name((n - 1) * 5000)));
    }
}

/* Of a key that is there twice the first, as without an index; an empty key is one like others. */
static void test_odd_keys(void **state)
{
    (void)state;
    yyjson_mut_val *o = object(0, 70);
    yyjson_mut_obj_add_str(doc, o, name(3), "again");
    yyjson_mut_obj_add_str(doc, o, "", "empty");
    struct key_index x = {.capacity = 0};
    key_index_make(&x, o, arena);
    assert_string_equal(yyjson_mut_get_str(find(&x, name(3))), "3");
    assert_string_equal(yyjson_mut_get_str(find(&x, "")), "empty");
    assert_null(key_index_find(&x, name(3), 1, key_index_hash(name(3), 1)));
}

/* Pages over objects of each size, one beside and one within the other. */
static void test_rendered(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]) - 1; s++) {
        size_t last = sizes[s] - 1;
        const char *text = arena_printf(arena, "{{#list}}{{%s}} {{%s}} {{%s}} {{nothing}}{{outside}};{{/list}}",
                                        name(last), name(last / 2), name(0));
        struct template_source source = {"main", text, strlen(text)};
        struct templates *t = templates_compile(&source, 1, NULL, "v1", stderr);
        assert_non_null(t);
        yyjson_mut_val *root = object(50000, sizes[s]);
        yyjson_mut_obj_add_str(doc, root, "outside", "here");
        yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "list");
        yyjson_mut_arr_append(list, object(0, sizes[s]));
        yyjson_mut_arr_append(list, object(0, sizes[s]));
        struct buffer out = buffer_make(arena);
        assert_int_equal(template_render(t, NULL, "main", root, &out), ERR_OK);
        const char *item = arena_printf(arena, "%zu %zu 0 here;", last, last / 2);
        assert_string_equal(buffer_string(&out), arena_printf(arena, "%s%s", item, item));
        templates_free(t);
    }
}

#define one(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {one(test_any_size), one(test_used_again), one(test_odd_keys),
                                       one(test_rendered)};
    return cmocka_run_group_tests_name("key_index", tests, NULL, NULL);
}
