/* test_social_people.c - what happens to people one by one: answers that get lost, entries that are damaged, somebody
 * deleted meanwhile, clocks that are wrong.
 */
#include "social_case.h"

#include "social/people/invite.h"
#include "social/people/profile_field.h"
#include "social/people/visit.h"
#include "social/posts/post.h"
#include "social/timelines/celebrity.h"
#include "social/posts/publish.h"
#include "social/people/sign_up.h"

/* --- deleted meanwhile, damaged ------------------------------------------------------------------------------------ */

static void test_nothing_is_written_to_the_deleted(void **state)
{
    (void)state;
    struct problems problems = {.count = 0};
    uint64_t alice = person(name_in(7, 0)), bob = person(name_in(8, 0)), nobody = id_new(9, 0);
    assert_int_equal(user_edit(social, arena, as(alice), &(struct user_profile){"Alice", "of here", NULL}, &problems),
                     ERR_OK);
    assert_int_equal(user_set_admin(social, arena, as_command(), alice, true), ERR_OK);
    assert_int_equal(user_delete(social, arena, as_command(), bob), ERR_OK);
    assert_int_equal(user_edit(social, arena, as(bob), &(struct user_profile){"Bob", "of there", NULL}, &problems),
                     ERR_NOT_FOUND);
    const struct post_draft draft = {.text = "from beyond"};
    struct fanout_wave *wave;
    uint64_t id;
    assert_int_equal(post_create(social, arena, as(bob), &draft, &id, &wave, &problems), ERR_NOT_FOUND);
    assert_int_equal(user_set_admin(social, arena, as_command(), bob, true), ERR_NOT_FOUND);
    assert_int_equal(user_edit(social, arena, as(nobody), &(struct user_profile){"Nobody", "", NULL}, &problems),
                     ERR_NOT_FOUND);
    assert_string_equal(store_text(ask(7, "HGET", key_id(arena, KEY_USER, alice), "display", NULL)), "Alice");
    assert_string_equal(store_text(ask(7, "HGET", key_id(arena, KEY_USER, alice), "role", NULL)), "admin");
    assert_string_equal(store_text(ask(8, "HGET", key_id(arena, KEY_USER, bob), "display", NULL)), "");
    assert_string_equal(store_text(ask(8, "HGET", key_id(arena, KEY_USER, bob), "role", NULL)), "");
    assert_int_equal(store_integer(ask(9, "EXISTS", key_id(arena, KEY_USER, nobody), NULL, NULL)), 0);
}

/* The user as another process reads him. */
static struct user reread(uint64_t uid)
{
    struct user u;
    struct store_batch *b = store_batch_new(social->store, arena);
    size_t reply = user_add(b, uid);
    assert_int_equal(store_run(b), ERR_OK);
    assert_true(user_take(social, b, reply, uid, &u));
    return u;
}

static void test_preferences(void **state)
{
    (void)state;
    struct problems problems = {.count = 0};
    uint64_t alice = person(name_in(7, 0));
    struct user u = reread(alice);
    assert_string_equal(preference_of(u.preferred, PREFERENCE_VISIBILITY), "public");
    assert_string_equal(preference_of(u.preferred, PREFERENCE_LOCALE), "");
    const char *first[PREFERENCES] = {[PREFERENCE_VISIBILITY] = "private", [PREFERENCE_LOCALE] = "ro"};
    assert_int_equal(user_prefer(social, arena, as(alice), first, &problems), ERR_OK);
    const char *second[PREFERENCES] = {[PREFERENCE_LANGUAGE] = "es", [PREFERENCE_LOCALE] = ""};
    assert_int_equal(user_prefer(social, arena, as(alice), second, &problems), ERR_OK);
    u = reread(alice);
    assert_string_equal(preference_of(u.preferred, PREFERENCE_VISIBILITY), "private");
    assert_string_equal(preference_of(u.preferred, PREFERENCE_LANGUAGE), "es");
    assert_string_equal(preference_of(u.preferred, PREFERENCE_LOCALE), "");
    const char *wrong[PREFERENCES] = {[PREFERENCE_VISIBILITY] = "public", [PREFERENCE_LANGUAGE] = "en_GB"};
    assert_int_equal(user_prefer(social, arena, as(alice), wrong, &problems), ERR_INVALID);
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.items[0].field, "language");
    assert_string_equal(preference_of((struct user){0}.preferred, PREFERENCE_VISIBILITY), "public");
    const char *usual[PREFERENCES] = {[PREFERENCE_VISIBILITY] = "public"};
    problems.count = 0;
    assert_int_equal(user_prefer(social, arena, as(alice), usual, &problems), ERR_OK);
    assert_string_equal(store_text(ask(7, "HGET", key_id(arena, KEY_USER, alice), "visibility", NULL)), "");
    const char *none[PREFERENCES] = {NULL};
    assert_int_equal(user_prefer(social, arena, as(alice), none, &problems), ERR_OK);
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    assert_int_equal(store_integer(ask(7, "HEXISTS", key_id(arena, KEY_USER, alice), "language", NULL)), 0);
    assert_int_equal(user_prefer(social, arena, as(alice), usual, &problems), ERR_NOT_FOUND);
}

