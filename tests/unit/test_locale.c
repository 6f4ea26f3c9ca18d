/* test_locale.c - catalogues of words (view/locale.h): the functions, and that the real catalogues agree with each
 * other and with the templates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <yyjson.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "view/locale.h"
#include "view/template.h"

static struct locale_source source(const char *code, const char *text)
{
    return (struct locale_source){code, text, strlen(text)};
}

/* --- reading ------------------------------------------------------------------------------------------------ */

static void test_reading(void **state)
{
    (void)state;
    struct locale_source sources[] = {source("ro", "{\"b\": \"doi\", \"locale_name\": \"Română\", \"a\": \"unu\"}"),
                                      source("en", "{\"a\": \"one\"}"), source("es", "{}")};
    struct locales *l = locales_read(sources, 3, stderr);
    assert_non_null(l);
    assert_int_equal(locales_count(l), 3);
    assert_string_equal(locale_code(locales_at(l, 0)), "en");
    assert_string_equal(locale_name(locales_at(l, 0)), "en");
    assert_string_equal(locale_code(locales_at(l, 1)), "es");
    const struct locale *ro = locales_find(l, "RO");
    assert_string_equal(locale_name(ro), "Română");
    assert_string_equal(locale_text(ro, "a"), "unu");
    assert_string_equal(locale_text(ro, "b"), "doi");
    assert_string_equal(locale_text(ro, "c"), "c");
    assert_null(locale_find(ro, "c"));
    assert_null(locales_find(l, "fr"));
    locales_free(l);
}

static void refuse(const char *text, const char *expected)
{
    char *said = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&said, &size);
    struct locale_source s = source("xx", text);
    assert_null(locales_read(&s, 1, report));
    fclose(report);
    assert_non_null(strstr(said, expected));
    free(said);
}

static void test_mistakes(void **state)
{
    (void)state;
    refuse("{\"a\": \"b\",", "locales/xx.json: ");
    refuse("[]", "locales/xx.json: not a JSON object");
    refuse("{\"a\": 1}", "locales/xx.json: \"a\" is not a string");
    refuse("{\"a\": \"1\", \"a\": \"2\"}", "locales/xx.json: \"a\" is there twice");
    FILE *nowhere = fopen("/dev/null", "w");
    assert_null(locales_load("/nonexistent", nowhere));
    fclose(nowhere);
}

/* --- choosing ----------------------------------------------------------------------------------------------- */

static void test_choosing(void **state)
{
    (void)state;
    static const struct {
        const char *cookie, *header, *fallback, *expected;
    } cases[] = {
        {NULL, NULL, NULL, "en"},
        {NULL, NULL, "ro", "ro"},
        {NULL, NULL, "xx", "en"},
        {NULL, "", "ro", "ro"},
        {"es", "ro", "en", "es"},
        {"ZH-cn", NULL, "en", "zh-CN"},
        {"xx", "ro", "en", "ro"},
        {"", "ro", "en", "ro"},
        {NULL, "es", "en", "es"},
        {NULL, "es-MX", "en", "es"},
        {NULL, "zh", "en", "zh-CN"},
        {NULL, "zh-Hans", "en", "zh-CN"},
        {NULL, "zh-Hans-CN", "en", "zh-CN"},
        {NULL, "fr,de;q=0.9", "ro", "ro"},
        {NULL, "fr, es;q=0.8, ro;q=0.9", "en", "ro"},
        {NULL, "es;q=0.5,ro;q=0.5", "en", "es"},
        {NULL, "es;q=0.123 , ro;q=0.124", "en", "ro"},
        {NULL, "es;q=0, ro;q=0.001", "en", "ro"},
        {NULL, "es; q=0.2, ro;Q=0.3", "en", "ro"},
        {NULL, "es;q=2, ro;q=x, zh;level=1, en;q=0.1", "ro", "en"},
        {NULL, "*, es;q=0.9", "ro", "ro"},
        {NULL, "fr, *;q=0.1", "es", "es"},
        {NULL, "es;q=1.000", "en", "es"},
        {NULL, ",,;q=1,-,es;", "en", "en"},
        {NULL, "esp, e, zhx", "ro", "ro"},
    };
    struct locale_source sources[] = {source("en", "{}"), source("es", "{}"), source("ro", "{}"),
                                      source("zh-CN", "{}")};
    struct locales *l = locales_read(sources, 4, stderr);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct locale *got = locale_choose(l, cases[i].cookie, cases[i].header, cases[i].fallback);
        if (strcmp(locale_code(got), cases[i].expected) != 0) {
            fail_msg("%s: %s, expected %s", cases[i].header, locale_code(got), cases[i].expected);
        }
    }
    locales_free(l);
}

