/* script_rows_notices.h - rows (script_case.h) of the scripts by which people are told what others did. */
#ifndef TESTS_SCRIPT_ROWS_NOTICES_H
#define TESTS_SCRIPT_ROWS_NOTICES_H

#include "script_rows_people.h"

CALLER(notice_add, notice_add)
CALLER(notice_dismiss, notice_dismiss)
CALLER(notice_edited, notice_edited)
CALLER(marker_set, marker_set)
CALLER(notice_end, notice_end)
CALLER(notice_list, notice_list)
CALLER(notice_read, notice_read)
CALLER(notice_unread, notice_unread)

#define TOLD(time_) .uid = ALICE, .from = BOB, .group = "m:9", .time = (time_)
#define TOLD_AT(t) "ZRANGE :notices:$alice 0 -1 WITHSCORES => m:9 " #t "; HEXISTS :homestate:$alice notices => 1"
#define THOUSAND(key) /* see HOME_OF in script_rows_posts.h */                                                         \
    "EVAL for\ti=1,1000\tdo\tredis.call('ZADD',KEYS[1],i,'x:'..i)end 1 " key
#define NEWEST_FIRST(kinds_, most_, shown_)                                                                            \
    .uid = ALICE, .kinds = (kinds_), .single = "", .only = "", .most = (most_), .shown = (shown_)
#define NOTICES                                                                                                        \
    "SET :noticeread:$alice 200; ZADD :notices:$alice 100 m:9 200 f:$post 300 F:0; ZADD :favourites:$post 150 $bob "   \
    "200 $carol; ZADD :followers:$alice 290 x 300 y"
#define ONE_BY_ONE(kinds_, most_)                                                                                      \
    .uid = ALICE, .kinds = (kinds_), .single = "fFb", .only = "", .most = (most_), .shown = 9
#define MIXED                                                                                                          \
    "SET :noticeread:$alice 200; ZADD :notices:$alice 100 m:9 390 f:$older 400 b:$post 420 f:$post; ZADD "             \
    ":favourites:$post 150 $bob 420 $carol; ZADD :favourites:$older 390 $bob; ZADD :boosts:$post 400 $bob"
#define TOLD_OF_EDIT .uid = ALICE, .from = BOB, .post = POST, .time = 100, .root = OLDER

