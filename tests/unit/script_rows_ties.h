/* script_rows_ties.h - rows (script_case.h) of the scripts by which people keep something about others. */
#ifndef TESTS_SCRIPT_ROWS_TIES_H
#define TESTS_SCRIPT_ROWS_TIES_H

#include "script_rows_requests.h"

CALLER(endorse, endorse)
CALLER(remark_set, remark_set)
CALLER(unendorse, unendorse)
CALLER(unsuggest, unsuggest)

#define UNSUGGEST .uid = ALICE, .other = BOB, .now = 100, .most = 2
#define ENDORSE(m) .uid = ALICE, .other = BOB, .now = 100, .most = (m)
#define REMARK(t, m) .uid = ALICE, .other = BOB, .text = (t), .most = (m)
#define TIE(b) NO_LIMIT, TIES(b)
#define TIES(b) WANTS(b), .locked = "", .languages = ""
#define SPEAKS(b, l) NO_LIMIT, WANTS(b), .locked = "", .speaks = true, .languages = (l)
#define SPEAKS_ASKING(b, l) NO_LIMIT, WANTS(b), .locked = "111411200000131520", .speaks = true, .languages = (l)
#define WANTS(b)                                                                                                       \
    JOB_OF("follow"), .uid = ALICE, .on = true, .now = 100, .most = 3, .boosts = FOLLOW_BOOSTS_##b, IDS(targets, BOB)
#define FOLLOWS_BOB USER_IS_THERE "; ZADD :following:$alice 1 $bob"
#define BOB_IS_HERE "HSET :user:$bob name bob"
#define MANY_WATCH(sign_) "EVAL for\ti=1,500\tdo\tredis.call('ZADD',KEYS[1]," sign_ "*i,i)end 1 :watchers:$bob"
#define TIES_ARE(value, version) "HGETALL :ties:$alice => $bob " value "; HGETALL :homestate:$alice => ties " version