/* Which problems a set of fields has: "field rule; …". */
static const char *problems_of(const struct profile_field fields[PROFILE_FIELDS_MAX])
{
    struct problems p = {.count = 0};
    struct buffer out = buffer_make(arena);
    profile_fields_pack(arena, fields, &p);
    for (unsigned i = 0; i < p.count; i++) {
        buffer_printf(&out, "%s %s; ", p.items[i].field, p.items[i].rule);
    }
    return buffer_string(&out);
}

static void test_profile_fields(void **state)
{
    (void)state;
    struct problems problems = {.count = 0};
    uint64_t alice = person(name_in(7, 0));
    const struct profile_field sent[PROFILE_FIELDS_MAX] = {
        {" Web ", "https://a.example\r\n"}, {"", "  "}, {"Town", ""}, {NULL, NULL}};
    const struct user_profile profile = {"", "", sent}, without = {"Alice", "", NULL};
    assert_int_equal(user_edit(social, arena, as(alice), &profile, &problems), ERR_OK);
    assert_int_equal(user_edit(social, arena, as(alice), &without, &problems), ERR_OK);
    struct user u = reread(alice);
    struct profile_field got[PROFILE_FIELDS_MAX];
    assert_int_equal(profile_fields_read(arena, u.profile_fields, got), 2);
    assert_string_equal(got[0].name, "Web");
    assert_string_equal(got[0].value, "https://a.example");
    assert_string_equal(got[1].name, "Town");
    assert_string_equal(got[1].value, "");
    assert_int_equal(profile_fields_read(arena, "a\tb\nwithout\nc\td\ne\tf\ng\th\ni\tj\n", got), 4);
    assert_string_equal(got[3].value, "h");
    char longest[2 * PROFILE_FIELD_MAX + 3] = "";
    for (unsigned i = 0; i < PROFILE_FIELD_MAX; i++) {
        strcat(longest, "\xC3\xA4"); /* two bytes, one character */
    }
    assert_string_equal(problems_of((const struct profile_field[4]){{longest, longest}}), "");
    strcat(longest, "x");
    assert_string_equal(problems_of((const struct profile_field[4]){{"a", "b"}, {longest, longest}}),
                        "field_2_name field_too_long; field_2_value field_too_long; ");
    assert_string_equal(
        problems_of((const struct profile_field[4]){{"", "b"}, {"a\tb", "c"}, {"d", "e\nf"}, {"g", "\x01"}}),
        "field_1_name field_name_blank; field_2_name field_invalid; field_3_value field_invalid; "
        "field_4_value field_invalid; ");
    const struct profile_field wrong[PROFILE_FIELDS_MAX] = {{"", "lost"}};
    assert_int_equal(user_edit(social, arena, as(alice), &(struct user_profile){"", "", wrong}, &problems),
                     ERR_INVALID);
    assert_int_equal(profile_fields_read(arena, reread(alice).profile_fields, got), 2);
}

static bool count_user(const struct user *u, const struct user_counts *counts, void *context)
{
    (void)counts;
    ++*(unsigned *)context;
    return u->id != 0;
}

static void test_each_passes_over_damaged_entries(void **state)
{
    (void)state;
    unsigned count = 0;
    const char *users = key_plain(arena, KEY_USERS, 7);
    for (unsigned i = 0; i < 3; i++) {
        person(name_in(7, i));
    }
    ask(7, "ZADD", users, "0", "");
    ask(7, "ZADD", users, "0",
        "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
    for (unsigned i = 0; i < 600; i++) { /* more than are read at once */
        ask(7, "ZADD", users, "0", arena_printf(arena, "what is this? %u", i));
    }
    assert_int_equal(user_each(social, count_user, &count), ERR_OK);
    assert_int_equal(count, 3);
}

/* What was delivered after a home ran out is in no list: it must not come back as if it were whole. */
static void test_home_that_ran_out(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0)), id = id_new(7, 0);
    const char *home = key_id(arena, KEY_HOME, alice);
    const struct script_home_begin begin = {.uid = alice, .epoch = 1, .stamp = "a stamp", .ttl = 60000};
    const struct script_home_store end = {alice, 1, "a stamp", "another", 5, 800, 60000, false, id, &id, 1};
    for (unsigned expired = 0; expired < 2; expired++) {
        struct store_batch *b = new_batch();
        script_home_begin_add(b, &begin);
        if (expired) {
            store_command(b, 7, "DEL", home, NULL);
        }
        size_t stored = script_home_store_add(b, &end);
        size_t length = store_command(b, 7, "LLEN", home, NULL);
        assert_int_equal(store_run(b), ERR_OK);
        assert_int_equal(script_answer(store_reply(b, stored)), expired ? ANSWER_STALE : ANSWER_OK);
        assert_int_equal(store_integer(store_reply(b, length)), expired ? 0 : 1);
    }
}