static const struct row rows_notices[] = {
    /* notice_edited */
    {CALL(notice_edited, notice_edited, TOLD_OF_EDIT), .way = "who boosts it",
     .before = USER_IS_THERE "; " BOOST_OF("$post", "$newer"), .reply = "ok",
     .after = "ZRANGE :notices:$alice 0 -1 WITHSCORES => e:$post 100; " CHANGED},
    {CALL(notice_edited, notice_edited, TOLD_OF_EDIT), .way = "who boosts it and was told of an edit before",
     .before = USER_IS_THERE "; " BOOST_OF("$post", "$newer") "; ZADD :notices:$alice 50 e:$post", .reply = "ok",
     .after = "ZRANGE :notices:$alice 0 -1 WITHSCORES => e:$post 100; " CHANGED},
    {CALL(notice_edited, notice_edited, TOLD_OF_EDIT), .way = "who boosts another post",
     .before = USER_IS_THERE "; " BOOST_OF("$older", "$newer"), .reply = "gone"},
    {CALL(notice_edited, notice_edited, TOLD_OF_EDIT), .way = "who is gone",
     .before = USER_IS_GONE "; " BOOST_OF("$post", "$newer"), .reply = "gone"},
    {CALL(notice_edited, notice_edited, TOLD_OF_EDIT), .way = "who blocks the author",
     .before = USER_IS_THERE "; " BOOST_OF("$post", "$newer") "; HSET :apart:$alice $bob b", .reply = "ok"},
    {CALL(notice_edited, notice_edited, TOLD_OF_EDIT), .way = "who has muted the conversation",
     .before = USER_IS_THERE "; " BOOST_OF("$post", "$newer") "; ZADD :quiet:$alice 5 $older", .reply = "ok"},
    /* notice_add */
    {CALL(notice_add, notice_add, TOLD(100)), .way = "something new", .before = USER_IS_THERE, .reply = "ok",
     .after = TOLD_AT(100)},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "later than before",
     .before = USER_IS_THERE "; ZADD :notices:$alice 99 m:9", .reply = "ok", .after = TOLD_AT(100)},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "earlier than before",
     .before = USER_IS_THERE "; ZADD :notices:$alice 101 m:9", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "when there is something else",
     .before = USER_IS_THERE "; ZADD :notices:$alice 100 a 101 b", .reply = "ok",
     .after = "ZRANGE :notices:$alice 0 -1 WITHSCORES => a 100 b 101 m:9 102"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "what was dismissed",
     .before = USER_IS_THERE "; ZADD :noticegone:$alice 100 m:9", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "what was dismissed before",
     .before = USER_IS_THERE "; ZADD :noticegone:$alice 99 m:9", .reply = "ok", .after = TOLD_AT(100)},
    {CALL(notice_add, notice_add, .uid = ALICE, .from = ALICE, .group = "m:9", .time = 100), .way = "his own doing",
     .before = USER_IS_THERE, .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "of whom he blocks",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob b", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "of who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "of whom he mutes",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob m", .reply = "ok", .after = TOLD_AT(100)},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "of whose notifications he mutes",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob mn", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "of whose notifications he mutes for a while",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob mn:9999999999999", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "of whose notifications he muted",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob mn:5", .reply = "ok", .after = TOLD_AT(100)},
    {CALL(notice_add, notice_add, TOLD(100), .root = POST), .way = "in a conversation that he has muted",
     .before = USER_IS_THERE "; ZADD :quiet:$alice 5 $post", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100), .root = POST), .way = "in a conversation, when he has muted another",
     .before = USER_IS_THERE "; ZADD :quiet:$alice 5 $older", .reply = "ok", .after = TOLD_AT(100)},
    {CALL(notice_add, notice_add, TOLD(2000)), .way = "one of very many",
     .before = USER_IS_THERE "; " THOUSAND(":notices:$alice"), .reply = "ok",
     .after = "ZCARD :notices:$alice => 1000; ZSCORE :notices:$alice x:1 => -; ZSCORE :notices:$alice x:2 => 2; ZSCORE "
              ":notices:$alice m:9 => 2000"},
    {CALL(notice_add, notice_add, TOLD(INT64_C(1700000000123456))), .way = "at a time of today",
     .before = USER_IS_THERE "; HSET :homestate:$alice notices 9000000000000000", .reply = "ok",
     .after = "ZSCORE :notices:$alice m:9 => 1700000000123456; HGET :homestate:$alice notices => 9000000000000001"},
    {CALL(notice_add, notice_add, TOLD(100), .once = true), .way = "once, something new", .before = USER_IS_THERE,
     .reply = "ok", .after = TOLD_AT(100)},
    {CALL(notice_add, notice_add, TOLD(100), .once = true), .way = "once, what he was told before",
     .before = USER_IS_THERE "; ZADD :notices:$alice 99 m:9", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100), .once = true), .way = "once, what he dismissed before",
     .before = USER_IS_THERE "; ZADD :noticegone:$alice 99 m:9", .reply = "ok"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "nobody", .reply = "gone"},
    {CALL(notice_add, notice_add, TOLD(100)), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},

    /* notice_dismiss */
    {CALL(notice_dismiss, notice_dismiss, ALICE, "m:9", 100, 0), .way = "one",
     .before = USER_IS_THERE "; ZADD :notices:$alice 90 a 100 m:9; ZADD :noticegone:$alice 5 m:9", .reply = "ok",
     .after = "ZRANGE :notices:$alice 0 -1 => a; ZRANGE :noticegone:$alice 0 -1 WITHSCORES => m:9 100; " CHANGED},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "m:9", 150, 0), .way = "one, up to later than it is",
     .before = USER_IS_THERE "; ZADD :notices:$alice 100 m:9", .reply = "ok",
     .after = "EXISTS :notices:$alice => 0; ZSCORE :noticegone:$alice m:9 => 100"},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "m:9", 50, 0), .way = "one in which more came since",
     .before = USER_IS_THERE "; ZADD :notices:$alice 100 m:9", .reply = "ok",
     .after = "ZRANGE :notices:$alice 0 -1 => m:9; ZSCORE :noticegone:$alice m:9 => 50", .repeats = true},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "m:9", 50, 0), .way = "one of which more was dismissed",
     .before = USER_IS_THERE "; ZADD :notices:$alice 100 m:9; ZADD :noticegone:$alice 70 m:9", .reply = "ok",
     .after = "ZSCORE :noticegone:$alice m:9 => 70", .repeats = true},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "m:9", 100, 0), .way = "one that is not there",
     .before = USER_IS_THERE "; ZADD :notices:$alice 100 a", .reply = "ok"},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "", 100, 0), .way = "all up to a time",
     .before = USER_IS_THERE "; ZADD :notices:$alice 90 a 100 b 101 c", .reply = "ok",
     .after = "ZRANGE :notices:$alice 0 -1 => c; ZRANGE :noticegone:$alice 0 -1 WITHSCORES => a 90 b 100; " CHANGED},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "", 80, 0), .way = "all, which came later",
     .before = USER_IS_THERE "; ZADD :notices:$alice 90 a", .reply = "ok"},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "f:111411200000786880", 200, CAROL), .way = "the newest of a group",
     .before = USER_IS_THERE "; " NOTICES, .reply = "ok",
     .after = "ZRANGE :noticegone:$alice 0 -1 WITHSCORES => f:111411200000786880:$carol 200; ZSCORE :notices:$alice "
              "f:$post => 150; ZCARD :favourites:$post => 2; " CHANGED},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "f:111411200000786880", 150, BOB), .way = "the last of a group",
     .before = USER_IS_THERE "; " NOTICES "; ZADD :noticegone:$alice 200 f:111411200000786880:$carol", .reply = "ok",
     .after = "ZCARD :noticegone:$alice => 2; ZSCORE :notices:$alice f:$post => -; " CHANGED},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "f:111411200000786880", 150, LIST), .way = "one who is not in a group",
     .before = USER_IS_THERE "; " NOTICES, .reply = "ok"},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "m:9", 2000, 0), .way = "one more than is remembered",
     .before = USER_IS_THERE "; ZADD :notices:$alice 2000 m:9; " THOUSAND(":noticegone:$alice"), .reply = "ok",
     .after = "ZCARD :noticegone:$alice => 1000; ZSCORE :noticegone:$alice x:1 => -; ZSCORE :noticegone:$alice m:9 => "
              "2000"},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "", 100, 0), .way = "nobody", .reply = "gone"},
    {CALL(notice_dismiss, notice_dismiss, ALICE, "", 100, 0), .way = "a deleted user", .before = USER_IS_GONE,
     .reply = "gone"},

    /* notice_end */
    {CALL(notice_end, notice_end, ALICE, (const char *const[]){"m:8", "m:9"}, 2), .way = "some",
     .before = "ZADD :notices:$alice 90 a 100 m:8 110 m:9", .reply = "ok",
     .after = "ZRANGE :notices:$alice 0 -1 => a; EXISTS :noticegone:$alice => 0; " CHANGED},
    {CALL(notice_end, notice_end, ALICE, (const char *const[]){"m:9"}, 1), .way = "that is not there",
     .before = "ZADD :notices:$alice 90 a", .reply = "ok"},

    /* notice_list, notice_unread */
    {CALL(notice_list, notice_list, NEWEST_FIRST("fFm", 9, 9)), .way = "newest first", .before = NOTICES,
     .reply = "200 300 [[F:0 300 2 300 300 y x] [f:$post 200 2 200 200 $carol $bob] [m:9 100 0 100 100]]"},
    {CALL(notice_list, notice_list, .uid = ALICE, .above = 100, .forwards = true, .kinds = "fFm", .single = "",
          .only = "", .most = 1, .shown = 1),
     .way = "one, oldest first, after one", .before = NOTICES, .reply = "200 300 [[f:$post 200 2 200 200 $carol]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("m", 9, 9)), .way = "of one kind", .before = NOTICES,
     .reply = "200 300 [[m:9 100 0 100 100]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("m", 9, 9)), .way = "none", .reply = "0 0 []"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("b", 9, 9)), .way = "of boosts",
     .before = NOTICES "; ZADD :notices:$alice 400 b:$post; ZADD :boosts:$post 390 $bob 400 $carol",
     .reply = "200 400 [[b:$post 400 2 400 400 $carol $bob]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("f", 9, 9)), .way = "far below others",
     .before = NOTICES "; " THOUSAND(":notices:$alice") "; ZADD :notices:$alice 0 f:$post",
     .reply = "200 1000 [[f:$post 0 2 200 0 $carol $bob]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("fF", 9, 9)), .way = "what was dismissed is left out",
     .before = NOTICES "; ZADD :noticegone:$alice 150 f:$post 290 F:0",
     .reply = "200 300 [[F:0 300 1 300 300 y] [f:$post 200 1 200 200 $carol]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("fF", 9, 9)), .way = "of whom nobody is left",
     .before = "ZADD :notices:$alice 100 f:$post 200 F:0", .reply = "0 200 []"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("F", 9, 9)), .way = "followers of one day",
     .before = "ZADD :notices:$alice 5 F:1; ZADD :followers:$alice 86399999999 a 86400000000 b 172799999999 c "
               "172800000000 d; ZADD :noticegone:$alice 86399999999 F:1",
     .reply = "0 5 [[F:1 5 2 172799999999 5 c b]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("f", 9, 1)), .way = "without those whom he does not want to hear of",
     .before = NOTICES "; HSET :apart:$alice $carol mn", .reply = "200 300 [[f:$post 200 1 150 200 $bob]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("f", 9, 1)), .way = "without himself",
     .before = NOTICES "; ZADD :favourites:$post 999 $alice", .reply = "200 300 [[f:$post 200 2 200 200 $carol]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("f", 9, 1)), .way = "of whom he wants to hear nobody",
     .before = NOTICES "; HSET :apart:$alice $carol mn $bob b", .reply = "200 300 []"},
    {CALL(notice_list, notice_list, ONE_BY_ONE("fFbm", 9)), .way = "one by one, between each other", .before = MIXED,
     .reply = "200 420 [[f:$post 420 1 420 420 $carol] [b:$post 400 1 400 400 $bob] [f:$older 390 1 390 390 $bob] "
              "[f:$post 150 1 "
              "150 150 $bob] [m:9 100 0 100 100]]"},
    {CALL(notice_list, notice_list, ONE_BY_ONE("fFbm", 2), .below = 400),
     .way = "one by one, older than what is newer in a group", .before = MIXED,
     .reply = "200 420 [[f:$older 390 1 390 390 $bob] [f:$post 150 1 150 150 $bob]]"},
    {CALL(notice_list, notice_list, ONE_BY_ONE("fFbm", 2), .above = 100, .forwards = true),
     .way = "one by one, the oldest first", .before = MIXED,
     .reply = "200 420 [[f:$post 150 1 150 150 $bob] [f:$older 390 1 390 390 $bob]]"},
    {CALL(notice_list, notice_list, ONE_BY_ONE("fFbm", 9), .unseen = true), .way = "one by one, what was not seen",
     .before = MIXED,
     .reply = "200 420 [[f:$post 420 1 420 420 $carol] [b:$post 400 1 400 400 $bob] [f:$older 390 1 390 390 $bob]]"},
    {CALL(notice_list, notice_list, ONE_BY_ONE("fFbm", 9), .who = BOB),
     .way = "of one person, and perhaps of his bucket", .before = MIXED "; ZADD :notices:$alice 90 m:$newer",
     .reply =
         "200 420 [[b:$post 400 1 400 400 $bob] [f:$older 390 1 390 390 $bob] [f:$post 150 1 150 150 $bob] [m:$newer "
         "90 0 90 90]]"},
    {CALL(notice_list, notice_list, ONE_BY_ONE("fFbm", 9), .who = CAROL), .way = "of one person, who is hushed",
     .before = MIXED "; HSET :apart:$alice $carol b", .reply = "200 420 []"},
    {CALL(notice_list, notice_list, ONE_BY_ONE("f", 9)), .way = "one by one, without what was dismissed",
     .before = MIXED "; ZADD :noticegone:$alice 390 f:$older 150 f:$post:$bob",
     .reply = "200 420 [[f:$post 420 1 420 420 $carol]]"},
    {CALL(notice_list, notice_list, .uid = ALICE, .kinds = "fFbm", .single = "fFb", .only = "m:9", .most = 9,
          .shown = 9),
     .way = "of one group", .before = MIXED, .reply = "200 420 [[m:9 100 0 100 100]]"},
    {CALL(notice_list, notice_list, .uid = ALICE, .kinds = "f", .single = "", .only = "m:8", .most = 9, .shown = 9),
     .way = "of a group that is not there", .before = MIXED, .reply = "200 420 []"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("fb", 9, 1), .spans = true), .way = "since when, on the last page",
     .before = MIXED,
     .reply = "200 420 [[f:$post 420 2 420 150 $carol] [b:$post 400 1 400 400 $bob] [f:$older 390 1 390 390 $bob]]"},
    {CALL(notice_list, notice_list, NEWEST_FIRST("fb", 2, 1), .spans = true), .way = "since when, on a page",
     .before = MIXED, .reply = "200 420 [[f:$post 420 2 420 420 $carol] [b:$post 400 1 400 400 $bob]]"},
    {CALL(notice_unread, notice_unread, ALICE), .way = "later than what was seen", .before = NOTICES, .reply = "1 0"},
    {CALL(notice_unread, notice_unread, ALICE), .way = "of whom one wants to hear nothing",
     .before =
         "SET :noticeread:$alice 2; ZADD :notices:$alice 1 m:9 3 f:$post 4 f:$older 5 q:$bob 6 q:$carol 7 m:8; ZADD "
         ":favourites:$post 150 $bob; ZADD :favourites:$older 150 $bob 160 $carol; ZADD :requests:$alice 5 $bob 6 "
         "$carol; HSET :apart:$alice $bob b",
     .reply = "3 2"},
    {CALL(notice_unread, notice_unread, ALICE), .way = "nothing was seen", .before = "ZADD :notices:$alice 1 a 2 b",
     .reply = "2 0"},

    /* notice_read */
    {CALL(notice_read, notice_read, ALICE, 100), .way = "the first time",
     .before = USER_IS_THERE "; ZADD :notices:$alice 90 a 110 b", .reply = "ok",
     .after = "GET :noticeread:$alice => 100; " CHANGED},
    {CALL(notice_read, notice_read, ALICE, 100), .way = "more",
     .before = USER_IS_THERE "; ZADD :notices:$alice 110 b; SET :noticeread:$alice 99", .reply = "ok",
     .after = "GET :noticeread:$alice => 100; " CHANGED},
    {CALL(notice_read, notice_read, ALICE, 100), .way = "more than there is",
     .before = USER_IS_THERE "; ZADD :notices:$alice 90 a; SET :noticeread:$alice 80", .reply = "ok",
     .after = "GET :noticeread:$alice => 90; " CHANGED},
    {CALL(notice_read, notice_read, ALICE, 100), .way = "nothing is there", .before = USER_IS_THERE, .reply = "ok"},
    {CALL(notice_read, notice_read, ALICE, 100), .way = "what was seen",
     .before = USER_IS_THERE "; ZADD :notices:$alice 110 b; SET :noticeread:$alice 101", .reply = "ok"},
    {CALL(notice_read, notice_read, ALICE, 100), .way = "nobody", .reply = "gone"},
    {CALL(notice_read, notice_read, ALICE, 100), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},

    /* marker_set */
    {CALL(marker_set, marker_set, ALICE, "home", 7, 100), .way = "the first", .before = USER_IS_THERE,
     .reply = "ok 1 100", .after = "HGET :markers:$alice home => 7:1:100"},
    {CALL(marker_set, marker_set, ALICE, "home", 5, 200), .way = "another, though it lies before",
     .before = USER_IS_THERE "; HSET :markers:$alice home 7:9:100 notifications 3:1:1", .reply = "ok 10 200",
     .after = "HMGET :markers:$alice home notifications => 5:10:200 3:1:1"},
    {CALL(marker_set, marker_set, ALICE, "home", 7, 200), .way = "the same",
     .before = USER_IS_THERE "; HSET :markers:$alice home 7:9:100", .reply = "ok 9 100"},
    {CALL(marker_set, marker_set, ALICE, "home", 7, 100), .way = "nobody", .reply = "gone"},
    {CALL(marker_set, marker_set, ALICE, "home", 7, 100), .way = "a deleted user", .before = USER_IS_GONE,
     .reply = "gone"},
};

#endif
