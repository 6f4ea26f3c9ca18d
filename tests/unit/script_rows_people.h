/* script_rows_people.h - rows (script_case.h) of the scripts of users, sessions, invitations, relations and lists of
 * people. */
#ifndef TESTS_SCRIPT_ROWS_PEOPLE_H
#define TESTS_SCRIPT_ROWS_PEOPLE_H

#include "script_case.h"

CALLER(follow, follow)
CALLER(unfollow, follow)
CALLER(follow_done, follow_done)
CALLER(follower, follower)
CALLER(followers_import, followers_import)
CALLER(invite_use, invite_use)
CALLER(list_add, list_add)
CALLER(list_all, list_all)
CALLER(list_create, list_create)
CALLER(list_delete, list_delete)
CALLER(list_remove, list_remove)
CALLER(list_exclusive, list_exclusive)
CALLER(list_rename, list_rename)
CALLER(list_set, list_set)
CALLER(own_posts, own_posts)
CALLER(session_create, session_create)
CALLER(session_end, session_end)
CALLER(user_create, user_create)
CALLER(user_delete, user_delete)
CALLER(user_find, user_find)
CALLER(user_read, user_read)
CALLER(user_set, user_set)

/* an entry has a blank, which no word can have here: Lua's \\32 */
#define BOOST_OF(of_, id_) "EVAL redis.call('ZADD',KEYS[1],0,KEYS[2]..'\\32'..KEYS[3]) 3 :boosted:$alice " of_ " " id_
#define CHANGED "HEXISTS :homestate:$alice notices => 1" /* of his notices */
#define USER_IS_THERE "HSET :user:$alice name alice password old"
#define USER_IS_GONE "HSET :user:$alice name alice deleted 1"
#define ALICE_SHOWN "[alice -*]" /* USER_SHOWN of record.h */
#define DOQ_SHOWN "[doq d -*]"
#define OTHER_JOB "HSET :job:$job nonce beef"
#define LIST_IS_THERE "HSET :list:$list owner $alice title Chess; ZADD :lists:$alice 0 $list"
#define LIST_IS_EXCLUSIVE "HSET :list:$list owner $alice title Chess exclusive 1; ZADD :lists:$alice 0 $list"
#define LISTS_ARE_THERE LIST_IS_THERE " 0 $otherlist; HSET :list:$otherlist owner $alice title Go"

#define JOB_OF(t) .job = {.id = JOB, .lease = 500, .nonce = 0xcafe, .type = (t), .uid = ALICE}
#define NO_LIMIT .limit = {.uid = ALICE, .name = "n", .cost = 0, .seconds = 60, .count = 9}
#define AT_LIMIT .limit = {.uid = ALICE, .name = "n", .cost = 1, .seconds = 60, .count = 0}
#define OF_LIMIT .limit = {.uid = ALICE, .name = "n", .cost = 1, .seconds = 60, .count = 9}

#define FOLLOW NO_LIMIT, FOLLOWS
#define FOLLOWS .uid = ALICE, .on = true, .now = 100, .most = 3, .locked = "", .languages = "", JOB_OF("follow")
#define UNFOLLOW NO_LIMIT, UNFOLLOWS
#define UNFOLLOWS .uid = ALICE, .on = false, .now = 100, .locked = "", .languages = "", JOB_OF("follow")
#define LIST_ADD(o) .id = LIST, .owner = (o), .now = 100, .most = 3
#define FOLLOW_IS_DONE(...)                                                                                            \
    .uid = ALICE, JOB_OF("follow"), .relations = (const struct script_follow_done_row[]){__VA_ARGS__},                 \
    .relations_count =                                                                                                 \
        sizeof((const struct script_follow_done_row[]){__VA_ARGS__}) / sizeof(struct script_follow_done_row)
#define FOLLOW_RUNS "HSET :job:$job nonce cafe; ZADD :jobs 500 $job; "
#define SESSION(...)                                                                                                   \
    .uid = ALICE, .hash = "h", .now = 3000, .most = 2, .ttl = 1000000, .agent = "Browser", .address = "10.0.0.1",      \
    __VA_ARGS__
#define SESSIONS "HSET :session:$alice:h agent a; HSET :session:$alice:i agent b; ZADD :sessions:$alice 1000 h 2000 i"
#define SIGN_UP                                                                                                        \
    .folded = "doq", .uid = ALICE, .password = "hash", JOB_OF("newest"), .record = &(const struct record_user)         \
    {                                                                                                                  \
        .name = "Doq"                                                                                                  \
    }
