/* script_rows_search.h - rows (script_case.h) of the scripts of the index of words. Posts are numbers whose bytes can be read. What lists do
 * beyond their hash is in test_search_lists.c.
 */
#ifndef TESTS_SCRIPT_ROWS_SEARCH_H
#define TESTS_SCRIPT_ROWS_SEARCH_H

#include "script_case.h"

CALLER(word_add, word_add)
CALLER(word_end, word_add)
CALLER(word_has, word_add)
CALLER(word_read, word_read)
CALLER(words_drop, words_drop)

#define OF_A UINT64_C(0x6161616161616161)
#define OF_B UINT64_C(0x6262626262626262)
#define ENTRY(post)                                                                                                    \
    .bucket = ROW_BUCKET, .entries_count = 1, .entries = (const struct script_word_add_row[])                          \
    {                                                                                                                  \
        {                                                                                                              \
            "1|2", "cat",                                                                                              \
            {                                                                                                          \
                (const uint64_t[]){post}, 1                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
#define READ(post) .bucket = ROW_BUCKET, .slot = "1|2", .word = "cat", .below = post, .parts = 1, .whole = 1

static const struct row rows_search[] = {
    {CALL(word_add, word_add, ENTRY(OF_B)), .way = "a new word", .reply = "1",
     .after = "HGETALL :words:1|2 => cat bbbbbbbb", .again = "0"},
    {CALL(word_add, word_add, ENTRY(OF_B)), .way = "between others",
     .before = "HSET :words:1|2 cat aaaaaaaacccccccc dog x", .reply = "1",
     .after = "HMGET :words:1|2 cat dog => aaaaaaaabbbbbbbbcccccccc x", .again = "0"},
    {CALL(word_add, word_add, ENTRY(OF_B)), .way = "it is there", .before = "HSET :words:1|2 cat bbbbbbbb",
     .reply = "0"},
    {CALL(word_end, word_add, ENTRY(OF_B)), .way = "of three", .before = "HSET :words:1|2 cat aaaaaaaabbbbbbbbcccccccc",
     .reply = "1", .after = "HGETALL :words:1|2 => cat aaaaaaaacccccccc", .again = "0"},
    {CALL(word_end, word_add, ENTRY(OF_B)), .way = "the last", .before = "HSET :words:1|2 cat bbbbbbbb", .reply = "1",
     .after = "EXISTS :words:1|2 => 0", .again = "0"},
    {CALL(word_end, word_add, ENTRY(OF_B)), .way = "it is not there", .before = "HSET :words:1|2 cat aaaaaaaa",
     .reply = "0"},
    {CALL(word_has, word_add, ENTRY(OF_B)), .way = "it is there", .before = "HSET :words:1|2 cat aaaaaaaabbbbbbbb",
     .reply = "0"},
    {CALL(word_has, word_add, ENTRY(OF_B)), .way = "it is not there", .before = "HSET :words:1|2 cat aaaaaaaacccccccc",
     .reply = "1"},
    {CALL(word_read, word_read, READ(0)), .way = "all", .before = "HSET :words:1|2 cat aaaaaaaabbbbbbbb",
     .reply = "0 aaaaaaaabbbbbbbb"},
    {CALL(word_read, word_read, READ(OF_B)), .way = "older ones",
     .before = "HSET :words:1|2 cat aaaaaaaabbbbbbbbcccccccc", .reply = "0 aaaaaaaa"},
    {CALL(word_read, word_read, READ(OF_A)), .way = "nothing older", .before = "HSET :words:1|2 cat aaaaaaaa",
     .reply = "0 ''"},
    {CALL(word_read, word_read, READ(0)), .way = "no such word", .before = "HSET :words:1|2 dog aaaaaaaa",
     .reply = "0 ''"},
    {CALL(words_drop, words_drop, .bucket = ROW_BUCKET, .slot = "1|2"), .way = "some words",
     .before = "HSET :words:1|2 cat aaaaaaaa dog aaaaaaaabbbbbbbb", .reply = "0", .after = "EXISTS :words:1|2 => 0"},
    {CALL(words_drop, words_drop, .bucket = ROW_BUCKET, .slot = "1|2"), .way = "none", .reply = "0"},
};

#endif
