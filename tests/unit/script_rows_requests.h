/* script_rows_requests.h - rows (script_case.h) of the scripts of locked accounts and of who asks to follow them. */
#ifndef TESTS_SCRIPT_ROWS_REQUESTS_H
#define TESTS_SCRIPT_ROWS_REQUESTS_H

#include "script_rows_people.h"

CALLER(request_reply, request_reply)
CALLER(requests_answer, requests_answer)
CALLER(requests_next, requests_next)
CALLER(user_lock, user_lock)

#define ASK(l)                                                                                                         \
    NO_LIMIT, .uid = ALICE, .on = true, .now = 100, .most = 3, .locked = (l), .languages = "", JOB_OF("follow")
#define TAKE_BACK NO_LIMIT, .uid = ALICE, .now = 100, .locked = "", .languages = "", JOB_OF("follow")
#define BECOMES(b) FOLLOW_DONE_BECOMES_##b
#define ASKS(n) .uid = BOB, .follower = ALICE, .state = FOLLOWER_STATE_ASKS, .now = (n)
#define REPLY(g) .uid = ALICE, .by = BOB, .grants = (g), .now = 100, JOB_OF("follow")
#define ANSWER(g) NO_LIMIT, REPLIES(g)
#define REPLIES(g) .uid = ALICE, .grants = (g), .now = 100, JOB_OF("requests")
#define NEXT(g, u, m) .uid = ALICE, .grants = (g), .upto = (u), .now = 100, .most = (m), JOB_OF("requests")
#define LOCK_CALL(o) .uid = ALICE, .on = (o), JOB_OF("requests")
#define TWO_ASK                                                                                                        \
    "HSET :user:$alice name alice; ZADD :requests:$alice 5 $bob 6 $carol; ZADD :notices:$alice 7 q:$bob 8 q:$carol "   \
    "9 f:1"
#define THREE_ASK TWO_ASK "; ZADD :requests:$alice 7 $list; HSET :job:$job nonce cafe; ZADD :jobs 1 $job"

