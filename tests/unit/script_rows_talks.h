/* script_rows_talks.h - rows (script_case.h) of the scripts of direct posts by conversation. */
#ifndef TESTS_SCRIPT_ROWS_TALKS_H
#define TESTS_SCRIPT_ROWS_TALKS_H

#include "script_rows_people.h"

CALLER(talk_add, talk_add)
CALLER(talk_end, talk_end)
CALLER(talk_mark, talk_mark)
CALLER(talk_dismiss, talk_dismiss)
CALLER(talk_hush, talk_hush)
CALLER(talk_list, talk_list)

#define AT_OLDER "1700000000011000" /* us */
#define AT_POST "1700000000012000"
#define AT_NEWER "1700000000013000"
#define TOLD_TALK(talk_, post_, from_)                                                                                 \
    .uid = ALICE, .talk = (talk_), .post = (post_), .from = (from_), .people = "1700", .root = OLDER, .fresh = true,   \
    .most = 3, .kept = 2
#define TALK_HAS(talk, at, post) "ZADD :talks:$alice " at " " talk "; ZADD :talkposts:$alice " talk " " post
#define UNREAD(count) "HGET :homestate:$alice talks => " count
#define THREE_TALKS                                                                                                    \
    "ZADD :talks:$alice 100 1 200 2 300 3; ZADD :talkposts:$alice 1 p 1 q 1 r 2 s 3 t; HSET :talkpeople:$alice 1 "     \
    "$bob 2 $bob,$carol 3 ''; ZADD :talknews:$alice 0 2"
#define TALKS_FROM(from_, to_, most_) .uid = ALICE, .from = (from_), .to = (to_), .most = (most_)

