/* test_store_scripts.c - every script by itself: each word that it may answer, and each way to it.
 *
 * What a row says is in script_case.h. Beyond what it says: a call that writes nothing leaves every key as it was, and
 * a call that is sent again because its reply was lost changes nothing more, unless the row says that it does. The last
 * test compares what was answered with what the heads of the scripts declare (store/script_ids.h), so a new script or
 * word without a row fails here.
 */
#include "script_rows_apart.h"
#include "script_rows_filters.h"
#include "script_rows_notices.h"
#include "script_rows_people.h"
#include "script_rows_posts.h"
#include "script_rows_reactions.h"
#include "script_rows_requests.h"
#include "script_rows_search.h"
#include "script_rows_tags.h"
#include "script_rows_talks.h"
#include "script_rows_ties.h"
#include "script_rows_tokens.h"

#include "store/answer.h"

static const struct {
    const struct row *rows;
    size_t count;
} tables[] = {
    {rows_people, COUNT(rows_people)},     {rows_posts, COUNT(rows_posts)},         {rows_apart, COUNT(rows_apart)},
    {rows_ties, COUNT(rows_ties)},         {rows_reactions, COUNT(rows_reactions)}, {rows_notices, COUNT(rows_notices)},
    {rows_requests, COUNT(rows_requests)}, {rows_search, COUNT(rows_search)},       {rows_tags, COUNT(rows_tags)},
    {rows_filters, COUNT(rows_filters)},   {rows_tokens, COUNT(rows_tokens)},       {rows_talks, COUNT(rows_talks)},
};
enum {
    ROW_COUNT = COUNT(rows_people) + COUNT(rows_posts) + COUNT(rows_apart) + COUNT(rows_ties) + COUNT(rows_reactions) +
                COUNT(rows_notices) + COUNT(rows_requests) + COUNT(rows_search) + COUNT(rows_tags) +
                COUNT(rows_filters) + COUNT(rows_tokens) + COUNT(rows_talks)
};

static const struct {
    enum script script;
    enum answer answer;
    const char *words;
} declared[] = {
#define X(script, answer) {SCRIPT_##script, ANSWER_##answer, #script " " #answer},
    SCRIPT_REPLY_TABLE(X)
#undef X
};

static bool met[SCRIPT_COUNT][ANSWER_COUNT]; /* ANSWER_NONE: the script was called */

static enum script script_named(const char *name)
{
    int s = 0;
    while (strcmp(script_info((enum script)s)->name, name) != 0) {
        s++;
        assert_true(s < SCRIPT_COUNT);
    }
    return (enum script)s;
}

/* Runs the row's call; returns what it answered, in words. */
static const char *row_call(const struct row *row)
{
    struct store_batch *b = new_batch();
    size_t at = row->add(b, row->in);
    if (store_run(b) != ERR_OK) {
        fail_msg("%s: %s", row->script, store_text(store_reply(b, at)));
    }
    const struct store_reply *r = store_reply(b, at);
    bool *answers = met[script_named(row->script)];
    answers[ANSWER_NONE] = answers[script_answer(r)] = true;
    const struct store_reply *results = store_item(r, 0); /* of scripts that answer one word for each of many */
    for (size_t i = 0; results->type == STORE_ARRAY && i < results->count; i++) {
        answers[script_answer(&results->items[i])] = true;
    }
    return row_said(r);
}

static void test_row(void **state)
{
    const struct row *row = *state;
    assert_int_equal(run("FLUSHALL", NULL, NULL), ERR_OK);
    row_commands(row->before);
    const char *before = row_digest();
    row_expect(row->script, row->reply, row_call(row));
    const char *after = row_digest();
    if (row->after) {
        row_commands(row->after);
    } else {
        assert_string_equal(after, before);
    }
    row_expect("the same call again", row->again ? row->again : row->reply, row_call(row));
    if (row->repeats) {
        assert_string_not_equal(row_digest(), after);
    } else {
        assert_string_equal(row_digest(), after);
    }
}

static void test_every_word_is_met(void **state)
{
    (void)state;
    int missing = 0;
    for (int s = 0; s < SCRIPT_COUNT; s++) {
        if (!met[s][ANSWER_NONE]) {
            print_error("no row calls %s\n", script_info((enum script)s)->name);
            missing++;
        }
    }
    for (size_t i = 0; i < COUNT(declared); i++) {
        if (!met[declared[i].script][declared[i].answer]) {
            print_error("no row is answered %s\n", declared[i].words);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

int main(int argc, char **argv)
{
    int status = 0;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    private_redis_embedded = !have_redis_server();
    static struct CMUnitTest tests[ROW_COUNT + 1];
    static char names[ROW_COUNT][128];
    size_t n = 0;
    for (size_t t = 0; t < COUNT(tables); t++) {
        for (size_t i = 0; i < tables[t].count; i++, n++) {
            const struct row *row = &tables[t].rows[i];
            snprintf(names[n], sizeof(names[n]), "%s: %s", row->script, row->way);
            tests[n] = (struct CMUnitTest){.name = names[n], .test_func = test_row, .initial_state = (void *)row};
        }
    }
    tests[n] = (struct CMUnitTest)cmocka_unit_test(test_every_word_is_met);
    return _cmocka_run_group_tests("scripts", tests, COUNT(tests), setup, teardown);
}