static const struct row rows_requests[] = {
    /* follow, unfollow */
    {CALL(follow, follow, ASK("1700000000002"), IDS(targets, BOB)), .way = "whose id another's only begins with",
     .before = USER_IS_THERE, .reply = "ok [$bob] [] [] [] []", .after = "ZRANGE :following:$alice 0 -1 => $bob"},
    {CALL(follow, follow, ASK("111411200000131520"), IDS(targets, BOB, CAROL)), .way = "one who wants to be asked",
     .before = USER_IS_THERE "; RPUSH :home:$alice $post", .reply = "ok [$carol] [] [$bob] [] []",
     .after = "ZRANGE :following:$alice 0 -1 => $carol; ZRANGE :asked:$alice 0 -1 WITHSCORES => $bob 101; HGET "
              ":job:$job targets => $carol,$bob; HMGET :homestate:$alice version stamp => 1 cafe"},
    {CALL(follow, follow, ASK("111411200000131520"), IDS(targets, BOB)), .way = "asks alone: the home stays",
     .before = USER_IS_THERE "; RPUSH :home:$alice $post; ZADD :asked:$alice 200 x", .reply = "ok [] [] [$bob] [] []",
     .after = "EXISTS :following:$alice => 0; ZRANGE :asked:$alice 0 -1 WITHSCORES => x 200 $bob 202; HGET :job:$job "
              "targets => $bob; LRANGE :home:$alice 0 -1 => $post; HMGET :homestate:$alice version build => 1 -"},
    {CALL(follow, follow, ASK("111411200000131520"), IDS(targets, BOB)), .way = "asks again",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob", .reply = "ok [] [] [$bob] [] []"},
    {CALL(follow, follow, ASK("111411200000131520"), IDS(targets, BOB)), .way = "asks whom he follows",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob", .reply = "ok [] [] [] [] []"},
    {CALL(follow, follow, ASK("111411200000131520"), IDS(targets, BOB)), .way = "asks who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "ok [] [$bob] [] [] []"},
    {CALL(follow, follow, ASK(""), IDS(targets, BOB)), .way = "whom he asked, and who is open by now",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob", .reply = "ok [$bob] [] [] [] []",
     .after = "ZRANGE :following:$alice 0 -1 => $bob; EXISTS :asked:$alice => 0"},
    {CALL(follow, follow, ASK("111411200000131520"), IDS(targets, BOB)), .way = "asks more than he may",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 x 2 y; ZADD :asked:$alice 3 z", .reply = "full"},
    {CALL(unfollow, follow, TAKE_BACK, IDS(targets, BOB)), .way = "takes back that he asks",
     .before = USER_IS_THERE "; RPUSH :home:$alice $post; ZADD :asked:$alice 1 $bob", .reply = "ok [$bob] [] [] [] []",
     .after = "EXISTS :asked:$alice => 0; HGET :job:$job targets => $bob; HMGET :homestate:$alice version build => 1 "
              "-; LRANGE :home:$alice 0 -1 => $post"},

    /* follow_done */
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ASKS, false, BECOMES(SAME)})),
     .way = "he asks: the home stays",
     .before = FOLLOW_RUNS USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :homestate:$alice stamp s; RPUSH "
                                         ":home:$alice $post",
     .reply = "ok",
     .after = "LRANGE :home:$alice 0 -1 => $post; HMGET :homestate:$alice stamp build version => s - -; EXISTS "
              ":job:$job => 0; ZRANGE :asked:$alice 0 -1 => $bob"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ASKS, false, BECOMES(SAME)})),
     .way = "he follows by now, and asked", .before = FOLLOW_RUNS USER_IS_THERE "; ZADD :following:$alice 1 $bob",
     .reply = "again"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, false, BECOMES(ASKS)})),
     .way = "the other has locked his account",
     .before = FOLLOW_RUNS USER_IS_THERE "; ZADD :following:$alice 1 $bob; HSET :homestate:$alice stamp s; RPUSH "
                                         ":home:$alice $post",
     .reply = "again",
     .after = "EXISTS :following:$alice => 0; ZRANGE :asked:$alice 0 -1 => $bob; LRANGE :home:$alice 0 -1 => 0; HMGET "
              ":homestate:$alice stamp version => cafed 1; EXISTS :job:$job => 1"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ASKS, false, BECOMES(ON)})),
     .way = "the other has opened it",
     .before = FOLLOW_RUNS USER_IS_THERE "; ZADD :asked:$alice 1 $bob; ZADD :following:$alice 9 x; HSET "
                                         ":homestate:$alice stamp s",
     .reply = "again",
     .after = "EXISTS :asked:$alice => 0; ZRANGE :following:$alice 0 -1 WITHSCORES => x 9 $bob 10; HMGET "
              ":homestate:$alice build version => 1 1"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ASKS, false, BECOMES(ON)})),
     .way = "who asked was deleted", .before = FOLLOW_RUNS USER_IS_GONE "; ZADD :asked:$alice 1 $bob", .reply = "ok",
     .after = "ZRANGE :asked:$alice 0 -1 => $bob; EXISTS :following:$alice :job:$job => 0"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_GONE, false, BECOMES(SAME)})),
     .way = "who was asked is gone", .before = FOLLOW_RUNS USER_IS_THERE "; ZADD :asked:$alice 1 $bob", .reply = "ok",
     .after = "EXISTS :asked:$alice :job:$job => 0"},

    /* follower, followers_import */
    {CALL(follower, follower, ASKS(100)), .way = "asks",
     .before = "HSET :user:$bob name bob locked 1; ZADD :requests:$bob 200 $carol", .reply = "ok asks 0",
     .after = "ZRANGE :requests:$bob 0 -1 WITHSCORES => $carol 200 $alice 201; ZRANGE :notices:$bob 0 -1 WITHSCORES "
              "=> q:$alice 201; HEXISTS :homestate:$bob notices => 1; EXISTS :followers:$bob => 0"},
    {CALL(follower, follower, ASKS(100)), .way = "asks, of whom he wants to hear nothing",
     .before = "HSET :user:$bob name bob locked 1; HSET :apart:$bob $alice mn", .reply = "ok asks 0",
     .after = "ZRANGE :requests:$bob 0 -1 => $alice; EXISTS :notices:$bob => 0; HEXISTS :homestate:$bob notices => "
              "1"},
    {CALL(follower, follower, ASKS(100)), .way = "asks who is open by now",
     .before = "HSET :user:$bob name bob; ZADD :requests:$bob 1 $alice; ZADD :notices:$bob 1 q:$alice",
     .reply = "ok on 0",
     .after = "ZRANGE :followers:$bob 0 -1 => $alice; EXISTS :requests:$bob => 0; ZRANGE :notices:$bob 0 -1 => F:0"},
    {CALL(follower, follower, ASKS(100)), .way = "asks who has let him in",
     .before = "HSET :user:$bob name bob locked 1; ZADD :followers:$bob 1 $alice; ZADD :requests:$bob 1 $alice",
     .reply = "ok on 0",
     .after = "ZRANGE :followers:$bob 0 -1 WITHSCORES => $alice 1; EXISTS :requests:$bob :notices:$bob => 0"},
    {CALL(follower, follower, ASKS(100)), .way = "asks who blocks him",
     .before = "HSET :user:$bob name bob locked 1; HSET :apart:$bob $alice b", .reply = "gone"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_ON, false, 100), .way = "follows who has locked his account",
     .before = "HSET :user:$bob name bob locked 1", .reply = "ok asks 0",
     .after = "EXISTS :followers:$bob => 0; ZRANGE :requests:$bob 0 -1 => $alice"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_ON, false, 100), .way = "goes on following who has locked",
     .before = "HSET :user:$bob name bob locked 1; ZADD :followers:$bob 1 $alice", .reply = "ok on 0"},
    {CALL(follower, follower, BOB, ALICE, FOLLOWER_STATE_OFF, false, 100), .way = "asks no more",
     .before = "ZADD :requests:$bob 1 $alice 2 $carol; ZADD :notices:$bob 1 q:$alice 2 q:$carol", .reply = "ok off 0",
     .after = "ZRANGE :requests:$bob 0 -1 => $carol; ZRANGE :notices:$bob 0 -1 => q:$carol; HEXISTS :homestate:$bob "
              "notices => 1"},
    {CALL(followers_import, followers_import, ROW_BUCKET,
          (const struct script_followers_import_row[]){{BOB, ALICE, 100}}, 1),
     .way = "of a locked account", .before = "HSET :user:$bob name bob locked 1", .reply = "gone"},

    /* request_reply */
    {CALL(request_reply, request_reply, REPLY(true)), .way = "let in",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob 2 $carol; ZADD :following:$alice 200 x; RPUSH :home:$alice "
                             "$post",
     .reply = "ok",
     .after = "ZRANGE :asked:$alice 0 -1 => $carol; ZRANGE :following:$alice 0 -1 WITHSCORES => x 200 $bob 201; LRANGE "
              ":home:$alice 0 -1 => 0; HMGET :homestate:$alice version stamp build => 1 cafe 1; HMGET :job:$job type "
              "targets => follow $bob"},
    {CALL(request_reply, request_reply, REPLY(false)), .way = "rejected",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; RPUSH :home:$alice $post", .reply = "ok",
     .after = "EXISTS :asked:$alice :following:$alice => 0; LRANGE :home:$alice 0 -1 => $post; HGET "
              ":homestate:$alice version => 1; HGET :job:$job targets => $bob"},
    {CALL(request_reply, request_reply, REPLY(true)), .way = "let in, having taken it back", .before = USER_IS_THERE,
     .reply = "ok", .after = "EXISTS :following:$alice :homestate:$alice => 0; HGET :job:$job targets => $bob"},
    {CALL(request_reply, request_reply, REPLY(true)), .way = "let in by whom he blocks",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; HSET :apart:$alice $bob b", .reply = "ok",
     .after = "EXISTS :asked:$alice :following:$alice => 0"},
    {CALL(request_reply, request_reply, REPLY(true)), .way = "deleted meanwhile",
     .before = USER_IS_GONE "; ZADD :asked:$alice 1 $bob", .reply = "gone"},
    {CALL(request_reply, request_reply, REPLY(true)), .way = "the job is another's",
     .before = USER_IS_THERE "; ZADD :asked:$alice 1 $bob; " OTHER_JOB, .reply = "stale"},

    /* requests_answer, requests_next */
    {CALL(requests_answer, requests_answer, AT_LIMIT, REPLIES(true), IDS(targets, BOB)), .way = "too often",
     .before = TWO_ASK, .reply = "limited 60000"},
    {CALL(requests_answer, requests_answer, ANSWER(true), IDS(targets, BOB, LIST)), .way = "lets one in",
     .before = TWO_ASK, .reply = "ok [$bob] 1",
     .after =
         "ZRANGE :requests:$alice 0 -1 => $carol; ZRANGE :followers:$alice 0 -1 WITHSCORES => $bob 100; ZRANGE "
         ":notices:$alice 0 -1 => q:$carol f:1 F:0; HMGET :job:$job type targets grants upto => requests $bob 1 ''; "
         "HEXISTS :homestate:$alice notices => 1"},
    {CALL(requests_answer, requests_answer, ANSWER(false), IDS(targets, BOB)), .way = "rejects one", .before = TWO_ASK,
     .reply = "ok [$bob] 1",
     .after = "ZRANGE :requests:$alice 0 -1 => $carol; EXISTS :followers:$alice => 0; HMGET :job:$job targets grants "
              "=> $bob 0"},
    {CALL(requests_answer, requests_answer, ANSWER(true), IDS(targets, LIST)), .way = "lets in who does not ask",
     .before = TWO_ASK, .reply = "ok [] 0"},
    {CALL(requests_answer, requests_answer, ANSWER(true)), .way = "lets all in, in parts", .before = TWO_ASK,
     .reply = "ok [] 2", .after = "ZCARD :requests:$alice => 2; HMGET :job:$job targets grants upto => '' 1 6",
     .again = "ok [] 0"},
    {CALL(requests_answer, requests_answer, ANSWER(true)), .way = "lets in all of nobody", .before = USER_IS_THERE,
     .reply = "ok [] 0"},
    {CALL(requests_answer, requests_answer, ANSWER(true), IDS(targets, BOB)), .way = "nobody answers",
     .before = "ZADD :requests:$alice 1 $bob", .reply = "gone"},
    {CALL(requests_answer, requests_answer, ANSWER(true), IDS(targets, BOB)), .way = "the job is another's",
     .before = TWO_ASK "; " OTHER_JOB, .reply = "stale"},
    {CALL(requests_next, requests_next, NEXT(true, "6", 1)), .way = "takes the next into hand", .before = THREE_ASK,
     .reply = "again [$bob]",
     .after = "ZRANGE :requests:$alice 0 -1 => $carol $list; ZRANGE :followers:$alice 0 -1 => $bob; HMGET :job:$job "
              "targets attempts => $bob 0; ZRANGE :jobs 0 -1 WITHSCORES => $job 500",
     .again = "again [$carol]", .repeats = true},
    {CALL(requests_next, requests_next, NEXT(false, "6", 9)), .way = "rejects no more than those who asked before",
     .before = THREE_ASK, .reply = "again [$bob $carol]",
     .after = "ZRANGE :requests:$alice 0 -1 => $list; EXISTS :followers:$alice => 0", .again = "ok", .repeats = true},
    {CALL(requests_next, requests_next, NEXT(true, "4", 9)), .way = "nobody is left", .before = THREE_ASK,
     .reply = "ok", .after = "ZCARD :requests:$alice => 3; EXISTS :job:$job :jobs => 0"},
    {CALL(requests_next, requests_next, NEXT(true, "", 9)), .way = "only those named", .before = THREE_ASK,
     .reply = "ok", .after = "ZCARD :requests:$alice => 3; EXISTS :job:$job :jobs => 0"},
    {CALL(requests_next, requests_next, NEXT(true, "6", 9)), .way = "who was asked is gone",
     .before = THREE_ASK "; HSET :user:$alice deleted 1", .reply = "ok",
     .after = "EXISTS :job:$job :followers:$alice => 0"},
    {CALL(requests_next, requests_next, NEXT(true, "6", 9)), .way = "somebody else has done it", .before = TWO_ASK,
     .reply = "ok"},

    /* user_lock */
    {CALL(user_lock, user_lock, LOCK_CALL(true)), .way = "locks", .before = TWO_ASK, .reply = "ok 0",
     .after = "HGET :user:$alice locked => 1; EXISTS :job:$job => 0"},
    {CALL(user_lock, user_lock, LOCK_CALL(false)), .way = "opens: who waits is let in",
     .before = TWO_ASK "; HSET :user:$alice locked 1", .reply = "ok 1",
     .after = "HEXISTS :user:$alice locked => 0; HMGET :job:$job type targets grants upto => requests '' 1 6; ZCARD "
              ":requests:$alice => 2"},
    {CALL(user_lock, user_lock, LOCK_CALL(false)), .way = "opens, as nobody waits",
     .before = USER_IS_THERE "; HSET :user:$alice locked 1", .reply = "ok 0",
     .after = "HEXISTS :user:$alice locked => 0; EXISTS :job:$job => 0"},
    {CALL(user_lock, user_lock, LOCK_CALL(true)), .way = "nobody locks", .reply = "gone"},
    {CALL(user_lock, user_lock, LOCK_CALL(true)), .way = "a deleted user locks", .before = USER_IS_GONE,
     .reply = "gone"},
    {CALL(user_lock, user_lock, LOCK_CALL(false)), .way = "the job is another's", .before = TWO_ASK "; " OTHER_JOB,
     .reply = "stale"},
};

#endif
