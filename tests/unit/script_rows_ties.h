/* script_rows_ties.h - rows (script_case.h) of the scripts by which people keep something about others. */
#ifndef TESTS_SCRIPT_ROWS_TIES_H
#define TESTS_SCRIPT_ROWS_TIES_H

#include "script_rows_requests.h"

CALLER(endorse, endorse)
CALLER(remark_set, remark_set)
CALLER(tie_set, tie_set)
CALLER(unsuggest, unsuggest)

#define TIE(b) .uid = ALICE, .other = BOB, .boosts = TIE_SET_BOOSTS_##b, .languages = ""
#define SPEAKS(b, l) .uid = ALICE, .other = BOB, .boosts = TIE_SET_BOOSTS_##b, .speaks = true, .languages = (l)
#define UNSUGGEST .uid = ALICE, .other = BOB, .now = 100, .most = 2
#define FOLLOWS_BOB "ZADD :following:$alice 1 $bob; "
#define TIES_ARE(value, version) "HGETALL :ties:$alice => $bob " value "; HGETALL :homestate:$alice => ties " version

static const struct row rows_ties[] = {
    {CALL(tie_set, tie_set, TIE(HIDE)), .way = "no boosts", .before = FOLLOWS_BOB, .reply = "ok",
     .after = TIES_ARE("r", "1")},
    {CALL(tie_set, tie_set, SPEAKS(HIDE, "en,ro")), .way = "of whom he asks", .before = "ZADD :asked:$alice 1 $bob",
     .reply = "ok", .after = TIES_ARE("r:en,ro", "1")},
    {CALL(tie_set, tie_set, SPEAKS(KEEP, "es")), .way = "other languages, the rest as it was",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en; HSET :homestate:$alice ties 4", .reply = "ok",
     .after = TIES_ARE("r:es", "5")},
    {CALL(tie_set, tie_set, TIE(SHOW)), .way = "boosts again, the languages as they were",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en", .reply = "ok",
     .after = "HSTRLEN :ties:$alice $bob => 3; HGETALL :homestate:$alice => ties 1"},
    {CALL(tie_set, tie_set, SPEAKS(SHOW, "")), .way = "nothing any more",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en", .reply = "ok",
     .after = "EXISTS :ties:$alice => 0; HGETALL :homestate:$alice => ties 1"},
    {CALL(tie_set, tie_set, TIE(KEEP)), .way = "as it was", .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en",
     .reply = "ok"},
    {CALL(tie_set, tie_set, TIE(HIDE)), .way = "of whom he neither follows nor asks",
     .before = "ZADD :following:$alice 1 $carol", .reply = "gone"},

    {CALL(endorse, endorse, ALICE, BOB, 100, 2), .way = "one more",
     .before = FOLLOWS_BOB "ZADD :endorsed:$alice 900 $carol", .reply = "ok",
     .after = "ZRANGE :endorsed:$alice 0 -1 WITHSCORES => $carol 900 $bob 901"},
    {CALL(endorse, endorse, ALICE, BOB, 100, 1), .way = "who is there",
     .before = FOLLOWS_BOB "ZADD :endorsed:$alice 9 $bob", .reply = "ok"},
    {CALL(endorse, endorse, ALICE, BOB, 100, 1), .way = "too many",
     .before = FOLLOWS_BOB "ZADD :endorsed:$alice 900 $carol", .reply = "full"},
    {CALL(endorse, endorse, ALICE, BOB, 100, 1), .way = "whom he only asks", .before = "ZADD :asked:$alice 1 $bob",
     .reply = "gone"},

    {CALL(remark_set, remark_set, ALICE, BOB, "tall", 1), .way = "something", .before = USER_IS_THERE, .reply = "ok",
     .after = "HGETALL :remarks:$alice => $bob tall"},
    {CALL(remark_set, remark_set, ALICE, BOB, "tall", 1), .way = "something else",
     .before = USER_IS_THERE "; HSET :remarks:$alice $bob small", .reply = "ok",
     .after = "HGETALL :remarks:$alice => $bob tall"},
    {CALL(remark_set, remark_set, ALICE, BOB, "tall", 1), .way = "about too many",
     .before = USER_IS_THERE "; HSET :remarks:$alice $carol small", .reply = "full"},
    {CALL(remark_set, remark_set, ALICE, BOB, "", 0), .way = "nothing any more",
     .before = "HSET :remarks:$alice $bob small $carol x", .reply = "ok",
     .after = "HGETALL :remarks:$alice => $carol x"},
    {CALL(remark_set, remark_set, ALICE, BOB, "tall", 1), .way = "a deleted user", .before = USER_IS_GONE,
     .reply = "gone"},

    {CALL(unsuggest, unsuggest, UNSUGGEST, OF_LIMIT), .way = "somebody",
     .before = USER_IS_THERE "; ZADD :unsuggested:$alice 900 $carol", .reply = "ok",
     .after = "ZRANGE :unsuggested:$alice 0 -1 WITHSCORES => $carol 900 $bob 901; EXISTS :limit:$alice:n => 1"},
    {CALL(unsuggest, unsuggest, UNSUGGEST, NO_LIMIT), .way = "one too many, of whom the oldest is forgotten",
     .before = USER_IS_THERE "; ZADD :unsuggested:$alice 5 $carol 6 x", .reply = "ok",
     .after = "ZRANGE :unsuggested:$alice 0 -1 WITHSCORES => x 6 $bob 100"},
    {CALL(unsuggest, unsuggest, UNSUGGEST, AT_LIMIT), .way = "one who is there",
     .before = USER_IS_THERE "; ZADD :unsuggested:$alice 5 $bob", .reply = "ok"},
    {CALL(unsuggest, unsuggest, UNSUGGEST, AT_LIMIT), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},
    {CALL(unsuggest, unsuggest, UNSUGGEST, NO_LIMIT), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},

    /* what ends with following */
    {CALL(unfollow, follow, UNFOLLOW, IDS(targets, BOB, CAROL)), .way = "of whom he wanted something",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob; ZADD :endorsed:$alice 5 $bob 6 x; HSET :ties:$alice "
                             "$bob r x r; HSET :homestate:$alice ties 4",
     .reply = "ok [$bob] [] []",
     .after = "ZRANGE :endorsed:$alice 0 -1 => x; HGETALL :ties:$alice => x r; HGET :homestate:$alice ties => 5"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "of whom he wanted something while he asked",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :ties:$alice $bob r", .reply = "ok [$bob] [] []",
     .after = "HGETALL :ties:$alice => $bob r; HEXISTS :homestate:$alice ties => 0"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_GONE, FOLLOW_DONE_BECOMES_SAME})),
     .way = "of whom he wanted something, is gone",
     .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob; ZADD :endorsed:$alice 5 $bob; HSET :ties:$alice $bob r",
     .reply = "ok", .after = "EXISTS :endorsed:$alice :ties:$alice => 0"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, FOLLOW_DONE_BECOMES_ASKS})),
     .way = "whom he recommends, has a lock",
     .before = USER_IS_THERE "; " FOLLOW_RUNS "ZADD :following:$alice 1 $bob; ZADD :endorsed:$alice 5 $bob; HSET "
                             ":ties:$alice $bob r",
     .reply = "again", .after = "EXISTS :endorsed:$alice => 0; HGETALL :ties:$alice => $bob r"},
    {CALL(request_reply, request_reply, REPLY(false)), .way = "rejected by whom he wanted something",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :ties:$alice $bob r", .reply = "ok",
     .after = "EXISTS :ties:$alice => 0"},
    {CALL(request_reply, request_reply, REPLY(true)), .way = "let in by whom he wants something",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :ties:$alice $bob r", .reply = "ok",
     .after = "HGETALL :ties:$alice => $bob r"},
};

#endif
