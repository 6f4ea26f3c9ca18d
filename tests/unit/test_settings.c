/* test_settings.c - settings.db: values and their rules, printing, history. The file itself is in
 * test_settings_file.c. */
#include "settings_case.h"

#include <dirent.h>

#include "config/settings_table.h"

static char *print(struct settings_store *s, const char *name, bool verbose)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    enum err e = settings_print(s, name, verbose, out);
    fclose(out);
    assert_int_equal(e, ERR_OK);
    return text;
}

static char *history(struct settings_store *s)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    enum err e = settings_history(s, out);
    fclose(out);
    assert_int_equal(e, ERR_OK);
    return text;
}

static void defaults(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    const struct settings *v = settings_get(s);
    assert_string_equal(v->site_name, "Retwis");
    assert_string_equal(v->site_description, "");
    assert_string_equal(v->rules, "");
    assert_string_equal(v->default_locale, "en");
    assert_int_equal(v->registration, REGISTRATION_OPEN);
    assert_int_equal(v->post_length, 500);
    static const unsigned char zero[32];
    assert_memory_not_equal(v->secret_key, zero, sizeof(zero));
    settings_release(s, v);
    char *text = history(s);
    assert_string_equal(text, "");
    free(text);
    settings_close(s);
    settings_close(NULL);

    struct stat st;
    char path[128];
    path_of("settings.db", path);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    path_of("settings.db-wal", path);
    assert_int_equal(stat(path, &st), -1); /* all is in the file once the last has closed it */
}

static void set_and_reopen(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    const struct settings *before = settings_get(s);
    unsigned char key[32];
    memcpy(key, before->secret_key, sizeof(key));
    set(s, "site.name", "  Caf\xC3\xA9  ");
    set(s, "registration", "invite");
    set(s, "posts.length", "0280");
    set(s, "site.rules", "Be kind.\r\nNo \\ spam.\r\n");
    set(s, "site.locale", "zh-CN");
    assert_string_equal(before->site_name, "Retwis"); /* who holds the old snapshot keeps it */
    settings_release(s, before);
    for (int turn = 0; turn < 2; turn++) {
        const struct settings *v = settings_get(s);
        assert_string_equal(v->site_name, "Caf\xC3\xA9");
        assert_int_equal(v->registration, REGISTRATION_INVITE);
        assert_int_equal(v->post_length, 280);
        assert_string_equal(v->rules, "Be kind.\nNo \\ spam.");
        assert_string_equal(v->default_locale, "zh-CN");
        assert_memory_equal(v->secret_key, key, sizeof(key));
        settings_release(s, v);
        settings_close(s);
        s = open_good();
    }
    settings_close(s);
}

static void invalid(void **state)
{
    (void)state;
    static char long_text[6000];
    memset(long_text, 'x', sizeof(long_text) - 1);
    const struct {
        const char *name, *value, *why;
    } cases[] = {
        {"posts.length", "0", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "5001", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "many", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "-1", "posts.length must be a number from 1 to 5000"},
        {"posts.length", "99999999999999999999", "posts.length must be a number from 1 to 5000"},
        {"registration", "Open", "registration must be open, invite or closed"},
        {"site.name", "", "site.name must be one line of 1 to 64 characters"},
        {"site.name", " \n ", "site.name must be one line of 1 to 64 characters"},
        {"site.name", "a\nb", "site.name must be one line of 1 to 64 characters"},
        {"site.name", "a\x1b[31m", "site.name must be one line"},
        {"site.name", "a\xE2\x80\xAE", "site.name must be one line"}, /* bidirectional override */
        {"site.name", "\xC3", "site.name must be one line"},
        {"site.name", long_text, "site.name must be one line"},
        {"site.rules", long_text, "site.rules must be lines of 0 to 5000 characters"},
        {"site.locale", "tlh", "site.locale must be en, es, ro or zh-CN"},
        {"site.secret_key", "x", "site.secret_key is made by the program and cannot be set"},
    };
    struct settings_store *s = open_good();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(settings_set(s, cases[i].name, cases[i].value, "test", why, sizeof(why)), ERR_INVALID);
        assert_int_equal(strncmp(why, cases[i].why, strlen(cases[i].why)), 0);
    }
    assert_int_equal(settings_set(s, "nothing", "x", "test", why, sizeof(why)), ERR_NOT_FOUND);
    char *text = history(s);
    assert_string_equal(text, "");
    free(text);
    settings_close(s);
}