/* --- words with parameters ---------------------------------------------------------------------------------- */

static struct locales *words(void)
{
    static const char en[] = "{\"hi\": \"Hi {name}, {name} of {place}\", \"odd\": \"{ {x} {name\", \"plain\": \"p\","
                             "\"post_one\": \"{count} post\", \"post_other\": \"{count} posts by {name}\","
                             "\"elapsed_now\": \"now\", \"elapsed_second_other\": \"{count} s\","
                             "\"elapsed_minute_one\": \"{count} min\", \"elapsed_minute_other\": \"{count} mins\","
                             "\"elapsed_hour_one\": \"1 h\", \"elapsed_hour_other\": \"{count} h\","
                             "\"elapsed_day_one\": \"{count} day\", \"elapsed_day_other\": \"{count} days\","
                             "\"elapsed_month_one\": \"{count} month\", \"elapsed_month_other\": \"{count} months\","
                             "\"elapsed_year_one\": \"{count} year\", \"elapsed_year_other\": \"{count} years\","
                             "\"joined\": \"Joined {month} {year}\", \"month_3\": \"March\"}";
    static const char ro[] = "{\"post_one\": \"{count} mesaj\", \"post_few\": \"{count} mesaje\","
                             "\"post_other\": \"{count} de mesaje\"}";
    struct locale_source sources[] = {source("en", en), source("ro", ro)};
    return locales_read(sources, 2, stderr);
}

static void test_placeholders(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct locales *l = words();
    const struct locale *en = locales_at(l, 0);
    assert_string_equal(locale_format(a, en, "hi", "name", "{place}", "place", "<x>", NULL),
                        "Hi {place}, {place} of <x>");
    assert_string_equal(locale_format(a, en, "hi", NULL), "Hi {name}, {name} of {place}");
    assert_string_equal(locale_format(a, en, "odd", "name", "n", NULL), "{ {x} {name");
    assert_string_equal(locale_format(a, en, "plain", "name", "n", NULL), "p");
    assert_string_equal(locale_format(a, en, "no_such_key", NULL), "no_such_key");
    assert_string_equal(locale_format(a, en, "hi", "name", NULL, "place", "", NULL), "Hi ,  of ");
    locales_free(l);
    arena_free(a);
}

static void test_plurals(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct locales *l = words();
    const struct locale *en = locales_at(l, 0);
    const struct locale *ro = locales_at(l, 1);
    assert_string_equal(locale_plural(a, en, "post", 1, NULL), "1 post");
    assert_string_equal(locale_plural(a, en, "post", 0, "name", "Bob", NULL), "0 posts by Bob");
    assert_string_equal(locale_plural(a, en, "post", 2, "name", "Bob", NULL), "2 posts by Bob");
    assert_string_equal(locale_plural(a, en, "no_such_key", 1, NULL), "no_such_key_other");
    assert_string_equal(locale_plural(a, ro, "no_such_key", 2, NULL), "no_such_key_other");
    locales_free(l);
    arena_free(a);
}

/* Each rule at its bounds, as CLDR has them. Spanish and Chinese never ask for a third form. */
static void test_plural_rules(void **state)
{
    (void)state;
    static const char forms[] = "{\"n_one\": \"one\", \"n_few\": \"few\", \"n_other\": \"other\"}";
    static const struct {
        uint64_t count;
        const char *ro, *others;
    } cases[] = {
        {0, "few", "other"},    {1, "one", "one"},           {2, "few", "other"},     {19, "few", "other"},
        {20, "other", "other"}, {21, "other", "other"},      {99, "other", "other"},  {100, "other", "other"},
        {101, "few", "other"},  {119, "few", "other"},       {120, "other", "other"}, {1000, "other", "other"},
        {1001, "few", "other"}, {1000000, "other", "other"},
    };
    struct arena *a = arena_new();
    struct locale_source sources[] = {source("en", forms), source("es", forms), source("ro", forms),
                                      source("zh-CN", forms)};
    struct locales *l = locales_read(sources, 4, stderr);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t n = 0; n < 4; n++) {
            const struct locale *item = locales_at(l, n);
            bool is_ro = strcmp(locale_code(item), "ro") == 0;
            assert_string_equal(locale_plural(a, item, "n", cases[i].count, NULL),
                                is_ro ? cases[i].ro : cases[i].others);
        }
    }
    locales_free(l);
    arena_free(a);
}