/* --- clocks -------------------------------------------------------------------------------------------------------- */

static void test_clock_before_all_ids(void **state)
{
    (void)state;
    static const uint64_t wrong[] = {1000, ID_FIRST_MS - 10000, UINT64_C(15258789062500)};
    assert_true(id_clock_is_usable());
    for (size_t i = 0; i < COUNT(wrong); i++) {
        set_clock(wrong[i]);
        assert_false(id_clock_is_usable());
    }
    set_clock(ID_FIRST_MS);
    assert_true(id_clock_is_usable());
    set_clock(1000);
    char digits[ID_SIZE];
    uint64_t id = id_new(ID_BUCKETS - 1, 0);
    assert_int_equal(id_parse(id_write(id, digits)), id);
    assert_int_equal(id_parse(id_write(id_of_ms(ID_FIRST_MS), digits)), id_of_ms(ID_FIRST_MS));
    id_write(id_of_ms(ID_FIRST_MS) - 1, digits);
    assert_int_equal(id_parse(digits), 0);
}

/* --- answers that get lost ----------------------------------------------------------------------------------------- */

static struct fake_redis fake;
static _Atomic int pushes;

static int fake_setup(void **state)
{
    (void)state;
    snprintf(redis.dir, sizeof(redis.dir), "/tmp/retwis-test-XXXXXX");
    assert_non_null(mkdtemp(redis.dir));
    arena = arena_new();
    pushes = 0;
    return 0;
}

static void fake_begin(const char *(*answer)(const char *command, int nth))
{
    fake_redis_start(&fake, answer);
    config = private_redis_config(fake.url);
    settings = settings_open(redis.dir, stderr);
    store = open_at(fake.url);
    social = product_open(&config, settings, store);
    cache_trust(social->cache, UINT64_MAX);
}

static int fake_teardown(void **state)
{
    (void)state;
    site_close();
    store_close(store);
    fake_redis_stop(&fake);
    arena_free(arena);
    private_redis_stop(&redis);
    return 0;
}

#define faked(f) cmocka_unit_test_setup_teardown(f, fake_setup, fake_teardown)

/* The connection breaks behind the second answer that the newest users get. */
static const char *breaks_at_latest(const char *command, int nth)
{
    pushes += strcmp(command, "LPUSH") == 0;
    return nth == 1 ? NULL : strcmp(command, "EVALSHA") == 0 ? "*1\r\n$2\r\nok\r\n" : ":0\r\n";
}

static void test_nobody_is_twice_among_the_newest(void **state)
{
    (void)state;
    bool done = false;
    fake_begin(breaks_at_latest);
    struct job *job = job_new(arena, &sign_up_job, id_new(7, 0));
    assert_int_equal(sign_up_job.step(social, arena, job, &done), ERR_OK);
    assert_true(done);
    assert_in_range(pushes, 0, 1);
}

/* A free name, an invitation that is taken, and then no answer to the sign-up, whether it came or not. */
static const char *loses_the_sign_up(const char *command, int nth)
{
    (void)command;
    return nth == 0 ? ":0\r\n" : nth == 1 ? "*1\r\n$2\r\nok\r\n" : nth <= 3 ? NULL : "*1\r\n$2\r\nok\r\n";
}

static void test_invitation_of_a_sign_up_that_may_have_come(void **state)
{
    (void)state;
    char why[100];
    struct problems problems = {.count = 0};
    static const char *const networks[] = {"127.0.0.1", NULL};
    struct sign_up form = {
        .name = "alice", .password = KNOWN_PASSWORD, .password2 = KNOWN_PASSWORD, .invite = "a code"};
    uint64_t uid;
    fake_begin(loses_the_sign_up);
    assert_int_equal(settings_set(settings, "registration", "invite", "test", why, sizeof(why)), ERR_OK);
    assert_int_equal(user_sign_up(social, arena, as_nobody(networks), &form, &uid, NULL, &problems), ERR_UNAVAILABLE);
    assert_int_equal(fake.commands, 4); /* a fifth would give the invitation back */
}

#define FAMOUS UINT64_C(117657670766635999)
#define FAMOUS_TEXT "117657670766635999"

static _Atomic bool first_is_asked, first_may_end;

