/* script_rows_apart.h - rows (script_case.h) of the scripts by which people block and mute each other. */
#ifndef TESTS_SCRIPT_ROWS_APART_H
#define TESTS_SCRIPT_ROWS_APART_H

#include "script_rows_people.h"

CALLER(apart_forget, apart_forget)
CALLER(block, block)
CALLER(block_done, block_done)
CALLER(blocked, blocked)
CALLER(mute, mute)
CALLER(unblock, unblock)
CALLER(unmute, unmute)

#define BLOCK(m) NO_LIMIT, BLOCKS(m)
#define BLOCKS(most_) JOB_OF("apart"), .uid = ALICE, .other = BOB, .now = 5000, .most = (most_)
#define UNBLOCK NO_LIMIT, UNBLOCKS
#define UNBLOCKS JOB_OF("apart"), .uid = ALICE, .other = BOB
#define BLOCK_DONE(s) JOB_OF("apart"), .uid = ALICE, .other = BOB, .side = BLOCK_DONE_SIDE_##s
#define BLOCKED .uid = BOB, .by = ALICE, .on = true, .stamp = "t"
#define BLOCKED_NO_MORE .uid = BOB, .by = ALICE, .on = false, .stamp = "t"
#define UNMUTE .uid = ALICE, .other = BOB
#define MUTE(m) NO_LIMIT, MUTES(m)
#define MUTES(most_) .uid = ALICE, .other = BOB, .now = 5000, .most = (most_)
#define BOB_IS_THERE "HSET :user:$bob name bob"