static void test_elapsed(void **state)
{
    (void)state;
    static const struct {
        uint64_t seconds;
        const char *expected;
    } cases[] = {
        {0, "now"},
        {9, "now"},
        {10, "10 s"},
        {19, "10 s"},
        {59, "50 s"},
        {60, "1 min"},
        {119, "1 min"},
        {120, "2 mins"},
        {3599, "59 mins"},
        {3600, "1 h"},
        {7200, "2 h"},
        {86399, "23 h"},
        {86400, "1 day"},
        {2591999, "29 days"},
        {2592000, "1 month"},
        {5184000, "2 months"},
        {31535999, "12 months"},
        {31536000, "1 year"},
        {63072000, "2 years"},
    };
    struct arena *a = arena_new();
    struct locales *l = words();
    uint64_t now = 1800000000000;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t then = now - cases[i].seconds * 1000;
        assert_string_equal(locale_elapsed(a, locales_at(l, 0), then, now), cases[i].expected);
        assert_string_equal(locale_elapsed(a, locales_at(l, 0), then, now + 999), cases[i].expected);
    }
    assert_string_equal(locale_elapsed(a, locales_at(l, 0), now + 1, now), "now");
    locales_free(l);
    arena_free(a);
}

/* In few letters: the unit until a day is over, then the day; the year where it is another one than now. */
static void test_short(void **state)
{
    (void)state;
    static const char en[] =
        "{\"elapsed_now\": \"now\", \"short_second\": \"{count}s\", \"short_minute\": \"{count}m\","
        "\"short_hour\": \"{count}h\", \"short_date\": \"{day} {month}\","
        "\"short_date_year\": \"{day} {month} {year}\", \"short_month_1\": \"Jan\","
        "\"short_month_3\": \"Mar\", \"short_month_12\": \"Dec\"}";
    static const struct {
        uint64_t seconds;
        const char *expected;
    } cases[] = {{0, "now"},     {9, "now"},       {10, "10s"},           {39, "30s"},
                 {59, "50s"},    {60, "1m"},       {3599, "59m"},         {3600, "1h"},
                 {86399, "23h"}, {86400, "3 Mar"}, {62 * 86400, "1 Jan"}, {63 * 86400, "31 Dec 2024"}};
    struct locale_source source_en = source("en", en);
    struct arena *a = arena_new();
    struct locales *l = locales_read(&source_en, 1, stderr);
    uint64_t now = 1741089932123; /* 2025-03-04 12:05:32 */
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(locale_short(a, locales_at(l, 0), now - cases[i].seconds * 1000, now), cases[i].expected);
    }
    assert_string_equal(locale_short(a, locales_at(l, 0), now + 1000, now), "now");
    locales_free(l);
    arena_free(a);
}

static void test_dates(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct locales *l = words();
    assert_string_equal(locale_date(a, 1741089932123), "2025-03-04 12:05 UTC");
    assert_string_equal(locale_date(a, 0), "1970-01-01 00:00 UTC");
    assert_string_equal(locale_joined(a, locales_at(l, 0), 1741089932123), "Joined March 2025");
    locales_free(l);
    arena_free(a);
}

/* --- the real catalogues ------------------------------------------------------------------------------------ */

static bool ends_in(const char *text, const char *with)
{
    size_t length = strlen(text);
    return length >= strlen(with) && strcmp(text + length - strlen(with), with) == 0;
}