/* The longest values fit: lengths count characters, not bytes. */
static void longest(void **state)
{
    (void)state;
    static char text[5000 * 4 + 1];
    struct settings_store *s = open_good();
    for (int i = 0; i < 5000; i++) {
        memcpy(text + 4 * (size_t)i, "\xF0\x9F\x98\x80", 5);
    }
    set(s, "site.rules", text);
    const struct settings *v = settings_get(s);
    assert_string_equal(v->rules, text);
    settings_release(s, v);
    text[64 * 4] = '\0';
    set(s, "site.name", text);
    settings_close(s);
    s = open_good();
    v = settings_get(s);
    assert_string_equal(v->site_name, text);
    settings_release(s, v);
    settings_close(s);
}

/* site.locale can be each language that the site has, and no other. Runs at the top of the checkout. */
static void locales_are_those_of_the_site(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    DIR *d = opendir("web/locales");
    assert_non_null(d);
    int files = 0, choices = 0;
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        char *end = strstr(e->d_name, ".json");
        if (end && !end[5]) {
            *end = '\0';
            set(s, "site.locale", e->d_name);
            files++;
        }
    }
    closedir(d);
    for (const char *const *choice = setting_find("site.locale")->choices; *choice; choice++) {
        choices++;
    }
    assert_int_equal(files, choices);
    settings_close(s);
}

static void printing(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    set(s, "site.rules", "One.\nTwo \\ three.");
    char *text = print(s, NULL, false);
    assert_string_equal(
        text,
        "site.name = Retwis\nsite.description = \nsite.contact = \nsite.rules = One.\\nTwo \\\\ three.\n"
        "site.locale = en\nregistration = open\napps.password = yes\nposts.length = 500\nsite.secret_key = (hidden)\n");
    free(text);
    text = print(s, "posts.length", false);
    assert_string_equal(text, "posts.length = 500\n");
    free(text);
    text = print(s, "posts.length", true);
    assert_non_null(strstr(text, "# Default: 500. Allowed: a number from 1 to 5000.\nposts.length = 500\n"));
    free(text);
    assert_int_equal(settings_print(s, "nothing", false, stderr), ERR_NOT_FOUND);
    settings_close(s);
}

static void history_is_kept(void **state)
{
    (void)state;
    struct settings_store *s = open_good();
    set(s, "posts.length", "280");
    set(s, "posts.length", "280"); /* no change, no line */
    assert_int_equal(settings_set(s, "site.rules", "a\nb", "forged\nline", why, sizeof(why)), ERR_OK);
    assert_int_equal(settings_set(s, "posts.length", "500", NULL, why, sizeof(why)), ERR_OK);
    settings_close(s);
    s = open_good();
    char *text = history(s);
    static const char *const lines[] = {" ? posts.length: 280 -> 500\n", " ? site.rules:  -> a\\nb\n",
                                        " test posts.length: 500 -> 280\n"};
    char *p = text;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(p[10], 'T'); /* a time at the beginning */
        p += CLOCK_ISO_SIZE - 1;
        assert_int_equal(strncmp(p, lines[i], strlen(lines[i])), 0);
        p += strlen(lines[i]);
    }
    assert_string_equal(p, "");
    free(text);
    settings_close(s);
}

int main(void)
{
    secret_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(defaults, setup, teardown),
        cmocka_unit_test_setup_teardown(set_and_reopen, setup, teardown),
        cmocka_unit_test_setup_teardown(invalid, setup, teardown),
        cmocka_unit_test_setup_teardown(longest, setup, teardown),
        cmocka_unit_test_setup_teardown(locales_are_those_of_the_site, setup, teardown),
        cmocka_unit_test_setup_teardown(printing, setup, teardown),
        cmocka_unit_test_setup_teardown(history_is_kept, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