static const struct row rows_apart[] = {
    /* block */
    {CALL(block, block, BLOCK(2)), .way = "who follows and is followed",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob 2 $carol; ZADD :followers:$alice 3 $bob 4 $carol; ZADD "
                             ":notices:$alice 4 F:0; RPUSH :home:$alice $post; HSET :homestate:$alice stamp s version "
                             "8 apart 5",
     .reply = "ok 1",
     .after = "HGETALL :apart:$alice => $bob b; ZRANGE :following:$alice 0 -1 => $carol; ZRANGE :followers:$alice 0 -1 "
              "=> $carol; ZRANGE :notices:$alice 0 -1 => F:0; LRANGE :home:$alice 0 -1 => 0; HMGET :homestate:$alice "
              "version apart stamp build => 9 6 cafe 1; HMGET :job:$job nonce cursor type uid targets => cafe 0 apart "
              "$alice $bob; ZRANGE :jobs 0 -1 WITHSCORES => $job 500"},
    {CALL(block, block, BLOCK(2)), .way = "a stranger", .before = USER_IS_THERE "; RPUSH :home:$alice $post",
     .reply = "ok 1",
     .after = "HGETALL :apart:$alice => $bob b; HGETALL :homestate:$alice => apart 1; LRANGE :home:$alice 0 -1 => "
              "$post; HGET :job:$job targets => $bob"},
    {CALL(block, block, BLOCK(2)), .way = "of whom alone was told that day",
     .before = USER_IS_THERE "; ZADD :followers:$alice 86399999999 x 86400000000 $bob 172800000000 y; ZADD "
                             ":notices:$alice 5 F:0 6 F:1 7 F:2",
     .reply = "ok 1", .after = "ZRANGE :notices:$alice 0 -1 => F:0 F:2; HEXISTS :homestate:$alice notices => 1"},
    {CALL(block, block, BLOCK(0)), .way = "whom he mutes, and who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob Bmn:9", .reply = "ok 1",
     .after = "HGETALL :apart:$alice => $bob bBmn:9"},
    {CALL(block, block, BLOCK(9)), .way = "whom he blocks", .before = USER_IS_THERE "; HSET :apart:$alice $bob b",
     .reply = "ok 0"},
    {CALL(block, block, BLOCK(2)), .way = "no room", .before = USER_IS_THERE "; HSET :apart:$alice x b y m z B",
     .reply = "full"},
    {CALL(block, block, BLOCK(2)), .way = "room, as others have put the rest there",
     .before = USER_IS_THERE "; HSET :apart:$alice x b y B z B", .reply = "ok 1",
     .after = "HGET :apart:$alice $bob => b"},
    {CALL(block, block, BLOCK(2)), .way = "room, as mutes have ended",
     .before = USER_IS_THERE "; HSET :apart:$alice x b y mn:5000 z Bm:4999", .reply = "ok 1",
     .after = "HMGET :apart:$alice x y z $bob => b - B b; HGET :homestate:$alice apart => 1"},
    {CALL(block, block, BLOCK(2)), .way = "no room, though a mute has ended",
     .before = USER_IS_THERE "; HSET :apart:$alice x b y m:5001 z m:5000", .reply = "full",
     .after = "HMGET :apart:$alice x y z $bob => b m:5001 - -"},
    {CALL(block, block, BLOCK(2)), .way = "nobody blocks", .reply = "gone"},
    {CALL(block, block, BLOCK(2)), .way = "a deleted user blocks", .before = USER_IS_GONE, .reply = "gone"},
    {CALL(block, block, BLOCK(2)), .way = "the job is another's", .before = USER_IS_THERE "; " OTHER_JOB,
     .reply = "stale"},

    {CALL(block, block, OF_LIMIT, BLOCKS(2)), .way = "counted", .before = USER_IS_THERE, .reply = "ok 1",
     .after = "HGET :apart:$alice $bob => b; EXISTS :limit:$alice:n => 1"},
    {CALL(block, block, AT_LIMIT, BLOCKS(2)), .way = "too often", .before = USER_IS_THERE, .reply = "limited 60000"},

    /* unblock */
    {CALL(unblock, unblock, AT_LIMIT, UNBLOCKS), .way = "too often", .before = "HSET :apart:$alice $bob b",
     .reply = "limited 60000"},
    {CALL(unblock, unblock, UNBLOCK), .way = "whom he blocks",
     .before = "HSET :apart:$alice $bob b; HSET :homestate:$alice apart 5", .reply = "ok 1",
     .after = "EXISTS :apart:$alice => 0; HGETALL :homestate:$alice => apart 6; HMGET :job:$job nonce cursor type uid "
              "targets => cafe 0 apart $alice $bob; ZRANGE :jobs 0 -1 WITHSCORES => $job 500"},
    {CALL(unblock, unblock, UNBLOCK), .way = "whom he mutes too, and who blocks him",
     .before = "HSET :apart:$alice $bob bBmn:9", .reply = "ok 1",
     .after = "HGETALL :apart:$alice => $bob Bmn:9; EXISTS :homestate:$alice => 0"},
    {CALL(unblock, unblock, UNBLOCK), .way = "whom he does not", .before = "HSET :apart:$alice $bob Bm",
     .reply = "ok 0"},
    {CALL(unblock, unblock, UNBLOCK), .way = "the job is another's", .before = "HSET :apart:$alice $bob b; " OTHER_JOB,
     .reply = "stale"},

    /* block_done */
    {CALL(block_done, block_done, BLOCK_DONE(ON)), .way = "he blocks",
     .before = FOLLOW_RUNS "HSET :apart:$alice $bob b; HSET :homestate:$alice stamp s; RPUSH :home:$alice $post",
     .reply = "ok",
     .after = "LRANGE :home:$alice 0 -1 => 0; HMGET :homestate:$alice stamp build apart => cafed 1 -; EXISTS :job:$job "
              ":jobs => 0; HGET :apart:$alice $bob => b"},
    {CALL(block_done, block_done, BLOCK_DONE(ON)), .way = "he blocks, and was deleted",
     .before = FOLLOW_RUNS "HSET :apart:$alice $bob b", .reply = "ok",
     .after = "EXISTS :homestate:$alice :home:$alice :job:$job :jobs => 0"},
    {CALL(block_done, block_done, BLOCK_DONE(OFF)), .way = "he does not block",
     .before = FOLLOW_RUNS "HSET :apart:$alice $bob Bm; HSET :homestate:$alice stamp s; RPUSH :home:$alice $post",
     .reply = "ok",
     .after = "LRANGE :home:$alice 0 -1 => $post; HGETALL :homestate:$alice => stamp s; EXISTS :job:$job :jobs => 0"},
    {CALL(block_done, block_done, BLOCK_DONE(GONE)), .way = "the other was deleted",
     .before = FOLLOW_RUNS "HSET :apart:$alice $bob b; HSET :homestate:$alice stamp s; RPUSH :home:$alice $post",
     .reply = "ok",
     .after = "EXISTS :apart:$alice :job:$job :jobs => 0; HMGET :homestate:$alice stamp apart => s 1; LRANGE "
              ":home:$alice 0 -1 => $post"},
    {CALL(block_done, block_done, BLOCK_DONE(GONE)), .way = "the other was deleted, and he blocks him no more",
     .before = FOLLOW_RUNS "HSET :apart:$alice $bob m; HSET :homestate:$alice apart 5", .reply = "ok",
     .after = "HGETALL :apart:$alice => $bob m; HGET :homestate:$alice apart => 5; EXISTS :job:$job => 0"},
    {CALL(block_done, block_done, BLOCK_DONE(ON)), .way = "he does not block by now",
     .before = FOLLOW_RUNS "HSET :apart:$alice $bob B; HSET :homestate:$alice stamp s", .reply = "again"},
    {CALL(block_done, block_done, BLOCK_DONE(OFF)), .way = "he blocks by now",
     .before = FOLLOW_RUNS "HSET :apart:$alice $bob b", .reply = "again"},

    /* blocked */
    {CALL(blocked, blocked, BLOCKED), .way = "by whom he follows, and who follows him",
     .before = BOB_IS_THERE "; ZADD :following:$bob 1 $alice 2 $carol; ZADD :followers:$bob 3 $alice 86400000000 "
                            "$carol; ZADD :notices:$bob 3 F:0 4 F:1; RPUSH :home:$bob $post; HSET :homestate:$bob "
                            "stamp s",
     .reply = "ok",
     .after = "HGETALL :apart:$bob => $alice B; ZRANGE :following:$bob 0 -1 => $carol; ZRANGE :followers:$bob 0 -1 => "
              "$carol; ZRANGE :notices:$bob 0 -1 => F:1; LRANGE :home:$bob 0 -1 => 0; HMGET :homestate:$bob version "
              "apart stamp build => 1 1 t 1"},
    {CALL(blocked, blocked, BLOCKED), .way = "by whom he blocks and mutes",
     .before = BOB_IS_THERE "; HSET :apart:$bob $alice bm:9", .reply = "ok",
     .after = "HGETALL :apart:$bob => $alice bBm:9; HGETALL :homestate:$bob => apart 1"},
    {CALL(blocked, blocked, BLOCKED), .way = "once more, and follows again",
     .before = BOB_IS_THERE "; HSET :apart:$bob $alice B; ZADD :following:$bob 1 $alice", .reply = "ok",
     .after = "EXISTS :following:$bob => 0; HMGET :homestate:$bob version apart => 1 -"},
    {CALL(blocked, blocked, BLOCKED_NO_MORE), .way = "no more",
     .before = "HSET :apart:$bob $alice bBm:9; HSET :homestate:$bob apart 5", .reply = "ok",
     .after = "HGETALL :apart:$bob => $alice bm:9; HGETALL :homestate:$bob => apart 6"},
    {CALL(blocked, blocked, BLOCKED_NO_MORE), .way = "no more, and deleted", .before = "HSET :apart:$bob $alice B",
     .reply = "ok", .after = "EXISTS :apart:$bob :homestate:$bob => 0"},
    {CALL(blocked, blocked, BLOCKED_NO_MORE), .way = "no more, who was not",
     .before = "HSET :apart:$bob $alice bm; HSET :homestate:$bob apart 5", .reply = "ok"},
    {CALL(blocked, blocked, BLOCKED), .way = "nobody", .reply = "gone"},
    {CALL(blocked, blocked, BLOCKED), .way = "a deleted user", .before = BOB_IS_THERE " deleted 1", .reply = "gone"},

    /* mute, unmute, apart_forget */
    {CALL(mute, mute, AT_LIMIT, MUTES(2)), .way = "too often", .before = USER_IS_THERE, .reply = "limited 60000"},
    {CALL(unmute, unmute, AT_LIMIT, UNMUTE), .way = "too often", .before = "HSET :apart:$alice $bob m",
     .reply = "limited 60000"},
    {CALL(mute, mute, MUTE(2)), .way = "for ever", .before = USER_IS_THERE, .reply = "ok",
     .after = "HGETALL :apart:$alice => $bob m; HGETALL :homestate:$alice => apart 1", .repeats = true},
    {CALL(mute, mute, MUTE(2), .notifications = true, .ends = 9000), .way = "for a while, and his notifications",
     .before = USER_IS_THERE, .reply = "ok", .after = "HGET :apart:$alice $bob => mn:9000", .repeats = true},
    {CALL(mute, mute, MUTE(0), .ends = 9000), .way = "otherwise than before",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob bBmn:4000", .reply = "ok",
     .after = "HGET :apart:$alice $bob => bBm:9000", .repeats = true},
    {CALL(mute, mute, MUTE(0), .notifications = true), .way = "for ever from now on",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob m:4000", .reply = "ok",
     .after = "HGET :apart:$alice $bob => mn", .repeats = true},
    {CALL(mute, mute, MUTE(0)), .way = "whom he blocks", .before = USER_IS_THERE "; HSET :apart:$alice $bob b",
     .reply = "ok", .after = "HGET :apart:$alice $bob => bm", .repeats = true},
    {CALL(mute, mute, MUTE(1)), .way = "no room for who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B x b", .reply = "full"},
    {CALL(mute, mute, MUTE(1)), .way = "room, as a mute has ended",
     .before = USER_IS_THERE "; HSET :apart:$alice x m:5000", .reply = "ok", .after = "HGETALL :apart:$alice => $bob m",
     .repeats = true},
    {CALL(mute, mute, MUTE(2)), .way = "nobody mutes", .reply = "gone"},
    {CALL(mute, mute, MUTE(2)), .way = "a deleted user mutes", .before = USER_IS_GONE, .reply = "gone"},
    {CALL(unmute, unmute, NO_LIMIT, UNMUTE), .way = "whom he mutes",
     .before = "HSET :apart:$alice $bob m:9; HSET :homestate:$alice apart 5", .reply = "ok 1", .again = "ok 0",
     .after = "EXISTS :apart:$alice => 0; HGET :homestate:$alice apart => 6"},
    {CALL(unmute, unmute, NO_LIMIT, UNMUTE), .way = "whom he blocks too, and who blocks him",
     .before = "HSET :apart:$alice $bob bBmn:9", .reply = "ok 1", .again = "ok 0",
     .after = "HGETALL :apart:$alice => $bob bB; EXISTS :homestate:$alice => 0"},
    {CALL(unmute, unmute, NO_LIMIT, UNMUTE), .way = "whom he does not", .before = "HSET :apart:$alice $bob bB",
     .reply = "ok 0"},
    {CALL(apart_forget, apart_forget, ALICE, BOB), .way = "who stood apart",
     .before = "HSET :apart:$alice $bob bBmn:9 x B; HSET :homestate:$alice apart 5", .reply = "ok",
     .after = "HGETALL :apart:$alice => x B; HGET :homestate:$alice apart => 6"},
    {CALL(apart_forget, apart_forget, ALICE, BOB), .way = "for one who was deleted himself",
     .before = "HSET :apart:$alice $bob B", .reply = "ok", .after = "EXISTS :apart:$alice :homestate:$alice => 0"},
    {CALL(apart_forget, apart_forget, ALICE, BOB), .way = "who did not",
     .before = "HSET :apart:$alice x B; HSET :homestate:$alice apart 5", .reply = "ok"},
};

#endif
