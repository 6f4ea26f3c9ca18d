/* test_password.c - the rules of a new password, and the list of common ones that the program carries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/text.h"
#include "social/people/password.h"

/* The rule that it breaks, "" for none. */
static const char *broken(const char *password, const char *name)
{
    static struct problems p;
    p.count = 0;
    password_check(password, password, name, &p);
    assert_true(p.count <= 1);
    return p.count ? p.items[0].rule : "";
}

static void assert_broken(const char *const *passwords, const char *name, const char *rule)
{
    for (size_t i = 0; passwords[i]; i++) {
        if (strcmp(broken(passwords[i], name), rule) != 0) {
            fail_msg("\"%s\": expected \"%s\", got \"%s\"", passwords[i], rule, broken(passwords[i], name));
        }
    }
}

/* What leaked most, names and words, in any case, and with little signs behind them. */
static void refuses_common_ones(void **state)
{
    static const char *const common[] = {"password",    "PassWord",   "password1",     "Password1!",  "passw0rd",
                                         "p@ssw0rd",    "iloveyou",   "1q2w3e4r",      "1qaz2wsx",    "trustno1",
                                         "letmein1",    "qwerty123",  "starwars",      "michelle",    "Elizabeth99",
                                         "chocolate",   "basketball", "constitution",  "sunshine!!!", "football2024",
                                         "princess_12", "changeme",   "administrator", NULL};
    (void)state;
    assert_broken(common, NULL, "password_common");
}

static void refuses_patterns(void **state)
{
    static const char *const patterns[] = {"aaaaaaaa",     "23456789",       "hgfedcba", "testtest",
                                           "rootroot",     "WERTYUIO",       "asdfghjk", "09876543",
                                           "monkeymonkey", "12345671234567", NULL};
    (void)state;
    assert_broken(patterns, NULL, "password_common");
}

static void refuses_the_name(void **state)
{
    static const char *const names[] = {"wanderlusty", "WanderLusty1", "1wanderlusty99", NULL};
    (void)state;
    assert_broken(names, "Wanderlusty", "password_is_name");
}

/* A listed word is no reason to refuse what holds more than it. */
static void takes_all_else(void **state)
{
    static const char *const good[] = {"correct horse battery",
                                       "password of my dog",
                                       "tr0ub4dor&3",
                                       "constitutionally so",
                                       "mypasswordisthis",
                                       "basketball2024",
                                       "пароль длинный",
                                       "8 blanks        ",
                                       "zzyzxqkj",
                                       "football20246",
                                       "~~~~~~~!",
                                       "!!!!!!!~",
                                       NULL};
    (void)state;
    assert_broken(good, "wanderlusty", "");
}

static void knows_the_lengths(void **state)
{
    char longest[PASSWORD_MAX + 2] = "";
    (void)state;
    for (size_t i = 0; i <= PASSWORD_MAX; i++) {
        longest[i] = "x1"[i % 2];
    }
    assert_string_equal(broken(longest, NULL), "password_too_long");
    longest[PASSWORD_MAX] = '\0';
    assert_string_equal(broken(longest, NULL), "");
    assert_string_equal(broken("short77", NULL), "password_too_short");
    assert_string_equal(broken("密码密码密码密", NULL), "password_too_short");
    assert_string_equal(broken("密码密码密码密码", NULL), "");
    assert_string_equal(broken("", NULL), "password_blank");
}

/* The list is as the search needs it: sorted, unique, folded, of the least length; and each of its words is found. */
static void finds_every_listed_word(void **state)
{
    const struct embedded_file *list = embedded_find("passwords.list");
    char before[64] = "", word[64], folded[64];
    size_t count = 0;
    (void)state;
    assert_non_null(list);
    for (const char *line = (const char *)list->data; *line; line = strchr(line, '\n') + 1) {
        size_t n = strcspn(line, "\n");
        assert_true(n >= PASSWORD_MIN && n < sizeof(word));
        snprintf(word, sizeof(word), "%.*s", (int)n, line);
        assert_true(strcmp(before, word) < 0);
        assert_string_equal(text_fold(word, folded), word);
        assert_string_equal(broken(word, NULL), "password_common");
        strcpy(before, word);
        count++;
    }
    assert_true(count > 30000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_common_ones), cmocka_unit_test(refuses_patterns),
        cmocka_unit_test(refuses_the_name),    cmocka_unit_test(takes_all_else),
        cmocka_unit_test(knows_the_lengths),   cmocka_unit_test(finds_every_listed_word),
    };
    return cmocka_run_group_tests_name("password", tests, NULL, NULL);
}
