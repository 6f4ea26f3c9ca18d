/* test_store_link.c - batches over links in memory: what is sent again and what is not, what a link is told, and
 * listeners. */
#include "link_case.h"
#include "store/script_call.h"

static void add_health(struct store_batch *b, unsigned bucket)
{
    struct script_call c = script_call_begin(b, SCRIPT_HEALTH, bucket, 0, 0);
    script_call_end(&c);
}

/* --- again or not -------------------------------------------------------------------------------------------------- */

static unsigned losses; /* so many answers are lost, from the second on */

static const char *lose_some(const char *command, unsigned nth)
{
    if (nth && losses) {
        losses--;
        return "lost";
    }
    return echo(command, nth);
}

/* What was answered is not asked again, nor are those whom another node answered. */
static void test_lost_is_sent_again(void **state)
{
    (void)state;
    losses = 1;
    open_over(2, false, lose_some);
    node[1]->answer = echo;
    struct store_batch *b = new_batch();
    store_command(b, LOW, "ECHO", "a", NULL);
    store_command(b, HIGH, "ECHO", "b", NULL);
    store_command(b, LOW, "ECHO", "c", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(node[0]->sent[0], "ECHO a\nECHO c\n");
    assert_string_equal(node[0]->sent[1], "ECHO c\n");
    assert_true(node[0]->calls == 2 && node[0]->ends == 1 && node[1]->calls == 1);
    assert_string_equal(store_text(store_reply(b, 2)), "c");
}

static void test_lost_again_is_an_error(void **state)
{
    (void)state;
    losses = 2;
    open_over(1, false, lose_some);
    struct store_batch *b = new_batch();
    store_command(b, LOW, "ECHO", "a", NULL);
    store_command(b, LOW, "ECHO", "b", NULL);
    assert_int_equal(store_run(b), ERR_UNAVAILABLE);
    assert_string_equal(store_text(store_reply(b, 0)), "a");
    assert_int_equal(store_reply(b, 1)->err, ERR_UNAVAILABLE);
    assert_int_equal(node[0]->calls, 2);
}

/* What must not run twice is sent again only if nothing of it can have come there. */
static void test_once(void **state)
{
    (void)state;
    const char *const how[] = {"untouched", "touched"};
    for (size_t i = 0; i < 2; i++) {
        open_over(1, false, echo);
        node[0]->send_fails = how[i];
        struct store_batch *b = new_batch();
        store_batch_once(b);
        store_command(b, LOW, "ECHO", "a", NULL);
        assert_int_equal(store_run(b), i ? ERR_UNAVAILABLE : ERR_OK);
        assert_int_equal(node[0]->calls, i ? 1 : 2);
        assert_true(node[0]->careful[0]);
        if (i == 0) {
            store_close(store);
        }
    }
}

static const char *be_late(const char *command, unsigned nth)
{
    (void)command;
    (void)nth;
    return "late";
}

static const char *talk_nonsense(const char *command, unsigned nth)
{
    (void)command;
    (void)nth;
    return "garbage";
}

static void test_late_and_garbage_are_final(void **state)
{
    (void)state;
    const enum err expected[] = {ERR_UNAVAILABLE, ERR_PROTOCOL};
    for (size_t i = 0; i < 2; i++) {
        open_over(1, false, i ? talk_nonsense : be_late);
        struct store_batch *b = new_batch();
        store_command(b, LOW, "ECHO", "a", NULL);
        assert_int_equal(store_run(b), expected[i]);
        assert_true(node[0]->calls == 1 && node[0]->ends == 0 && !node[0]->careful[0]);
        if (i == 0) {
            store_close(store);
        }
    }
}

static void test_refused(void **state)
{
    (void)state;
    open_over(2, false, echo);
    node[0]->refuses = ERR_BUSY;
    struct store_batch *b = new_batch();
    store_command(b, LOW, "ECHO", "a", NULL);
    store_command(b, HIGH, "ECHO", "b", NULL);
    assert_int_equal(store_run(b), ERR_BUSY);
    assert_int_equal(store_reply(b, 0)->err, ERR_BUSY);
    assert_string_equal(store_text(store_reply(b, 1)), "b");
    assert_int_equal(node[0]->calls, 1);
}

static const char *forget_scripts(const char *command, unsigned nth)
{
    return nth == 0 && strncmp(command, "EVALSHA", 7) == 0 ? "-NOSCRIPT No matching script" : "+OK";
}

/* The script goes before the one command that misses it, and its reply is nobody's. */
static void test_script_is_loaded(void **state)
{
    (void)state;
    open_over(1, false, forget_scripts);
    struct store_batch *b = new_batch();
    add_health(b, LOW);
    store_command(b, LOW, "ECHO", "a", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(node[0]->calls, 2);
    assert_true(node[0]->unasked[0] == 0 && node[0]->unasked[1] == 1 && node[0]->replies[1] == 1);
    assert_memory_equal(node[0]->sent[1], "SCRIPT LOAD ", 12);
    assert_non_null(strstr(node[0]->sent[1], "\nEVALSHA "));
}

static const char *never_know_scripts(const char *command, unsigned nth)
{
    (void)command;
    (void)nth;
    return "-NOSCRIPT No matching script";
}

static void test_script_is_loaded_once(void **state)
{
    (void)state;
    open_over(1, false, never_know_scripts);
    struct store_batch *b = new_batch();
    add_health(b, LOW);
    assert_int_equal(store_run(b), ERR_PROTOCOL);
    assert_int_equal(node[0]->calls, 2);
}

static unsigned refusals_left;

static const char *be_a_replica(const char *command, unsigned nth)
{
    (void)nth;
    if (strncmp(command, "SET", 3) == 0 && refusals_left) {
        refusals_left--;
        return "-READONLY You can't write against a read only replica.";
    }
    return "+OK";
}

static void test_replica(void **state)
{
    (void)state;
    for (refusals_left = 1; refusals_left < 3; refusals_left++) {
        unsigned refusals = refusals_left;
        open_over(1, false, be_a_replica);
        struct store_batch *b = new_batch();
        store_command(b, LOW, "GET", "a", NULL);
        store_command(b, LOW, "SET", "a", "b", NULL);
        assert_int_equal(store_run(b), refusals == 1 ? ERR_OK : ERR_READ_ONLY);
        assert_int_equal(node[0]->calls, 2);
        assert_int_equal(node[0]->demoted, refusals);
        assert_string_equal(node[0]->sent[1], "SET a b\n");
        refusals_left = refusals;
        if (refusals == 1) {
            store_close(store);
        }
    }
}

/* A script that is missing, on a node that then takes no writes: both ways are tried, and no more rounds than that. */
static const char *be_difficult(const char *command, unsigned nth)
{
    (void)command;
    const char *const answers[] = {"-NOSCRIPT x", "-READONLY x", "+OK"};
    return answers[nth < 2 ? nth : 2];
}

static void test_both_ways(void **state)
{
    (void)state;
    open_over(1, false, be_difficult);
    struct store_batch *b = new_batch();
    add_health(b, LOW);
    assert_int_equal(store_run(b), ERR_OK);
    assert_true(node[0]->calls == 3 && node[0]->unasked[2] == 1 && node[0]->demoted == 1);
}

/* --- what a link is told ------------------------------------------------------------------------------------------- */

/* One deadline for all rounds and all nodes. */
static void test_deadline(void **state)
{
    (void)state;
    open_over(2, false, forget_scripts);
    struct store_batch *b = new_batch();
    add_health(b, LOW);
    store_command(b, HIGH, "ECHO", "a", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(node[0]->calls, 2);
    assert_int_equal(node[0]->patience_us[0], COMMAND_US);
    assert_true(node[0]->deadline[0] > clock_monotonic_us() &&
                node[0]->deadline[0] < clock_monotonic_us() + COMMAND_US + 1);
    assert_true(node[0]->deadline[0] == node[0]->deadline[1] && node[0]->deadline[0] == node[1]->deadline[0]);
}

static void test_sent_and_forgotten(void **state)
{
    (void)state;
    open_over(1, false, echo);
    struct store_batch *b = new_batch();
    store_command(b, LOW, "ECHO", "a", NULL);
    store_command(b, LOW, "ECHO", "b", NULL);
    store_send(b);
    assert_true(node[0]->calls == 1 && node[0]->ends == 1 && node[0]->careful[0]);
    assert_true(node[0]->replies[0] == 2 && node[0]->received[0] == 0);
}

/* What store_start sent is waited for by store_run. */
static void test_started(void **state)
{
    (void)state;
    open_over(2, false, echo);
    struct store_batch *b = new_batch();
    store_command(b, LOW, "ECHO", "a", NULL);
    store_command(b, HIGH, "ECHO", "b", NULL);
    store_start(b);
    assert_true(node[0]->calls == 1 && node[1]->calls == 1 && node[0]->received[0] == 0);
    assert_int_equal(store_run(b), ERR_OK);
    assert_true(node[0]->calls == 1 && node[0]->received[0] == 1 && node[1]->received[0] == 1);
}

static void test_all_links_hear(void **state)
{
    (void)state;
    open_over(2, false, echo);
    store_reset(store);
    assert_true(node[0]->resets == 1 && node[1]->resets == 1);
    store_end(store);
    assert_true(node[0]->cuts == 1 && node[1]->cuts == 1);
}

/* --- listeners ----------------------------------------------------------------------------------------------------- */

static void test_listener(void **state)
{
    (void)state;
    open_over(2, false, echo);
    struct store_listener *l = store_listener_new(store, HIGH);
    struct memory_link *own = node[1]->listener;
    assert_non_null(own);
    struct store_batch *b = store_listener_batch(l, arena, 5000);
    store_command(b, LOW, "ECHO", "a", NULL); /* for the listener's node all the same */
    store_trips_reset();
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(store_text(store_reply(b, 0)), "a");
    assert_int_equal(store_trips(), 0);
    assert_true(own->calls == 1 && node[0]->calls == 0 && node[1]->calls == 0);
    assert_int_equal(own->patience_us[0], COMMAND_US + 5000 * 1000);
    store_listener_free(l);
}

/* store_end reaches all listeners that are there, and those that come. */
static void test_listeners_end(void **state)
{
    (void)state;
    open_over(2, false, echo);
    struct store_listener *l[3];
    struct memory_link *own[3];
    for (size_t i = 0; i < 3; i++) {
        l[i] = store_listener_new(store, i ? HIGH : LOW);
        own[i] = node[i ? 1 : 0]->listener;
    }
    store_listener_free(l[1]);
    store_end(store);
    assert_true(own[0]->cuts == 1 && own[2]->cuts == 1);
    l[1] = store_listener_new(store, LOW);
    assert_int_equal(node[0]->listener->cuts, 1);
    for (size_t i = 0; i < 3; i++) {
        store_listener_free(l[i]);
    }
}

int main(void)
{
    log_setup(getenv("VERBOSE") ? LOG_DEBUG : LOG_ERROR, false);
    const struct CMUnitTest tests[] = {
        over(test_lost_is_sent_again),
        over(test_lost_again_is_an_error),
        over(test_once),
        over(test_late_and_garbage_are_final),
        over(test_refused),
        over(test_script_is_loaded),
        over(test_script_is_loaded_once),
        over(test_replica),
        over(test_both_ways),
        over(test_deadline),
        over(test_sent_and_forgotten),
        over(test_started),
        over(test_all_links_hear),
        over(test_listener),
        over(test_listeners_end),
    };
    return cmocka_run_group_tests_name("store_link", tests, NULL, NULL);
}
