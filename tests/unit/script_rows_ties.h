/* script_rows_ties.h - rows (script_case.h) of the scripts by which people keep something about others. */
#ifndef TESTS_SCRIPT_ROWS_TIES_H
#define TESTS_SCRIPT_ROWS_TIES_H

#include "script_rows_requests.h"

CALLER(endorse, endorse)
CALLER(remark_set, remark_set)
CALLER(tie_set, tie_set)
CALLER(unsuggest, unsuggest)

#define UNSUGGEST .uid = ALICE, .other = BOB, .now = 100, .most = 2
#define TIE(b) JOB_OF("follow"), .uid = ALICE, .other = BOB, .boosts = TIE_SET_BOOSTS_##b, .languages = ""
#define SPEAKS(b, l)                                                                                                   \
    JOB_OF("follow"), .uid = ALICE, .other = BOB, .boosts = TIE_SET_BOOSTS_##b, .speaks = true, .languages = (l)
#define FOLLOWS_BOB "ZADD :following:$alice 1 $bob; "
#define BOB_IS_HERE "HSET :user:$bob name bob"
#define MANY_WATCH(sign_) "EVAL for\ti=1,500\tdo\tredis.call('ZADD',KEYS[1]," sign_ "*i,i)end 1 :watchers:$bob"
#define TIES_ARE(value, version) "HGETALL :ties:$alice => $bob " value "; HGETALL :homestate:$alice => ties " version

static const struct row rows_ties[] = {
    {CALL(tie_set, tie_set, TIE(HIDE)), .way = "no boosts", .before = FOLLOWS_BOB, .reply = "ok 0",
     .after = TIES_ARE("r", "1")},
    {CALL(tie_set, tie_set, SPEAKS(HIDE, "en,ro")), .way = "of whom he asks", .before = "ZADD :asked:$alice 1 $bob",
     .reply = "ok 0", .after = TIES_ARE("r:en,ro", "1")},
    {CALL(tie_set, tie_set, SPEAKS(KEEP, "es")), .way = "other languages, the rest as it was",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en; HSET :homestate:$alice ties 4", .reply = "ok 0",
     .after = TIES_ARE("r:es", "5")},
    {CALL(tie_set, tie_set, TIE(SHOW)), .way = "boosts again, the languages as they were",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en", .reply = "ok 0",
     .after = "HSTRLEN :ties:$alice $bob => 3; HGETALL :homestate:$alice => ties 1"},
    {CALL(tie_set, tie_set, SPEAKS(SHOW, "")), .way = "nothing any more",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en", .reply = "ok 0",
     .after = "EXISTS :ties:$alice => 0; HGETALL :homestate:$alice => ties 1"},
    {CALL(tie_set, tie_set, TIE(KEEP)), .way = "as it was", .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en",
     .reply = "ok 0"},
    {CALL(tie_set, tie_set, TIE(HIDE)), .way = "of whom he neither follows nor asks",
     .before = "ZADD :following:$alice 1 $carol", .reply = "gone"},

    {CALL(tie_set, tie_set, TIE(KEEP), .tells = TIE_SET_TELLS_ON), .way = "to be told",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob r:en", .reply = "ok 1",
     .after =
         "HGET :ties:$alice $bob => rt:en; HMGET :job:$job type targets => follow $bob; HGETALL :homestate:$alice => "
         "ties 1"},
    {CALL(tie_set, tie_set, TIE(KEEP), .tells = TIE_SET_TELLS_OFF), .way = "to be told no more",
     .before = FOLLOWS_BOB "HSET :ties:$alice $bob t", .reply = "ok 1",
     .after = "EXISTS :ties:$alice => 0; HGET :job:$job targets => $bob"},
    {CALL(tie_set, tie_set, TIE(KEEP), .tells = TIE_SET_TELLS_ON), .way = "to be told, of whom he has just followed",
     .before = FOLLOWS_BOB FOLLOW_RUNS "HSET :job:$job targets $bob", .reply = "ok 1",
     .after = "HGET :ties:$alice $bob => t; HMGET :job:$job nonce targets type => cafe $bob -"},
    {CALL(tie_set, tie_set, TIE(KEEP), .tells = TIE_SET_TELLS_ON), .way = "to be told, the job is another's",
     .before = FOLLOWS_BOB OTHER_JOB, .reply = "stale"},
    {CALL(tie_set, tie_set, TIE(HIDE), .tells = TIE_SET_TELLS_ON),
     .way = "no boosts, as he is told, the job is another's",
     .before = FOLLOWS_BOB OTHER_JOB "; HSET :ties:$alice $bob t", .reply = "ok 0",
     .after = "HGET :ties:$alice $bob => rt"},

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