static const struct row rows_ties[] = {
    /* follow: what is wanted of somebody */
    {CALL(follow, follow, TIE(HIDE)), .way = "no boosts", .before = FOLLOWS_BOB, .reply = "ok [] [] [] [] []",
     .after = TIES_ARE("r", "1")},
    {CALL(follow, follow, AT_LIMIT, TIES(HIDE)), .way = "no boosts, too often", .before = FOLLOWS_BOB,
     .reply = "limited 60000"},
    {CALL(follow, follow, TIE(HIDE), .tells = FOLLOW_TELLS_ON), .way = "somebody new, and no boosts of his, but told",
     .before = USER_IS_THERE, .reply = "ok [$bob] [] [] [] [$bob]",
     .after = TIES_ARE("rt", "1 version 1 stamp cafe build 1") "; HGET :job:$job targets => $bob",
     .again = "ok [$bob] [] [] [] [$bob]"},
    {CALL(follow, follow, SPEAKS_ASKING(HIDE, "en,ro")), .way = "of whom he asks",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob", .reply = "ok [] [] [$bob] [] []",
     .after = TIES_ARE("r:en,ro", "1")},
    {CALL(follow, follow, SPEAKS(KEEP, "es")), .way = "other languages, the rest as it was",
     .before = FOLLOWS_BOB "; HSET :ties:$alice $bob r:en; HSET :homestate:$alice ties 4", .reply = "ok [] [] [] [] []",
     .after = TIES_ARE("r:es", "5")},
    {CALL(follow, follow, TIE(SHOW)), .way = "boosts again, the languages as they were",
     .before = FOLLOWS_BOB "; HSET :ties:$alice $bob r:en", .reply = "ok [] [] [] [] []",
     .after = "HSTRLEN :ties:$alice $bob => 3; HGETALL :homestate:$alice => ties 1"},
    {CALL(follow, follow, SPEAKS(SHOW, "")), .way = "nothing any more",
     .before = FOLLOWS_BOB "; HSET :ties:$alice $bob r:en", .reply = "ok [] [] [] [] []",
     .after = "EXISTS :ties:$alice => 0; HGETALL :homestate:$alice => ties 1"},
    {CALL(follow, follow, TIE(KEEP)), .way = "as it was", .before = FOLLOWS_BOB "; HSET :ties:$alice $bob r:en",
     .reply = "ok [] [] [] [] []"},
    {CALL(follow, follow, TIE(HIDE), .tells = FOLLOW_TELLS_ON), .way = "something of whom a block stands between",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "ok [] [$bob] [] [] []"},

    {CALL(follow, follow, TIE(KEEP), .tells = FOLLOW_TELLS_ON), .way = "to be told",
     .before = FOLLOWS_BOB "; HSET :ties:$alice $bob r:en", .reply = "ok [] [] [] [$bob] [$bob]",
     .after =
         "HGET :ties:$alice $bob => rt:en; HMGET :job:$job type targets => follow $bob; HGETALL :homestate:$alice => "
         "ties 1",
     .again = "ok [$bob] [] [] [] [$bob]"},
    {CALL(follow, follow, TIE(KEEP), .tells = FOLLOW_TELLS_OFF), .way = "to be told no more",
     .before = FOLLOWS_BOB "; HSET :ties:$alice $bob t", .reply = "ok [] [] [] [$bob] []",
     .after = "EXISTS :ties:$alice => 0; HGET :job:$job targets => $bob", .again = "ok [$bob] [] [] [] []"},
    {CALL(follow, follow, TIE(KEEP), .tells = FOLLOW_TELLS_ON), .way = "to be told, the job is another's",
     .before = FOLLOWS_BOB "; " OTHER_JOB, .reply = "stale"},
    {CALL(follow, follow, TIE(HIDE), .tells = FOLLOW_TELLS_ON), .way = "no boosts, as he is told, the job is another's",
     .before = FOLLOWS_BOB "; " OTHER_JOB "; HSET :ties:$alice $bob t", .reply = "ok [] [] [] [] [$bob]",
     .after = "HGET :ties:$alice $bob => rt"},

    {CALL(endorse, endorse, NO_LIMIT, ENDORSE(2)), .way = "one more",
     .before = FOLLOWS_BOB "; ZADD :endorsed:$alice 900 $carol", .reply = "ok",
     .after = "ZRANGE :endorsed:$alice 0 -1 WITHSCORES => $carol 900 $bob 901"},
    {CALL(endorse, endorse, NO_LIMIT, ENDORSE(1)), .way = "who is there",
     .before = FOLLOWS_BOB "; ZADD :endorsed:$alice 9 $bob", .reply = "ok"},
    {CALL(endorse, endorse, NO_LIMIT, ENDORSE(1)), .way = "too many",
     .before = FOLLOWS_BOB "; ZADD :endorsed:$alice 900 $carol", .reply = "full"},
    {CALL(endorse, endorse, NO_LIMIT, ENDORSE(1)), .way = "whom he only asks", .before = "ZADD :asked:$alice 1 $bob",
     .reply = "gone"},

    {CALL(endorse, endorse, AT_LIMIT, ENDORSE(2)), .way = "too often", .before = FOLLOWS_BOB, .reply = "limited 60000"},
    {CALL(unendorse, unendorse, NO_LIMIT, .uid = ALICE, .other = BOB), .way = "one of two",
     .before = "ZADD :endorsed:$alice 8 $bob 9 $carol", .reply = "ok",
     .after = "ZRANGE :endorsed:$alice 0 -1 => $carol"},
    {CALL(unendorse, unendorse, AT_LIMIT, .uid = ALICE, .other = BOB), .way = "too often",
     .before = "ZADD :endorsed:$alice 8 $bob", .reply = "limited 60000"},

    {CALL(remark_set, remark_set, AT_LIMIT, REMARK("tall", 1)), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},
    {CALL(remark_set, remark_set, NO_LIMIT, REMARK("tall", 1)), .way = "something", .before = USER_IS_THERE,
     .reply = "ok", .after = "HGETALL :remarks:$alice => $bob tall"},
    {CALL(remark_set, remark_set, NO_LIMIT, REMARK("tall", 1)), .way = "something else",
     .before = USER_IS_THERE "; HSET :remarks:$alice $bob small", .reply = "ok",
     .after = "HGETALL :remarks:$alice => $bob tall"},
    {CALL(remark_set, remark_set, NO_LIMIT, REMARK("tall", 1)), .way = "about too many",
     .before = USER_IS_THERE "; HSET :remarks:$alice $carol small", .reply = "full"},
    {CALL(remark_set, remark_set, NO_LIMIT, REMARK("", 0)), .way = "nothing any more",
     .before = "HSET :remarks:$alice $bob small $carol x", .reply = "ok",
     .after = "HGETALL :remarks:$alice => $carol x"},
    {CALL(remark_set, remark_set, NO_LIMIT, REMARK("tall", 1)), .way = "a deleted user", .before = USER_IS_GONE,
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
     .reply = "ok [$bob] [] [] [] []",
     .after = "ZRANGE :endorsed:$alice 0 -1 => x; HGETALL :ties:$alice => x r; HGET :homestate:$alice ties => 5"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "of whom he wanted something while he asked",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :ties:$alice $bob r", .reply = "ok [$bob] [] [] [] []",
     .after = "HGETALL :ties:$alice => $bob r; HEXISTS :homestate:$alice ties => 0"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_GONE, false, FOLLOW_DONE_BECOMES_SAME})),
     .way = "of whom he wanted something, is gone",
     .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob; ZADD :endorsed:$alice 5 $bob; HSET :ties:$alice $bob r",
     .reply = "ok", .after = "EXISTS :endorsed:$alice :ties:$alice => 0"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, false, FOLLOW_DONE_BECOMES_ASKS})),
     .way = "whom he recommends, has a lock",
     .before = USER_IS_THERE "; " FOLLOW_RUNS "ZADD :following:$alice 1 $bob; ZADD :endorsed:$alice 5 $bob; HSET "
                             ":ties:$alice $bob r",
     .reply = "again", .after = "EXISTS :endorsed:$alice => 0; HGETALL :ties:$alice => $bob r"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, true, FOLLOW_DONE_BECOMES_SAME})),
     .way = "wants to be told", .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob; HSET :ties:$alice $bob rt:en",
     .reply = "ok", .after = "EXISTS :job:$job => 0"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, true, FOLLOW_DONE_BECOMES_SAME})),
     .way = "does not want to be told by now",
     .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob; HSET :ties:$alice $bob r:tt", .reply = "again"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, false, FOLLOW_DONE_BECOMES_SAME})),
     .way = "wants to be told by now", .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob; HSET :ties:$alice $bob t",
     .reply = "again"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, true, FOLLOW_DONE_BECOMES_UNTOLD})),
     .way = "there is no room to tell him",
     .before = USER_IS_THERE "; " FOLLOW_RUNS "ZADD :following:$alice 1 $bob; HSET :ties:$alice $bob rt:en; HSET "
                             ":homestate:$alice ties 4",
     .reply = "again",
     .after =
         "HGET :ties:$alice $bob => r:en; HGET :homestate:$alice ties => 5; ZRANGE :following:$alice 0 -1 => $bob"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_ON, true, 100), .way = "follows, and wants to be told",
     .before = BOB_IS_HERE, .reply = "ok on 0", .after = "ZRANGE :watchers:$bob 0 -1 WITHSCORES => $alice 100"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_ON, true, 100), .way = "wants to be told again",
     .before = BOB_IS_HERE "; ZADD :followers:$bob 1 $alice; ZADD :watchers:$bob -50 $alice", .reply = "ok on 0",
     .after = "ZSCORE :watchers:$bob $alice => 100"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_ON, false, 100), .way = "wants to be told no more",
     .before = BOB_IS_HERE "; ZADD :followers:$bob 1 $alice; ZADD :watchers:$bob 50 $alice 60 $carol",
     .reply = "ok on 0", .after = "ZRANGE :watchers:$bob 0 -1 WITHSCORES => $alice -50 $carol 60"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_OFF, false, 100), .way = "lets go, who was told",
     .before = "ZADD :followers:$bob 1 $alice; ZADD :watchers:$bob 50 $alice", .reply = "ok off 0",
     .after = "ZSCORE :watchers:$bob $alice => -50"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_ON, true, 100), .way = "wants to be told, as too many do",
     .before = BOB_IS_HERE "; ZADD :followers:$bob 1 $alice; " MANY_WATCH("1"), .reply = "ok on 1",
     .after = "ZSCORE :watchers:$bob $alice => -"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_OFF, false, 100), .way = "lets go, as too many did",
     .before = "ZADD :followers:$bob 1 $alice; ZADD :watchers:$bob 900 $alice; " MANY_WATCH("-1"), .reply = "ok off 0",
     .after = "ZSCORE :watchers:$bob $alice => -900; ZCARD :watchers:$bob => 500; ZSCORE :watchers:$bob 1 => -"},
    {CALL(request_reply, request_reply, REPLY(false)), .way = "rejected by whom he wanted something",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :ties:$alice $bob r", .reply = "ok",
     .after = "EXISTS :ties:$alice => 0"},
    {CALL(request_reply, request_reply, REPLY(true)), .way = "let in by whom he wants something",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :ties:$alice $bob r", .reply = "ok",
     .after = "HGETALL :ties:$alice => $bob r"},
};

#endif