static const struct row rows_talks[] = {
    /* talk_add */
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "the first of a talk", .before = USER_IS_THERE,
     .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_POST "; ZRANGE :talkposts:$alice 0 -1 WITHSCORES => "
              "$post 5; HGETALL :talkpeople:$alice => 5 1700; ZRANGE :talknews:$alice 0 -1 => 5; " UNREAD("1")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, ALICE)), .way = "one's own is read",
     .before = USER_IS_THERE "; ZADD :talknews:$alice 0 5; " TALK_HAS("5", AT_OLDER, "$older"), .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_POST "; EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, OLDER, ALICE)), .way = "one's own that comes late leaves it unread",
     .before = USER_IS_THERE "; ZADD :talknews:$alice 0 5; " TALK_HAS("5", AT_POST, "$post"), .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_POST "; ZCARD :talkposts:$alice => 2; " UNREAD("1")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, OLDER, BOB)), .way = "another's that comes late leaves it read",
     .before = USER_IS_THERE "; " TALK_HAS("5", AT_POST, "$post"), .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_POST "; ZCARD :talkposts:$alice => 2; " UNREAD("0")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "at the time of another talk",
     .before = USER_IS_THERE "; ZADD :talks:$alice " AT_POST " 6", .reply = "ok",
     .after = "ZSCORE :talks:$alice 5 => 1700000000012001; ZSCORE :talks:$alice 6 => " AT_POST},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "what came before",
     .before = USER_IS_THERE "; " TALK_HAS("5", AT_POST, "$post"), .reply = "ok"},
    {CALL(talk_add, talk_add, .uid = ALICE, .talk = 5, .post = POST, .from = BOB, .people = "", .root = OLDER,
          .most = 3, .kept = 2),
     .way = "no news", .before = USER_IS_THERE, .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 => 5; EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "of whom he blocks",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob b", .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 => 5; EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "in a thread that he has muted",
     .before = USER_IS_THERE "; ZADD :quiet:$alice 5 $older", .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 => 5; EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "what was in an unread talk moves",
     .before = USER_IS_THERE "; HSET :homestate:$alice talks 1; ZADD :talknews:$alice 0 4; HSET :talkpeople:$alice 4 "
                             "$carol; " TALK_HAS("4", AT_POST, "$post"),
     .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_POST "; HKEYS :talkpeople:$alice => 5; ZRANGE "
              ":talknews:$alice 0 -1 => 5; " UNREAD("1")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "what was in a talk that he has read moves",
     .before = USER_IS_THERE "; " TALK_HAS("4", AT_POST, "$post"), .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 => 5; EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "what he dismissed does not come back",
     .before = USER_IS_THERE "; ZADD :talks:$alice -" AT_POST " 5", .reply = "ok"},
    {CALL(talk_add, talk_add, TOLD_TALK(5, NEWER, BOB)), .way = "but with a newer post",
     .before = USER_IS_THERE "; ZADD :talks:$alice -" AT_POST " 5", .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_NEWER "; HGET :talkpeople:$alice 5 => 1700:" AT_POST
              "; " UNREAD("1")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, OLDER, BOB)), .way = "and not when it has gone on since",
     .before = USER_IS_THERE "; HSET :talkpeople:$alice 5 1700:" AT_POST "; " TALK_HAS("5", AT_NEWER, "$newer"),
     .reply = "ok"},
    {CALL(talk_add, talk_add, TOLD_TALK(5, NEWER, BOB)), .way = "more posts than are kept",
     .before = USER_IS_THERE "; " TALK_HAS("5", AT_POST, "$post 5 $older 6 x"), .reply = "ok",
     .after = "ZRANGE :talkposts:$alice 5 5 BYSCORE => $post $newer; ZSCORE :talkposts:$alice x => 6"},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "more talks than are kept: the oldest goes",
     .before =
         USER_IS_THERE "; ZADD :talks:$alice 1 1 2 2 3 3; ZADD :talkposts:$alice 1 x 2 y; ZADD :talknews:$alice 0 1; "
                       "HSET :talkpeople:$alice 1 $carol",
     .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 => 2 3 5; ZSCORE :talkposts:$alice x => -; HKEYS :talkpeople:$alice => 5; "
              "ZRANGE :talknews:$alice 0 -1 => 5; " UNREAD("1")},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "before it one with whom he blocks",
     .before = USER_IS_THERE "; ZADD :talks:$alice 1 1 2 2 3 3; HSET :talkpeople:$alice 1 $carol 2 $bob; HSET "
                             ":apart:$alice $bob b",
     .reply = "ok", .after = "ZRANGE :talks:$alice 0 -1 => 1 3 5; HKEYS :talkpeople:$alice => 1 5"},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "and before that what was dismissed first",
     .before = USER_IS_THERE "; ZADD :talks:$alice -7 1 -8 2 3 3; HSET :talkpeople:$alice 3 $bob; HSET :apart:$alice "
                             "$bob b",
     .reply = "ok", .after = "ZRANGE :talks:$alice 0 -1 => 2 3 5"},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "nobody", .reply = "gone"},
    {CALL(talk_add, talk_add, TOLD_TALK(5, POST, BOB)), .way = "a deleted user", .before = USER_IS_GONE,
     .reply = "gone"},

    /* talk_end */
    {CALL(talk_end, talk_end, ALICE, NEWER), .way = "the newest: it goes back",
     .before = "HSET :homestate:$alice talks 9; ZADD :talknews:$alice 0 5; HSET :talkpeople:$alice 5 $bob; " TALK_HAS(
         "5", AT_NEWER, "$newer 5 $older"),
     .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_OLDER "; ZRANGE :talkposts:$alice 0 -1 => $older; HGET "
              ":talkpeople:$alice 5 => $bob; " UNREAD("1")},
    {CALL(talk_end, talk_end, ALICE, OLDER), .way = "an older one",
     .before = TALK_HAS("5", AT_NEWER, "$newer 5 $older"), .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 " AT_NEWER "; ZRANGE :talkposts:$alice 0 -1 => $newer; EXISTS "
              ":homestate:$alice => 0"},
    {CALL(talk_end, talk_end, ALICE, NEWER), .way = "the last one",
     .before = "HSET :homestate:$alice talks 1; ZADD :talknews:$alice 0 5; HSET :talkpeople:$alice 5 $bob; " TALK_HAS(
         "5", AT_NEWER, "$newer"),
     .reply = "ok",
     .after = "EXISTS :talks:$alice :talkposts:$alice :talkpeople:$alice :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_end, talk_end, ALICE, NEWER), .way = "the last one since he dismissed it",
     .before = "HSET :talkpeople:$alice 5 $bob:77; " TALK_HAS("5", AT_NEWER, "$newer"), .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 5 -77; EXISTS :talkposts:$alice :talkpeople:$alice => 0"},
    {CALL(talk_end, talk_end, ALICE, NEWER), .way = "that is in none", .before = TALK_HAS("5", AT_OLDER, "$older"),
     .reply = "ok"},

    /* talk_mark */
    {CALL(talk_mark, talk_mark, .uid = ALICE, .talk = 2), .way = "read", .before = THREE_TALKS, .reply = "ok",
     .after = "EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_mark, talk_mark, .uid = ALICE, .talk = 1), .way = "read, what was", .before = THREE_TALKS,
     .reply = "ok"},
    {CALL(talk_mark, talk_mark, .uid = ALICE, .talk = 1, .on = true), .way = "not read", .before = THREE_TALKS,
     .reply = "ok", .after = "ZRANGE :talknews:$alice 0 -1 => 1 2; " UNREAD("2")},
    {CALL(talk_mark, talk_mark, .uid = ALICE, .talk = 2, .on = true), .way = "not read, what was not",
     .before = THREE_TALKS, .reply = "ok"},
    {CALL(talk_mark, talk_mark, .uid = ALICE, .post = POST), .way = "read, that of a post",
     .before = "ZADD :talknews:$alice 0 5; " TALK_HAS("5", AT_POST, "$post"), .reply = "ok",
     .after = "EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_mark, talk_mark, .uid = ALICE, .post = POST), .way = "that of a post in none", .before = THREE_TALKS,
     .reply = "gone"},
    {CALL(talk_mark, talk_mark, .uid = ALICE, .talk = 9), .way = "none such", .before = THREE_TALKS, .reply = "gone"},
    {CALL(talk_mark, talk_mark, .uid = ALICE, .talk = 9, .on = true), .way = "what was dismissed",
     .before = "ZADD :talks:$alice -5 9", .reply = "gone"},

    /* talk_dismiss */
    {CALL(talk_dismiss, talk_dismiss, ALICE, 2), .way = "one", .before = THREE_TALKS, .reply = "ok",
     .after = "ZRANGE :talks:$alice 0 -1 WITHSCORES => 2 -200 1 100 3 300; ZSCORE :talkposts:$alice s => -; HKEYS "
              ":talkpeople:$alice => 1 3; EXISTS :talknews:$alice => 0; " UNREAD("0"),
     .again = "gone"},
    {CALL(talk_dismiss, talk_dismiss, ALICE, 9), .way = "none such", .before = THREE_TALKS, .reply = "gone"},

    /* talk_hush */
    {CALL(talk_hush, talk_hush, .uid = ALICE), .way = "of whom he hears",
     .before = THREE_TALKS "; HSET :homestate:$alice talks 1; HSET :apart:$alice $bob b", .reply = "ok"},
    {CALL(talk_hush, talk_hush, .uid = ALICE), .way = "of whom he hears nobody",
     .before = THREE_TALKS "; HSET :homestate:$alice talks 1; HSET :apart:$alice $bob b $carol mn", .reply = "ok",
     .after = "EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_hush, talk_hush, .uid = ALICE), .way = "what is not there",
     .before = "HSET :homestate:$alice talks 1; ZADD :talknews:$alice 0 7", .reply = "ok",
     .after = "EXISTS :talknews:$alice => 0; " UNREAD("0")},
    {CALL(talk_hush, talk_hush, .uid = ALICE, .talk = 5), .way = "settles one",
     .before = "ZADD :talks:$alice 7 5; ZADD :talkposts:$alice 5 $post", .reply = "ok",
     .after = "ZSCORE :talks:$alice 5 => " AT_POST},
    {CALL(talk_hush, talk_hush, .uid = ALICE, .talk = 5), .way = "settles one that is dismissed",
     .before = "ZADD :talks:$alice -7 5", .reply = "ok"},

    /* talk_list */
    {CALL(talk_list, talk_list, TALKS_FROM("+inf", "-inf", 9), .backwards = true), .way = "newest first",
     .before = THREE_TALKS "; ZADD :talks:$alice -900 4",
     .reply = "[[3 300 0 '' t] [2 200 1 $bob,$carol s] [1 100 0 $bob r q]]"},
    {CALL(talk_list, talk_list, TALKS_FROM("(100", "+inf", 1)), .way = "one, oldest first, after one",
     .before = THREE_TALKS, .reply = "[[2 200 1 $bob,$carol s]]"},
    {CALL(talk_list, talk_list, TALKS_FROM("-inf", "(300", 9)), .way = "oldest first, from the beginning",
     .before = THREE_TALKS "; ZADD :talks:$alice -900 4", .reply = "[[1 100 0 $bob r q] [2 200 1 $bob,$carol s]]"},
    {CALL(talk_list, talk_list, TALKS_FROM("+inf", "-inf", 9), .backwards = true),
     .way = "without those of which he hears nobody, and more of that of which he hears one",
     .before = THREE_TALKS "; HSET :apart:$alice $bob B; ZADD :talkposts:$alice 2 u 2 v",
     .reply = "[[3 300 0 '' t] [2 200 1 $bob,$carol v u s]]"},
    {CALL(talk_list, talk_list, TALKS_FROM("", "", 9), .talk = 2), .way = "one alone", .before = THREE_TALKS,
     .reply = "[[2 200 1 $bob,$carol s]]"},
    {CALL(talk_list, talk_list, TALKS_FROM("", "", 9), .talk = 2), .way = "one that was dismissed before",
     .before = THREE_TALKS "; HSET :talkpeople:$alice 2 $bob:150", .reply = "[[2 200 1 $bob s]]"},
    {CALL(talk_list, talk_list, TALKS_FROM("", "", 9), .talk = 9), .way = "none such", .before = THREE_TALKS,
     .reply = "[]"},
    {CALL(talk_list, talk_list, TALKS_FROM("", "", 9), .talk = 4), .way = "one that was dismissed",
     .before = THREE_TALKS "; ZADD :talks:$alice -900 4", .reply = "[]"},
};

#endif
