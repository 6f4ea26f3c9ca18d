/* test_store_map.c - how batches are split by node, and reads of many values by slot. */
#include "link_case.h"

static void test_split_by_node(void **state)
{
    (void)state;
    open_over(2, false, echo);
    struct store_batch *b = new_batch();
    store_command(b, LOW, "ECHO", "a", NULL);
    store_command(b, HIGH, "ECHO", "b", NULL);
    store_command(b, 0, "ECHO", "c", NULL);
    store_command(b, ID_BUCKETS - 1, "ECHO", "d", NULL);
    store_command(b, ID_BUCKETS / 2 - 1, "ECHO", "e", NULL);
    store_command(b, ID_BUCKETS / 2, "ECHO", "f", NULL);
    store_trips_reset();
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_trips(), 1);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(store_text(store_reply(b, i)), ((const char *[]){"a", "b", "c", "d", "e", "f"})[i]);
    }
    assert_string_equal(node[0]->sent[0], "ECHO a\nECHO c\nECHO e\n");
    assert_string_equal(node[1]->sent[0], "ECHO b\nECHO d\nECHO f\n");
    assert_true(node[0]->calls == 1 && node[1]->calls == 1 && node[0]->ends == 1 && node[1]->ends == 1);
}

/* A node that nothing is for is not asked. */
static void test_other_node_is_left_alone(void **state)
{
    (void)state;
    open_over(2, false, echo);
    struct store_batch *b = new_batch();
    store_command(b, HIGH, "ECHO", "b", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_true(node[0]->calls == 0 && node[0]->ends == 0 && node[1]->calls == 1);
}

/* Answers MGET with the keys themselves. */
static const char *mirror(const char *command, unsigned nth)
{
    (void)command;
    (void)nth;
    return "*";
}

#define VALUES 7

/* Reads values of these buckets; the answers must be those of the ids. Returns how many commands it took. */
static size_t read_values(const unsigned buckets[VALUES])
{
    uint64_t ids[VALUES];
    struct store_batch *b = new_batch();
    for (size_t i = 0; i < VALUES; i++) {
        ids[i] = (uint64_t)buckets[i] << 6 | i << 20;
        assert_int_equal(id_bucket(ids[i]), buckets[i]);
    }
    store_command(b, LOW, "X", NULL); /* so that places are not those of the batch's begin */
    const struct store_values *v = store_values_add(b, KEY_NEWEST, ids, VALUES);
    assert_int_equal(store_run(b), ERR_OK);
    for (size_t i = 0; i < VALUES; i++) {
        assert_string_equal(store_text(store_value(v, i)), key_id(arena, KEY_NEWEST, ids[i]));
    }
    return store_batch_count(b) - 1;
}

static const unsigned mixed[VALUES] = {LOW, HIGH, LOW, LOW + 1, HIGH + 1, HIGH, LOW};

static void test_values_of_one_node(void **state)
{
    (void)state;
    open_over(1, false, mirror);
    assert_int_equal(read_values(mixed), 1);
    assert_int_equal(node[0]->replies[0], 2);
}

static void test_values_of_two_nodes(void **state)
{
    (void)state;
    open_over(2, false, mirror);
    assert_int_equal(read_values(mixed), 2);
    assert_true(node[0]->replies[0] == 2 && node[1]->replies[0] == 1);
    assert_false(store_same_command(store, LOW, HIGH));
    assert_true(store_same_command(store, LOW, LOW + 1));
}

/* The keys of each command are of one bucket, so of one slot. */
static void test_values_of_a_cluster(void **state)
{
    (void)state;
    open_over(2, true, mirror);
    assert_int_equal(read_values(mixed), 4);
    for (size_t n = 0; n < 2; n++) {
        for (const char *line = node[n]->sent[0]; *line; line = strchr(line, '\n') + 1) {
            unsigned bucket = 0, all = 0, same = 0;
            sscanf(line, "MGET {%u}", &bucket);
            for (const char *p = line; *p != '\n'; p++) {
                all += *p == '{';
                same += *p == '{' && (unsigned)atoi(p + 1) == bucket;
            }
            assert_int_equal(all, same);
        }
    }
    assert_false(store_same_command(store, LOW, LOW + 1));
    assert_true(store_same_command(store, LOW, LOW));
}

static void test_no_values(void **state)
{
    (void)state;
    open_over(2, true, mirror);
    struct store_batch *b = new_batch();
    store_values_add(b, KEY_NEWEST, NULL, 0);
    assert_int_equal(store_batch_count(b), 0);
}

int main(void)
{
    log_setup(getenv("VERBOSE") ? LOG_DEBUG : LOG_ERROR, false);
    const struct CMUnitTest tests[] = {
        over(test_split_by_node),       over(test_other_node_is_left_alone), over(test_values_of_one_node),
        over(test_values_of_two_nodes), over(test_values_of_a_cluster),      over(test_no_values),
    };
    return cmocka_run_group_tests_name("store_map", tests, NULL, NULL);
}