#define DOQ                                                                                                            \
    "SET :name:doq $alice; HSET :user:$alice name doq display d password old; ZADD :posts:$alice 0 $older 0 $post; "   \
    "ZADD :following:$alice 1 x 2 y 3 z; ZADD :followers:$alice 4 v"

/* the newer of his posts answers one of this author */
#define ANSWERS(author_) "HSET :post:$post author $alice reply_to $newer reply_author " author_

static const struct row rows_people[] = {
    /* follow, unfollow */
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "somebody new",
     .before = USER_IS_THERE "; RPUSH :home:$alice $post; PEXPIRE :home:$alice 1000000",
     .reply = "ok [$bob] [] [] [] []",
     .after = "ZRANGE :following:$alice 0 -1 WITHSCORES => $bob 101; LRANGE :home:$alice 0 -1 => 0; PTTL "
              ":home:$alice => ~1000000; HMGET :job:$job nonce cursor type uid targets => cafe 0 follow $alice $bob; "
              "ZRANGE :jobs 0 -1 WITHSCORES => $job 500; HMGET :homestate:$alice version stamp build => 1 cafe 1"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB, CAROL)), .way = "only those who are new, later than all before",
     .before = USER_IS_THERE "; ZADD :following:$alice 900 $bob", .reply = "ok [$carol] [] [] [] []",
     .after = "ZRANGE :following:$alice 0 -1 WITHSCORES => $bob 900 $carol 902; HGET :job:$job targets => $carol; "
              "EXISTS :home:$alice => 0"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "whom he follows",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob", .reply = "ok [] [] [] [] []"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB, LIST, CAROL)),
     .way = "one of them, as blocks stand between the others",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B $carol b $list mn",
     .reply = "ok [$list] [$bob $carol] [] [] []",
     .after = "ZRANGE :following:$alice 0 -1 => $list; HGET :job:$job targets => $list"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "none, as a block stands between them",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob b", .reply = "ok [] [$bob] [] [] []"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB, CAROL)), .way = "more than he may",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 x 2 y", .reply = "full"},
    {CALL(follow, follow, OF_LIMIT, FOLLOWS, IDS(targets, BOB)), .way = "counted", .before = USER_IS_THERE,
     .reply = "ok [$bob] [] [] [] []", .after = "EXISTS :following:$alice :limit:$alice:n => 2"},
    {CALL(follow, follow, OF_LIMIT, FOLLOWS, IDS(targets, BOB)), .way = "whom he follows, counted all the same",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob", .reply = "ok [] [] [] [] []",
     .after = "EXISTS :limit:$alice:n => 1", .repeats = true},
    {CALL(follow, follow, AT_LIMIT, FOLLOWS, IDS(targets, BOB)), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},
    {CALL(unfollow, follow, AT_LIMIT, UNFOLLOWS, IDS(targets, BOB)), .way = "too often",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob", .reply = "limited 60000"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "nobody follows", .reply = "gone"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "a deleted user follows", .before = USER_IS_GONE,
     .reply = "gone"},
    {CALL(follow, follow, FOLLOW, IDS(targets, BOB)), .way = "the job is another's",
     .before = USER_IS_THERE "; " OTHER_JOB, .reply = "stale"},
    {CALL(unfollow, follow, UNFOLLOW, IDS(targets, BOB, CAROL)), .way = "whom he follows",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob", .reply = "ok [$bob] [] [] [] []",
     .after = "EXISTS :following:$alice => 0; HGET :job:$job targets => $bob; HGET :homestate:$alice version => 1"},
    {CALL(unfollow, follow, UNFOLLOW, IDS(targets, BOB)), .way = "whom he blocks",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob; HSET :apart:$alice $bob b",
     .reply = "ok [$bob] [] [] [] []", .after = "EXISTS :following:$alice => 0"},
    {CALL(unfollow, follow, UNFOLLOW, IDS(targets, BOB)), .way = "whom he does not", .before = USER_IS_THERE,
     .reply = "ok [] [] [] [] []"},
    {CALL(unfollow, follow, UNFOLLOW, IDS(targets, BOB)), .way = "a deleted user lets go",
     .before = USER_IS_GONE "; ZADD :following:$alice 1 $bob", .reply = "ok [$bob] [] [] [] []",
     .after = "EXISTS :following:$alice => 0"},
    {CALL(unfollow, follow, UNFOLLOW, IDS(targets, BOB)), .way = "nobody lets go", .reply = "gone"},
    {CALL(unfollow, follow, UNFOLLOW, IDS(targets, BOB)), .way = "the job is another's",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 $bob; " OTHER_JOB, .reply = "stale"},
    {CALL(unfollow, follow, FOLLOW, IDS(targets, BOB)), .way = "its text is follow.lua's",
     .before = USER_IS_THERE "; ZADD :following:$alice 1 x 2 y 3 z", .reply = "full"},

    /* follow_done, follower, followers_import */
    {CALL(follow_done, follow_done,
          FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, false, FOLLOW_DONE_BECOMES_SAME},
                         {CAROL, FOLLOW_DONE_STATE_OFF, false, FOLLOW_DONE_BECOMES_SAME})),
     .way = "as it was",
     .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob; HSET :homestate:$alice stamp s; RPUSH :home:$alice $post",
     .reply = "ok",
     .after = "LRANGE :home:$alice 0 -1 => 0; HMGET :homestate:$alice stamp build version => cafed 1 -; EXISTS "
              ":job:$job :jobs => 0; ZRANGE :following:$alice 0 -1 => $bob"},
    {CALL(follow_done, follow_done,
          FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_GONE, false, FOLLOW_DONE_BECOMES_SAME},
                         {CAROL, FOLLOW_DONE_STATE_ON, false, FOLLOW_DONE_BECOMES_SAME})),
     .way = "somebody was deleted",
     .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob 2 $carol; HSET :homestate:$alice stamp s", .reply = "ok",
     .after = "ZRANGE :following:$alice 0 -1 => $carol; HMGET :homestate:$alice stamp version => cafed 1; EXISTS "
              ":home:$alice => 0",
     .repeats = true},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, false, FOLLOW_DONE_BECOMES_SAME})),
     .way = "the reader was deleted", .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob", .reply = "ok",
     .after = "EXISTS :homestate:$alice :job:$job => 0"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_ON, false, FOLLOW_DONE_BECOMES_SAME})),
     .way = "he does not follow by now", .before = FOLLOW_RUNS "HSET :homestate:$alice stamp s", .reply = "again"},
    {CALL(follow_done, follow_done, FOLLOW_IS_DONE({BOB, FOLLOW_DONE_STATE_OFF, false, FOLLOW_DONE_BECOMES_SAME})),
     .way = "he follows by now", .before = FOLLOW_RUNS "ZADD :following:$alice 1 $bob", .reply = "again"},
    {CALL(follower, follower, BOB, ALICE, true, false, 100), .way = "follows",
     .before = "HSET :user:$bob name bob; ZADD :followers:$bob 200 $carol", .reply = "ok on 0",
     .after =
         "ZRANGE :followers:$bob 0 -1 WITHSCORES => $carol 200 $alice 201; ZRANGE :notices:$bob 0 -1 WITHSCORES => "
         "F:0 201; HEXISTS :homestate:$bob notices => 1"},
    {CALL(follower, follower, BOB, ALICE, true, false, INT64_C(86400000000)),
     .way = "follows, of whom he wants to hear nothing",
     .before = "HSET :user:$bob name bob; HSET :apart:$bob $alice mn", .reply = "ok on 0",
     .after = "ZRANGE :followers:$bob 0 -1 => $alice; EXISTS :notices:$bob => 0"},
    {CALL(follower, follower, BOB, ALICE, true, false, 100), .way = "follows whom he blocks",
     .before = "HSET :user:$bob name bob; HSET :apart:$bob $alice B", .reply = "gone"},
    {CALL(follower, follower, BOB, ALICE, true, false, 100), .way = "follows who blocks him",
     .before = "HSET :user:$bob name bob; HSET :apart:$bob $alice b", .reply = "gone"},
    {CALL(follower, follower, BOB, ALICE, false, false, 100), .way = "lets go, who alone came that day",
     .before = "ZADD :followers:$bob 86399999999 x 86400000000 $alice; ZADD :notices:$bob 5 F:0 6 F:1",
     .reply = "ok off 0", .after = "ZRANGE :followers:$bob 0 -1 => x; ZRANGE :notices:$bob 0 -1 => F:0"},
    {CALL(follower, follower, BOB, ALICE, false, false, 100), .way = "lets go",
     .before = "ZADD :followers:$bob 1 $alice 2 $carol", .reply = "ok off 0",
     .after = "ZRANGE :followers:$bob 0 -1 => $carol"},
    {CALL(follower, follower, BOB, ALICE, true, false, 100), .way = "nobody is followed", .reply = "gone"},
    {CALL(follower, follower, ALICE, BOB, true, false, 100), .way = "a deleted user is followed",
     .before = USER_IS_GONE, .reply = "gone"},
    {CALL(followers_import, followers_import, ROW_BUCKET,
          (const struct script_followers_import_row[]){{BOB, ALICE, 100}, {BOB, CAROL, 100}}, 2),
     .way = "many", .before = "HSET :user:$bob name bob; ZADD :followers:$bob 200 x", .reply = "ok",
     .after = "ZRANGE :followers:$bob 0 -1 WITHSCORES => x 200 $alice 201 $carol 202"},
    {CALL(followers_import, followers_import, ROW_BUCKET,
          (const struct script_followers_import_row[]){{ALICE, BOB, 100}, {BOB, CAROL, 100}}, 2),
     .way = "one of them deleted", .before = USER_IS_GONE "; HSET :user:$bob name bob", .reply = "gone",
     .after = "EXISTS :followers:$alice => 0; ZRANGE :followers:$bob 0 -1 WITHSCORES => $carol 100"},

    /* invite_use */
    {CALL(invite_use, invite_use, "ksq", false, "n"), .way = "a use is left", .before = "HSET :invite:ksq left 2",
     .reply = "ok", .after = "HMGET :invite:ksq left by:n => 1 1"},
    {CALL(invite_use, invite_use, "ksq", false, "n"), .way = "no use is left", .before = "HSET :invite:ksq left 0",
     .reply = "gone"},
    {CALL(invite_use, invite_use, "ksq", false, "n"), .way = "no invitation", .reply = "gone"},
    {CALL(invite_use, invite_use, "ksq", true, "n"), .way = "given back", .before = "HSET :invite:ksq left 0 by:n 1",
     .reply = "ok", .after = "HMGET :invite:ksq left by:n => 1 -"},
    {CALL(invite_use, invite_use, "ksq", true, "n"), .way = "given back what another took",
     .before = "HSET :invite:ksq left 0 by:m 1", .reply = "ok"},

    /* lists */
    {CALL(list_add, list_add, NO_LIMIT, LIST_ADD(ALICE), IDS(targets, BOB, CAROL, BOB)),
     .way = "some, one of them twice", .before = LIST_IS_THERE "; ZADD :members:$list 50 x",
     .reply = "ok [$bob $carol]", .after = "ZRANGE :members:$list 0 -1 WITHSCORES => x 50 $bob 101 $carol 102"},
    {CALL(list_add, list_add, NO_LIMIT, LIST_ADD(ALICE), IDS(targets, BOB)), .way = "who is on it",
     .before = LIST_IS_THERE "; ZADD :members:$list 50 $bob", .reply = "ok []"},
    {CALL(list_add, list_add, NO_LIMIT, LIST_ADD(ALICE), IDS(targets, BOB, CAROL)), .way = "no room",
     .before = LIST_IS_THERE "; ZADD :members:$list 50 x 60 y", .reply = "full"},
    {CALL(list_add, list_add, AT_LIMIT, LIST_ADD(ALICE), IDS(targets, BOB)), .way = "too often",
     .before = LIST_IS_THERE, .reply = "limited 60000"},
    {CALL(list_remove, list_remove, AT_LIMIT, .id = LIST, .owner = ALICE, IDS(targets, BOB)), .way = "too often",
     .before = LIST_IS_THERE "; ZADD :members:$list 1 $bob", .reply = "limited 60000"},
    {CALL(list_add, list_add, NO_LIMIT, LIST_ADD(BOB), IDS(targets, CAROL)), .way = "another's",
     .before = LIST_IS_THERE, .reply = "gone"},
    {CALL(list_add, list_add, NO_LIMIT, LIST_ADD(ALICE), IDS(targets, CAROL)), .way = "no list", .reply = "gone"},
    {CALL(list_all, list_all, ALICE, BOB), .way = "and who is on which",
     .before =
         LISTS_ARE_THERE "; ZADD :members:$otherlist 1 $bob 2 $carol; HSET :list:$otherlist exclusive 1 replies none; "
                         "ZADD :lists:$alice 0 1",
     .reply = "[[$list Chess 0 0 '' ''] [$otherlist Go 2 1 1 none]]"},
    {CALL(list_all, list_all, ALICE, 0), .way = "none", .reply = "[]"},
    {CALL(list_create, list_create, OF_LIMIT, ALICE, LIST, "Chess", 1), .way = "the first", .before = USER_IS_THERE,
     .reply = "ok $list",
     .after = "HMGET :list:$list owner title => $alice Chess; ZRANGE :lists:$alice 0 -1 WITHSCORES => $list 0; EXISTS "
              ":limit:$alice:n => 1"},
    {CALL(list_create, list_create, AT_LIMIT, ALICE, OTHER_LIST, "Chess", 9), .way = "the title is there",
     .before = USER_IS_THERE "; " LIST_IS_THERE, .reply = "again $list"},
    {CALL(list_create, list_create, NO_LIMIT, ALICE, OTHER_LIST, "Go", 1), .way = "as many as may be",
     .before = USER_IS_THERE "; " LIST_IS_THERE, .reply = "full"},
    {CALL(list_create, list_create, NO_LIMIT, ALICE, LIST, "Go", 9), .way = "the id is taken",
     .before = USER_IS_THERE "; " LIST_IS_THERE, .reply = "stale"},
    {CALL(list_create, list_create, NO_LIMIT, ALICE, LIST, "Chess", 9), .way = "nobody", .reply = "gone"},
    {CALL(list_create, list_create, NO_LIMIT, ALICE, LIST, "Chess", 9), .way = "a deleted user", .before = USER_IS_GONE,
     .reply = "gone"},
    {CALL(list_create, list_create, AT_LIMIT, ALICE, LIST, "Chess", 9), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},
    {CALL(list_delete, list_delete, ALICE, LIST), .way = "with its members",
     .before = LISTS_ARE_THERE "; ZADD :members:$list 1 $bob", .reply = "ok",
     .after = "EXISTS :list:$list :members:$list => 0; ZRANGE :lists:$alice 0 -1 => $otherlist"},
    {CALL(list_delete, list_delete, ALICE, LIST), .way = "no list", .reply = "ok"},
    {CALL(list_delete, list_delete, BOB, LIST), .way = "another's", .before = LIST_IS_THERE, .reply = "gone"},
    {CALL(list_remove, list_remove, NO_LIMIT, .id = LIST, .owner = ALICE, IDS(targets, BOB, CAROL)), .way = "some",
     .before = LIST_IS_THERE "; ZADD :members:$list 1 $bob 2 x", .reply = "ok",
     .after = "ZRANGE :members:$list 0 -1 => x"},
    {CALL(list_remove, list_remove, NO_LIMIT, .id = LIST, .owner = BOB, IDS(targets, CAROL)), .way = "another's",
     .before = LIST_IS_THERE "; ZADD :members:$list 1 $carol", .reply = "gone"},
    {CALL(list_add, list_add, NO_LIMIT, LIST_ADD(ALICE), IDS(targets, BOB)), .way = "an exclusive one",
     .before = LIST_IS_EXCLUSIVE, .reply = "ok [$bob]", .after = "HGETALL :homestate:$alice => exclusive 1"},
    {CALL(list_add, list_add, NO_LIMIT, LIST_ADD(ALICE), IDS(targets, BOB)), .way = "an exclusive one, who is there",
     .before = LIST_IS_EXCLUSIVE "; ZADD :members:$list 50 $bob", .reply = "ok []"},
    {CALL(list_remove, list_remove, NO_LIMIT, .id = LIST, .owner = ALICE, IDS(targets, BOB)),
     .way = "one of an exclusive list", .before = LIST_IS_EXCLUSIVE "; ZADD :members:$list 1 $bob", .reply = "ok",
     .after = "HGETALL :homestate:$alice => exclusive 1"},
    {CALL(list_remove, list_remove, NO_LIMIT, .id = LIST, .owner = ALICE, IDS(targets, BOB)),
     .way = "one who is not on an exclusive list", .before = LIST_IS_EXCLUSIVE, .reply = "ok"},
    {CALL(list_delete, list_delete, ALICE, LIST), .way = "an exclusive one", .before = LIST_IS_EXCLUSIVE, .reply = "ok",
     .after = "EXISTS :list:$list => 0; HGETALL :homestate:$alice => exclusive 1"},
    {CALL(list_exclusive, list_exclusive, ALICE), .way = "of one of two",
     .before = LISTS_ARE_THERE "; HSET :list:$list exclusive 1; ZADD :members:$list 1 $bob 2 $carol; ZADD "
                               ":members:$otherlist 1 x",
     .reply = "[$bob $carol]"},
    {CALL(list_exclusive, list_exclusive, ALICE), .way = "of none", .before = LISTS_ARE_THERE, .reply = "[]"},
    {CALL(list_set, list_set, OF_LIMIT, ALICE, LIST, true, "none"), .way = "both", .before = LIST_IS_THERE,
     .reply = "ok",
     .after = "HMGET :list:$list exclusive replies => 1 none; HGETALL :homestate:$alice => exclusive 1; EXISTS "
              ":limit:$alice:n => 1"},
    {CALL(list_set, list_set, NO_LIMIT, ALICE, LIST, false, ""), .way = "exclusive no more",
     .before = LIST_IS_EXCLUSIVE, .reply = "ok",
     .after = "HMGET :list:$list exclusive replies => 0 ''; HGET :homestate:$alice exclusive => 1"},
    {CALL(list_set, list_set, NO_LIMIT, ALICE, LIST, true, "followed"), .way = "other answers",
     .before = LIST_IS_EXCLUSIVE, .reply = "ok",
     .after = "HGET :list:$list replies => followed; EXISTS :homestate:$alice => 0"},
    {CALL(list_set, list_set, AT_LIMIT, ALICE, LIST, false, ""), .way = "as it is", .before = LIST_IS_THERE,
     .reply = "ok"},
    {CALL(list_set, list_set, NO_LIMIT, BOB, LIST, true, ""), .way = "another's", .before = LIST_IS_THERE,
     .reply = "gone"},
    {CALL(list_set, list_set, AT_LIMIT, ALICE, LIST, true, ""), .way = "too often", .before = LIST_IS_THERE,
     .reply = "limited 60000"},
    {CALL(list_rename, list_rename, OF_LIMIT, ALICE, LIST, "Shogi"), .way = "a new title", .before = LISTS_ARE_THERE,
     .reply = "ok", .after = "HGET :list:$list title => Shogi; EXISTS :limit:$alice:n => 1", .repeats = true},
    {CALL(list_rename, list_rename, NO_LIMIT, ALICE, LIST, "Chess"), .way = "its own title", .before = LISTS_ARE_THERE,
     .reply = "ok"},
    {CALL(list_rename, list_rename, AT_LIMIT, ALICE, LIST, "Go"), .way = "the title of another list",
     .before = LISTS_ARE_THERE, .reply = "taken"},
    {CALL(list_rename, list_rename, NO_LIMIT, BOB, LIST, "Shogi"), .way = "another's", .before = LIST_IS_THERE,
     .reply = "gone"},
    {CALL(list_rename, list_rename, AT_LIMIT, ALICE, LIST, "Shogi"), .way = "too often", .before = LIST_IS_THERE,
     .reply = "limited 60000"},

    /* sessions */
    {CALL(session_create, session_create, SESSION(.checked = "", .renewed = "")), .way = "the first",
     .before = USER_IS_THERE, .reply = "ok old 0",
     .after =
         "HMGET :session:$alice:h created seen agent address => 3000 3000 Browser 10.0.0.1; PTTL :session:$alice:h => "
         "~1000000; ZRANGE :sessions:$alice 0 -1 WITHSCORES => h 3000"},
    {CALL(session_create, session_create, SESSION(.checked = "old", .renewed = "new")), .way = "a password is renewed",
     .before = USER_IS_THERE, .reply = "ok new 0",
     .after = "HGET :user:$alice password => new; EXISTS :session:$alice:h => 1"},
    {CALL(session_create, session_create, SESSION(.checked = "", .renewed = "")), .way = "the oldest makes room",
     .before = USER_IS_THERE "; HSET :session:$alice:a agent a; HSET :session:$alice:b agent b; ZADD :sessions:$alice "
                             "1 a 2 b",
     .reply = "ok old 1", .again = "ok old 0",
     .after = "EXISTS :session:$alice:a => 0; ZRANGE :sessions:$alice 0 -1 => b h"},
    {CALL(session_create, session_create, SESSION(.checked = "", .renewed = "")), .way = "those that expired",
     .before = USER_IS_THERE "; HSET :session:$alice:b agent b; ZADD :sessions:$alice 1 a 2 b", .reply = "ok old 0",
     .after = "ZRANGE :sessions:$alice 0 -1 => b h"},
    {CALL(session_create, session_create, SESSION(.checked = "older", .renewed = "new")),
     .way = "the password was changed", .before = USER_IS_THERE, .reply = "gone"},
    {CALL(session_create, session_create, SESSION(.checked = "", .renewed = "")), .way = "nobody", .reply = "gone"},
    {CALL(session_create, session_create, SESSION(.checked = "", .renewed = "")), .way = "a deleted user",
     .before = USER_IS_GONE, .reply = "gone"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_ONE, "h", "", ""), .way = "one", .before = SESSIONS,
     .reply = "ok 1", .again = "ok 0", .after = "EXISTS :session:$alice:h => 0; ZRANGE :sessions:$alice 0 -1 => i"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_OTHERS, "h", "", ""), .way = "all others",
     .before = SESSIONS, .reply = "ok 1", .again = "ok 0",
     .after = "EXISTS :session:$alice:i => 0; ZRANGE :sessions:$alice 0 -1 => h"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_ALL, "", "new", ""), .way = "all, with a new password",
     .before = USER_IS_THERE "; " SESSIONS, .reply = "ok 2", .again = "ok 0",
     .after = "EXISTS :session:$alice:h :session:$alice:i :sessions:$alice => 0; HGET :user:$alice password => new"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_OTHERS, "h", "new", "old"),
     .way = "a new password by who knows the old", .before = USER_IS_THERE "; " SESSIONS, .reply = "ok 1",
     .again = "ok 0", .after = "HGET :user:$alice password => new; ZRANGE :sessions:$alice 0 -1 => h"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_OTHERS, "h", "new", "older"),
     .way = "another password by now", .before = USER_IS_THERE "; " SESSIONS, .reply = "changed"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_OTHERS, "j", "new", "old"), .way = "from an ended session",
     .before = USER_IS_THERE "; " SESSIONS, .reply = "gone"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_ALL, "", "new", ""), .way = "a password of nobody",
     .reply = "gone"},
    {CALL(session_end, session_end, ALICE, SESSION_END_WHICH_ALL, "", "new", ""), .way = "a password of the deleted",
     .before = USER_IS_GONE, .reply = "gone"},

    /* users */
    {CALL(user_create, user_create, SIGN_UP), .way = "a free name", .reply = "ok",
     .after = "GET :name:doq => $alice; HMGET :user:$alice name password => Doq hash; ZRANGE :users 0 -1 WITHSCORES => "
              "$alice 0; GET :newest:$alice => 0; HMGET :job:$job nonce type uid => cafe newest $alice"},
    {CALL(user_create, user_create, SIGN_UP), .way = "a name that is taken", .before = "SET :name:doq $bob",
     .reply = "taken"},
    {CALL(user_create, user_create, SIGN_UP), .way = "the id is taken", .before = USER_IS_THERE, .reply = "stale"},
    {CALL(user_create, user_create, SIGN_UP), .way = "the job is another's", .before = OTHER_JOB, .reply = "stale"},
    {CALL(user_delete, user_delete, JOB_OF("purge"), ALICE), .way = "with his sessions",
     .before = USER_IS_THERE " bio b display d role admin; " SESSIONS, .reply = "ok",
     .after = "HGETALL :user:$alice => name alice deleted 1 deletion cafe; EXISTS :session:$alice:h "
              ":session:$alice:i :sessions:$alice => 0; HMGET :job:$job nonce type uid => cafe purge $alice"},
    {CALL(user_delete, user_delete, JOB_OF("purge"), ALICE), .way = "again, when the job is done",
     .before = USER_IS_GONE " deletion cafe", .reply = "ok"},
    {CALL(user_delete, user_delete, JOB_OF("purge"), ALICE), .way = "by another call",
     .before = USER_IS_GONE " deletion beef", .reply = "gone"},
    {CALL(user_delete, user_delete, JOB_OF("purge"), ALICE), .way = "nobody", .reply = "gone"},
    {CALL(user_delete, user_delete, JOB_OF("purge"), ALICE), .way = "the job is another's",
     .before = USER_IS_THERE "; " OTHER_JOB, .reply = "stale"},
    {CALL(user_set, user_set, ALICE, &(const struct record_user){.bio = "b"}), .way = "a field",
     .before = USER_IS_THERE, .reply = "ok", .after = "HMGET :user:$alice name bio => alice b"},
    {CALL(user_set, user_set, ALICE, &(const struct record_user){.bio = "b"}), .way = "nobody", .reply = "gone"},
    {CALL(user_set, user_set, ALICE, &(const struct record_user){.bio = "b"}), .way = "a deleted user",
     .before = USER_IS_GONE, .reply = "gone"},
    {CALL(user_read, user_read, ALICE), .way = "with counts",
     .before = USER_IS_THERE "; ZADD :posts:$alice 0 x; ZADD :following:$alice 0 x 0 y; ZADD :followers:$alice 0 x 0 y "
                             "0 z",
     .reply = ALICE_SHOWN " 1 2 3"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_NONE, "", "", false, 0, 0), .way = "nobody", .reply = ""},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_NONE, "", "", false, 0, 0), .way = "alone", .before = DOQ,
     .reply = "$alice " DOQ_SHOWN " 2 3 1 [] [] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_PASSWORD, "", "", false, 0, 0), .way = "with his password",
     .before = DOQ, .reply = "$alice " DOQ_SHOWN " 2 3 1 [old] [] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_POSTS, "+", "-", true, 1, 0), .way = "with posts",
     .before = DOQ "; ZADD :pins:$alice 2 $post 1 $older",
     .reply = "$alice " DOQ_SHOWN " 2 3 1 [$post] [$post $older] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_ORIGINALS, "+", "-", true, 1, 9),
     .way = "but for answers to others", .before = DOQ "; " ANSWERS("$bob:bob") "; ZADD :pins:$alice 2 $post",
     .reply = "$alice " DOQ_SHOWN " 2 3 1 [$older] [$post] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_ORIGINALS, "-", "+", false, 9, 9),
     .way = "upwards, and there are no more", .before = DOQ "; " ANSWERS("$bob:bob"),
     .reply = "$alice " DOQ_SHOWN " 2 3 1 [$older] [] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_ORIGINALS, "+", "-", true, 9, 9),
     .way = "answers to himself stay", .before = DOQ "; " ANSWERS("$alice:doq"),
     .reply = "$alice " DOQ_SHOWN " 2 3 1 [$post $older] [] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_ORIGINALS, "+", "-", true, 9, 9),
     .way = "whom it answers is not known", .before = DOQ "; HSET :post:$post author $alice reply_to $newer",
     .reply = "$alice " DOQ_SHOWN " 2 3 1 [$older] [] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_ORIGINALS, "+", "-", true, 1, 1), .way = "too many answers",
     .before = DOQ "; " ANSWERS("$bob:bob"), .reply = "$alice " DOQ_SHOWN " 2 3 1 [] [] $post"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_FOLLOWING, "2", "+inf", false, 9, 0),
     .way = "with whom he follows", .before = DOQ, .reply = "$alice " DOQ_SHOWN " 2 3 1 [y 2 z 3] [] 0"},
    {CALL(user_find, user_find, "doq", USER_FIND_WHAT_FOLLOWERS, "+inf", "-inf", true, 9, 0), .way = "with followers",
     .before = DOQ, .reply = "$alice " DOQ_SHOWN " 2 3 1 [v 4] [] 0"},
    {CALL(own_posts, own_posts, .uid = ALICE, .from = "+", .to = "-", .backwards = true, .limit = 9, .tag = ""),
     .way = "all", .before = DOQ "; " ANSWERS("$bob:bob") "; ZADD :pins:$alice 2 $post",
     .reply = "[$post $older] [$post] 0"},
    {CALL(own_posts, own_posts, .uid = ALICE, .from = "+", .to = "-", .backwards = true, .limit = 9, .most = 9,
          .no_answers = true, .tag = ""),
     .way = "but for answers", .before = DOQ "; " ANSWERS("$bob:bob"), .reply = "[$older] [] 0"},
    {CALL(own_posts, own_posts, .uid = ALICE, .from = "-", .to = "+", .limit = 9, .most = 9, .no_boosts = true,
          .tag = ""),
     .way = "but for boosts, upwards", .before = DOQ "; " ANSWERS("$bob:bob") "; HSET :post:$older boost $newer",
     .reply = "[$post] [] 0"},
    {CALL(own_posts, own_posts, .uid = ALICE, .from = "+", .to = "-", .backwards = true, .limit = 9, .most = 9,
          .tag = "tea"),
     .way = "with a tag", .before = DOQ "; HSET :post:$post text #Teas; HSET :post:$older text tea,#cake",
     .reply = "[$post] [] 0"},
    {CALL(own_posts, own_posts, .uid = ALICE, .from = "+", .to = "-", .backwards = true, .limit = 9, .most = 9,
          .tag = "caf\xC3\xA9"),
     .way = "with a tag that may be folded",
     .before = DOQ "; HSET :post:$post text \xEF\xBC\x83x; HSET :post:$older text caf", .reply = "[$post] [] 0"},
    {CALL(own_posts, own_posts, .uid = ALICE, .from = "+", .to = "-", .backwards = true, .limit = 9, .most = 1,
          .tag = "tea"),
     .way = "too many without the tag", .before = DOQ "; HSET :post:$post text tea; HSET :post:$older text #tea",
     .reply = "[] [] $post"},
    {CALL(own_posts, own_posts, .uid = ALICE, .from = "+", .to = "-", .backwards = true, .limit = 1, .most = 1,
          .no_boosts = true, .tag = ""),
     .way = "too many boosts", .before = DOQ "; HSET :post:$post boost $newer", .reply = "[] [] $post"},
};

#endif