/* The keys of a catalogue as the file has them. */
static const char **keys_of(struct arena *a, const struct locale *l, size_t *count)
{
    const struct embedded_file *file = embedded_find(arena_printf(a, "web/locales/%s.json", locale_code(l)));
    assert_non_null(file);
    yyjson_doc *doc = yyjson_read((const char *)file->data, file->size, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *key;
    const char **keys = arena_alloc(a, yyjson_obj_size(root) * sizeof(*keys));
    yyjson_obj_iter each = yyjson_obj_iter_with(root);
    for (*count = 0; (key = yyjson_obj_iter_next(&each));) {
        keys[(*count)++] = arena_dup(a, yyjson_get_str(key));
    }
    yyjson_doc_free(doc);
    assert_true(*count > 100);
    return keys;
}

/* Prints what b lacks of a's keys; returns how many. A third plural form is a matter of each language. */
static unsigned lacking(const struct locale *a, const struct locale *b)
{
    struct arena *memory = arena_new();
    unsigned count = 0;
    size_t key_count;
    const char **keys = keys_of(memory, a, &key_count);
    for (size_t i = 0; i < key_count; i++) {
        if (!locale_find(b, keys[i]) && !ends_in(keys[i], "_few")) {
            print_error("locales/%s.json lacks \"%s\", which %s has\n", locale_code(b), keys[i], locale_code(a));
            count++;
        }
    }
    arena_free(memory);
    return count;
}

static void test_same_keys(void **state)
{
    const struct locales *l = *state;
    unsigned count = 0;
    for (size_t i = 1; i < locales_count(l); i++) {
        count += lacking(locales_at(l, 0), locales_at(l, i)) + lacking(locales_at(l, i), locales_at(l, 0));
    }
    assert_int_equal(count, 0);
}

/* The first placeholder of a that b lacks, NULL if there is none. "Once" need not say {count}. */
static char *lost_placeholder(const char *key, const char *a, const char *b)
{
    for (const char *open = a; (open = strchr(open, '{')); open++) {
        const char *close = strchr(open, '}');
        if (!close) {
            return strdup(open);
        }
        char *placeholder = strndup(open, (size_t)(close - open) + 1);
        bool one = ends_in(key, "_one") && strcmp(placeholder, "{count}") == 0;
        if (!one && !strstr(b, placeholder)) {
            return placeholder;
        }
        free(placeholder);
    }
    return NULL;
}

static unsigned compare_placeholders(const struct locale *a, const struct locale *b)
{
    struct arena *memory = arena_new();
    unsigned count = 0;
    size_t key_count;
    const char **keys = keys_of(memory, a, &key_count);
    for (size_t i = 0; i < key_count; i++) {
        const char *other = locale_find(b, keys[i]);
        char *lost = other ? lost_placeholder(keys[i], locale_text(a, keys[i]), other) : NULL;
        if (lost) {
            print_error("\"%s\": %s has %s, %s has not\n", keys[i], locale_code(a), lost, locale_code(b));
            free(lost);
            count++;
        }
    }
    arena_free(memory);
    return count;
}

static void test_same_placeholders(void **state)
{
    const struct locales *l = *state;
    unsigned count = 0;
    for (size_t i = 1; i < locales_count(l); i++) {
        count += compare_placeholders(locales_at(l, 0), locales_at(l, i)) +
                 compare_placeholders(locales_at(l, i), locales_at(l, 0));
    }
    assert_int_equal(count, 0);
}

static void test_needed_keys(void **state)
{
    const struct locales *l = *state;
    struct arena *a = arena_new();
    static const char *const units[] = {"second", "minute", "hour", "day", "month", "year"};
    for (size_t i = 0; i < locales_count(l); i++) {
        const struct locale *item = locales_at(l, i);
        assert_non_null(locale_find(item, "locale_name"));
        assert_non_null(locale_find(item, "elapsed_now"));
        assert_non_null(locale_find(item, "joined"));
        for (int month = 1; month <= 12; month++) {
            assert_non_null(locale_find(item, arena_printf(a, "month_%d", month)));
        }
        for (size_t u = 0; u < 6; u++) {
            assert_non_null(locale_find(item, arena_printf(a, "elapsed_%s_one", units[u])));
            assert_non_null(locale_find(item, arena_printf(a, "elapsed_%s_other", units[u])));
        }
    }
    arena_free(a);
}

/* A language that has a third form has it for every plural, with the same placeholders; the others have none. */
static void test_third_forms(void **state)
{
    const struct locales *l = *state;
    struct arena *a = arena_new();
    for (size_t i = 0; i < locales_count(l); i++) {
        const struct locale *item = locales_at(l, i);
        bool has_few = strcmp(locale_code(item), "ro") == 0;
        size_t key_count;
        const char **keys = keys_of(a, item, &key_count);
        for (size_t n = 0; n < key_count; n++) {
            if (!ends_in(keys[n], "_other")) {
                continue;
            }
            const char *stem = arena_printf(a, "%.*s", (int)(strlen(keys[n]) - strlen("_other")), keys[n]);
            const char *few = locale_find(item, arena_printf(a, "%s_few", stem));
            bool is_plural = locale_find(item, arena_printf(a, "%s_one", stem)) != NULL;
            if ((few != NULL) != (has_few && is_plural)) {
                fail_msg("locales/%s.json: \"%s_few\" %s", locale_code(item), stem,
                         few ? "is never used" : "is missing");
            }
            char *lost = few ? lost_placeholder(keys[n], locale_text(item, keys[n]), few) : NULL;
            if (lost) {
                fail_msg("locales/%s.json: \"%s_few\" lacks %s", locale_code(item), stem, lost);
            }
        }
    }
    arena_free(a);
}

/* Romanian is written with a comma below s and t; the letters with a cedilla are another alphabet's. */
static void test_romanian_letters(void **state)
{
    const struct locale *ro = locales_find(*state, "ro");
    struct arena *a = arena_new();
    size_t key_count;
    const char **keys = keys_of(a, ro, &key_count);
    static const char *const wrong[] = {"ş", "ţ", "Ş", "Ţ"};
    for (size_t n = 0; n < key_count; n++) {
        for (size_t i = 0; i < 4; i++) {
            if (strstr(locale_text(ro, keys[n]), wrong[i])) {
                fail_msg("locales/ro.json: \"%s\" has %s", keys[n], wrong[i]);
            }
        }
    }
    arena_free(a);
}

/* A plural has both of its forms. */
static void test_complete_plurals(void **state)
{
    const struct locales *l = *state;
    struct arena *a = arena_new();
    for (size_t i = 0; i < locales_count(l); i++) {
        const struct locale *item = locales_at(l, i);
        size_t key_count;
        const char **keys = keys_of(a, item, &key_count);
        for (size_t n = 0; n < key_count; n++) {
            const char *key = keys[n];
            if (ends_in(key, "_one") || ends_in(key, "_few")) {
                const char *other = arena_printf(a, "%.*s_other", (int)strlen(key) - 4, key);
                if (!locale_find(item, other)) {
                    fail_msg("locales/%s.json: \"%s\" without \"%s\"", locale_code(item), key, other);
                }
            }
        }
    }
    arena_free(a);
}

/* Compiling them looks up every {{t.key}} in every catalogue. */
static void test_templates(void **state)
{
    struct template_options options = {.locales = *state, .assets_version = "1"};
    struct templates *t = templates_load(&options, stderr);
    assert_non_null(t);
    templates_free(t);
}

static int load(void **state)
{
    struct locales *l = locales_load(NULL, stderr);
    *state = l;
    return l ? 0 : -1;
}

static int unload(void **state)
{
    locales_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest functions[] = {
        cmocka_unit_test(test_reading),      cmocka_unit_test(test_mistakes), cmocka_unit_test(test_choosing),
        cmocka_unit_test(test_placeholders), cmocka_unit_test(test_plurals),  cmocka_unit_test(test_elapsed),
        cmocka_unit_test(test_short),        cmocka_unit_test(test_dates),    cmocka_unit_test(test_plural_rules),
    };
    const struct CMUnitTest catalogues[] = {
        cmocka_unit_test(test_same_keys),        cmocka_unit_test(test_same_placeholders),
        cmocka_unit_test(test_needed_keys),      cmocka_unit_test(test_complete_plurals),
        cmocka_unit_test(test_templates),        cmocka_unit_test(test_third_forms),
        cmocka_unit_test(test_romanian_letters),
    };
    int failed = cmocka_run_group_tests(functions, NULL, NULL);
    return failed + cmocka_run_group_tests(catalogues, load, unload);
}