/* The first who asks for the set gets the old one, and late; the next one gets the new one. */
static const char *answers_late(const char *command, int nth)
{
    (void)command;
    if (nth > 0) {
        return "*1\r\n$18\r\n" FAMOUS_TEXT "\r\n";
    }
    first_is_asked = true;
    for (unsigned i = 0; i < 10000 && !first_may_end; i++) {
        clock_sleep_ms(1);
    }
    return "*0\r\n";
}

static size_t famous_now(struct arena *a)
{
    uint64_t id = FAMOUS, *found;
    size_t count = 0;
    assert_int_equal(celebrity_among(social, a, &id, 1, &found, &count), ERR_OK);
    return count;
}

static void *ask_first(void *nothing)
{
    struct arena *a = arena_new();
    famous_now(a);
    arena_free(a);
    return nothing;
}

/* The older answer comes after the newer one: it stands for nothing any more. */
static void test_older_celebrities(void **state)
{
    (void)state;
    pthread_t thread;
    first_is_asked = first_may_end = false;
    fake_begin(answers_late);
    assert_int_equal(pthread_create(&thread, NULL, ask_first, NULL), 0);
    for (unsigned i = 0; i < 10000 && !first_is_asked; i++) {
        clock_sleep_ms(1);
    }
    celebrity_forget(social);
    assert_int_equal(famous_now(arena), 1);
    first_may_end = true;
    pthread_join(thread, NULL);
    assert_int_equal(famous_now(arena), 1);
    assert_int_equal(fake.commands, 2); /* the newer set is still the one that is known */
}

/* Who is deleted leaves entries that nothing stands behind: the clean-up passes over them. */
static void test_clean_up_of_damaged_entries(void **state)
{
    (void)state;
    static const enum key keys[] = {KEY_POSTS, KEY_FOLLOWERS, KEY_LISTS};
    uint64_t alice = person(name_in(7, 0));
    for (unsigned i = 0; i < COUNT(keys); i++) {
        ask(7, "ZADD", key_id(arena, keys[i], alice), "1", id_text(arena, id_new(i == 1 ? 8 : 7, 0)));
    }
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    for (unsigned i = 0; i < COUNT(keys); i++) {
        assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, keys[i], alice), NULL, NULL)), 0);
    }
    assert_int_equal(store_integer(ask(7, "EXISTS", key_plain(arena, KEY_JOBS, 7), NULL, NULL)), 0);
}

/* Each call may be sent twice. */
static void test_invitation_counts_once(void **state)
{
    (void)state;
    char code[SECRET_TOKEN_SIZE];
    assert_int_equal(invite_create(social, arena, as_command(), 2, 14, code), ERR_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(invite_take(social, arena, code, "one"), ERR_OK);
    }
    assert_int_equal(invite_take(social, arena, code, "two"), ERR_OK);
    assert_int_equal(invite_take(social, arena, code, "three"), ERR_NOT_FOUND);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(invite_give_back(social, arena, code, "one"), ERR_OK);
    }
    assert_int_equal(invite_take(social, arena, code, "three"), ERR_OK);
    assert_int_equal(invite_take(social, arena, code, "four"), ERR_NOT_FOUND);
}

/* user_create.lua, for somebody else under an id that is taken. */
static void test_user_of_another(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0));
    const char *user = key_id(arena, KEY_USER, alice), *name = name_in(7, 1);
    const struct record_user record = {.name = name};
    const struct script_job job = {alice, 5, 1, "a type", alice};
    struct store_batch *b = new_batch();
    script_user_create_add(b, &(struct script_user_create){job, name, alice, "a hash", &record});
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_STALE);
    assert_string_equal(store_text(ask(7, "HGET", user, "name", NULL)), name_in(7, 0));
    assert_int_equal(store_integer(ask(7, "EXISTS", key_text(arena, KEY_NAME, name), NULL, NULL)), 0);
}

static void test_newest_celebrity(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0)), *famous;
    size_t count;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(celebrity_among(social, arena, &alice, 1, &famous, &count), ERR_OK);
        assert_int_equal(count, i);
        assert_int_equal(celebrity_mark(social, arena, alice), ERR_OK);
        struct visit *v = visit_begin(social, arena, NULL); /* reads what changed */
        assert_int_equal(visit_read(v), ERR_OK);
    }
}

static const struct CMUnitTest tests[] = {
    site(test_nothing_is_written_to_the_deleted),
    site(test_each_passes_over_damaged_entries),
    site(test_preferences),
    site(test_profile_fields),
    site(test_home_that_ran_out),
    site(test_clock_before_all_ids),
    site(test_clean_up_of_damaged_entries),
    site(test_invitation_counts_once),
    site(test_user_of_another),
    site(test_newest_celebrity),
    faked(test_nobody_is_twice_among_the_newest),
    faked(test_invitation_of_a_sign_up_that_may_have_come),
    faked(test_older_celebrities),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
