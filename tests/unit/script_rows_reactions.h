/* script_rows_reactions.h - rows (script_case.h) of the scripts of favourites, boosts (but for the posts that they are), bookmarks, pins and
 * muted conversations. */
#ifndef TESTS_SCRIPT_ROWS_REACTIONS_H
#define TESTS_SCRIPT_ROWS_REACTIONS_H

#include "script_rows_people.h"

CALLER(bookmark, bookmark)
CALLER(unbookmark, bookmark)
CALLER(favourite, favourite)
CALLER(unfavourite, favourite)
CALLER(favourite_done, favourite_done)
CALLER(favourited, reacted)
CALLER(boosted, reacted)
CALLER(reactors, reactors)
CALLER(pin, pin)
CALLER(unpin, unpin)
CALLER(quiet, quiet)
CALLER(unquiet, quiet)
CALLER(tag_follow, tag_follow)
CALLER(feature, feature)
CALLER(unfeature, unfeature)
CALLER(featured, featured)
CALLER(tag_unfollow, tag_follow)

#define FAVOURITE .uid = ALICE, .post = POST, .on = true, .now = 100, JOB_OF("favourite")
#define UNFAVOURITE .uid = ALICE, .post = POST, .on = false, .now = 100, JOB_OF("favourite")
#define FAVOURITE_DONE(o) .uid = ALICE, .post = POST, .other = FAVOURITE_DONE_OTHER_##o, JOB_OF("favourite")
#define FAVOURITE_RUNS "HSET :job:$job nonce cafe; ZADD :jobs 500 $job; "
#define FAVOURITED .uid = ALICE, .post = POST, .from = BOB, .on = true, .now = 100
#define FAVOURITED_NO_MORE .uid = ALICE, .post = POST, .from = BOB, .on = false, .now = 100
#define POST_OF_HERS USER_IS_THERE "; HSET :post:$post author $alice"
#define PIN .uid = ALICE, .post = POST, .most = 2, .now = 100
#define UNPIN .uid = ALICE, .post = POST
#define BOOKMARK .uid = ALICE, .post = POST, .on = true, .now = 100
#define QUIET .uid = ALICE, .root = POST, .on = true, .now = 100, .most = 2
#define UNQUIET .uid = ALICE, .root = POST, .on = false, .now = 100, .most = 2
#define TAG_FOLLOW .uid = ALICE, .tag = "tea", .on = true, .now = 100, .most = 2
#define TAG_UNFOLLOW .uid = ALICE, .tag = "tea", .on = false, .now = 100, .most = 2
#define FEATURE .uid = ALICE, .tag = "tea", .now = 100, .most = 2
#define UNFEATURE .uid = ALICE, .time = 5
#define FEATURED(a, m) .uid = ALICE, .always = (a), .open = "unlisted", .most = (m)
#define UNBOOKMARK .uid = ALICE, .post = POST, .on = false, .now = 100

static const struct row rows_reactions[] = {
    /* favourite, unfavourite */
    {CALL(favourite, favourite, FAVOURITE, OF_LIMIT), .way = "a post", .before = USER_IS_THERE, .reply = "ok 1",
     .after = "ZRANGE :favourited:$alice 0 -1 WITHSCORES => $post 100; HMGET :job:$job nonce cursor type uid post => "
              "cafe 0 favourite $alice $post; ZRANGE :jobs 0 -1 WITHSCORES => $job 500; HGETALL :homestate:$alice => "
              "marks 1; EXISTS :limit:$alice:n => 1"},
    {CALL(favourite, favourite, FAVOURITE, NO_LIMIT), .way = "later than all before",
     .before = USER_IS_THERE "; ZADD :favourited:$alice 900 $older; HSET :homestate:$alice marks 5", .reply = "ok 1",
     .after = "ZRANGE :favourited:$alice 0 -1 WITHSCORES => $older 900 $post 901; HGET :homestate:$alice marks => 6"},
    {CALL(favourite, favourite, FAVOURITE, AT_LIMIT), .way = "one that he has favourited",
     .before = USER_IS_THERE "; ZADD :favourited:$alice 1 $post", .reply = "ok 0"},
    {CALL(favourite, favourite, FAVOURITE, AT_LIMIT, .see = {BOB, false}), .way = "of who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "hidden"},
    {CALL(favourite, favourite, FAVOURITE, AT_LIMIT, .see = {BOB, true}), .way = "that followers may see",
     .before = USER_IS_THERE, .reply = "hidden"},
    {CALL(favourite, favourite, FAVOURITE, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(favourite, favourite, FAVOURITE, NO_LIMIT), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},
    {CALL(favourite, favourite, FAVOURITE, NO_LIMIT), .way = "the job is another's",
     .before = USER_IS_THERE "; " OTHER_JOB, .reply = "stale"},
    {CALL(favourite, favourite, FAVOURITE, AT_LIMIT), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},
    {CALL(unfavourite, favourite, UNFAVOURITE, OF_LIMIT), .way = "one that he has favourited",
     .before = USER_IS_THERE "; ZADD :favourited:$alice 1 $post 2 $older", .reply = "ok 1",
     .after = "ZRANGE :favourited:$alice 0 -1 => $older; HGET :job:$job post => $post; HGET :homestate:$alice marks => "
              "1; EXISTS :limit:$alice:n => 1"},
    {CALL(unfavourite, favourite, UNFAVOURITE, NO_LIMIT), .way = "by a deleted user",
     .before = USER_IS_GONE "; ZADD :favourited:$alice 1 $post", .reply = "ok 1",
     .after = "EXISTS :favourited:$alice => 0"},
    {CALL(unfavourite, favourite, UNFAVOURITE, AT_LIMIT), .way = "one that he has not", .before = USER_IS_THERE,
     .reply = "ok 0"},
    {CALL(unfavourite, favourite, UNFAVOURITE, AT_LIMIT, .see = {BOB, false}), .way = "of who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "hidden"},
    {CALL(unfavourite, favourite, UNFAVOURITE, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(unfavourite, favourite, UNFAVOURITE, NO_LIMIT), .way = "the job is another's",
     .before = USER_IS_THERE "; ZADD :favourited:$alice 1 $post; " OTHER_JOB, .reply = "stale"},
    {CALL(unfavourite, favourite, UNFAVOURITE, AT_LIMIT), .way = "too often",
     .before = USER_IS_THERE "; ZADD :favourited:$alice 1 $post", .reply = "limited 60000"},

    /* favourite_done */
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(ON)), .way = "it stands",
     .before = FAVOURITE_RUNS "ZADD :favourited:$alice 1 $post; HSET :homestate:$alice marks 5", .reply = "ok",
     .after = "EXISTS :job:$job :jobs => 0; ZRANGE :favourited:$alice 0 -1 => $post; HGET :homestate:$alice marks => "
              "5"},
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(OFF)), .way = "it does not stand",
     .before = FAVOURITE_RUNS "ZADD :favourited:$alice 1 $older", .reply = "ok",
     .after = "EXISTS :job:$job :jobs => 0; ZRANGE :favourited:$alice 0 -1 => $older"},
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(GONE)), .way = "the post is gone",
     .before = FAVOURITE_RUNS "ZADD :favourited:$alice 1 $post; HSET :homestate:$alice marks 5", .reply = "ok",
     .after = "EXISTS :job:$job :jobs :favourited:$alice => 0; HGET :homestate:$alice marks => 6"},
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(GONE)), .way = "the post is gone, and he was deleted",
     .before = FAVOURITE_RUNS "ZADD :favourited:$alice 1 $post", .reply = "ok",
     .after = "EXISTS :job:$job :jobs :favourited:$alice :homestate:$alice => 0"},
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(GONE)), .way = "the post is gone, and it was taken back",
     .before = FAVOURITE_RUNS "HSET :homestate:$alice marks 5", .reply = "ok",
     .after = "EXISTS :job:$job :jobs => 0; HGET :homestate:$alice marks => 5"},
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(ON)), .way = "the job is another's",
     .before = OTHER_JOB "; ZADD :favourited:$alice 1 $post", .reply = "ok"},
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(ON)), .way = "it was taken back by now",
     .before = FAVOURITE_RUNS "HSET :homestate:$alice marks 5", .reply = "again"},
    {CALL(favourite_done, favourite_done, FAVOURITE_DONE(OFF)), .way = "it was made again by now",
     .before = FAVOURITE_RUNS "ZADD :favourited:$alice 1 $post", .reply = "again"},

    /* favourited */
    {CALL(favourited, reacted, FAVOURITED), .way = "the first",
     .before = POST_OF_HERS "; ZADD :notices:$alice 99 m:x 100 m:y 101 m:z", .reply = "ok 1",
     .after = "ZRANGE :favourites:$post 0 -1 WITHSCORES => $bob 102; ZSCORE :notices:$alice f:$post => 102; HEXISTS "
              ":homestate:$alice notices => 1; HGET :homestate:$alice told => 102"},
    {CALL(favourited, reacted, FAVOURITED), .way = "later than all before",
     .before = POST_OF_HERS "; ZADD :favourites:$post 900 $carol; ZADD :notices:$alice 900 f:$post", .reply = "ok 2",
     .after = "ZRANGE :favourites:$post 0 -1 WITHSCORES => $carol 900 $bob 901; ZRANGE :notices:$alice 0 -1 WITHSCORES "
              "=> f:$post 901"},
    {CALL(favourited, reacted, FAVOURITED), .way = "in a conversation that he has muted",
     .before = POST_OF_HERS " thread $older; ZADD :quiet:$alice 5 $older", .reply = "ok 1",
     .after = "ZRANGE :favourites:$post 0 -1 => $bob; EXISTS :notices:$alice => 0"},
    {CALL(favourited, reacted, FAVOURITED), .way = "that he has muted, which begins with it",
     .before = POST_OF_HERS "; ZADD :quiet:$alice 5 $post", .reply = "ok 1", .after = "EXISTS :notices:$alice => 0"},
    {CALL(favourited, reacted, FAVOURITED), .way = "once more",
     .before = POST_OF_HERS "; ZADD :favourites:$post 50 $bob", .reply = "ok 1"},
    {CALL(favourited, reacted, .uid = ALICE, .post = POST, .from = ALICE, .on = true, .now = 100),
     .way = "by its author", .before = POST_OF_HERS, .reply = "ok 1",
     .after = "ZRANGE :favourites:$post 0 -1 => $alice; EXISTS :notices:$alice :homestate:$alice => 0"},
    {CALL(favourited, reacted, FAVOURITED_NO_MORE), .way = "taken back, the last",
     .before = POST_OF_HERS "; ZADD :favourites:$post 50 $bob; ZADD :notices:$alice 50 f:$post 60 m:x", .reply = "ok 0",
     .after = "EXISTS :favourites:$post => 0; ZRANGE :notices:$alice 0 -1 => m:x; HEXISTS :homestate:$alice notices => "
              "1"},
    {CALL(favourited, reacted, FAVOURITED), .way = "told late, later than anything that she was told before",
     .before = POST_OF_HERS "; HSET :homestate:$alice told 500", .reply = "ok 1",
     .after = "ZRANGE :favourites:$post 0 -1 WITHSCORES => $bob 501; ZSCORE :notices:$alice f:$post => 501"},
    {CALL(favourited, reacted, FAVOURITED_NO_MORE), .way = "taken back, not the last",
     .before = POST_OF_HERS "; ZADD :favourites:$post 50 $bob 60 $carol; ZADD :notices:$alice 60 f:$post",
     .reply = "ok 0",
     .after = "ZRANGE :favourites:$post 0 -1 => $carol; ZSCORE :notices:$alice f:$post => 60; " CHANGED},
    {CALL(favourited, reacted, FAVOURITED_NO_MORE), .way = "taken back, the newest",
     .before = POST_OF_HERS "; ZADD :favourites:$post 50 $carol 60 $bob; ZADD :notices:$alice 60 f:$post",
     .reply = "ok 0", .after = "ZSCORE :notices:$alice f:$post => 50; " CHANGED},
    {CALL(favourited, reacted, FAVOURITED_NO_MORE), .way = "taken back, the only one that was not dismissed",
     .before = POST_OF_HERS "; ZADD :favourites:$post 50 $carol 60 $bob; ZADD :notices:$alice 60 f:$post; ZADD "
                            ":noticegone:$alice 50 f:$post",
     .reply = "ok 0", .after = "EXISTS :notices:$alice => 0; " CHANGED},
    {CALL(favourited, reacted, FAVOURITED_NO_MORE), .way = "taken back from a post that is gone", .reply = "ok 0"},
    {CALL(favourited, reacted, FAVOURITED), .way = "no post", .before = USER_IS_THERE, .reply = "gone"},
    {CALL(favourited, reacted, FAVOURITED), .way = "of a deleted user",
     .before = USER_IS_GONE "; HSET :post:$post author $alice", .reply = "gone"},

    {CALL(favourited, reacted, FAVOURITED), .way = "boosted by others",
     .before = POST_OF_HERS "; ZADD :boosts:$post 50 $bob 60 $carol", .reply = "ok 3",
     .after = "ZRANGE :favourites:$post 0 -1 => $bob"},
    {CALL(favourited, reacted, FAVOURITED), .way = "that strangers do not find",
     .before = POST_OF_HERS " visibility unlisted", .reply = "ok 0", .after = "ZRANGE :favourites:$post 0 -1 => $bob"},

    /* reactors */
    {CALL(reactors, reactors, .post = POST), .way = "no post", .before = "ZADD :favourites:$post 1 $bob", .reply = "0"},
    {CALL(reactors, reactors, .post = POST), .way = "nobody", .before = POST_OF_HERS, .reply = "0"},
    {CALL(reactors, reactors, .post = POST), .way = "one did both, and so did its author",
     .before = POST_OF_HERS "; ZADD :favourites:$post 1 $bob 2 $alice; ZADD :boosts:$post 3 $bob 4 $carol 5 $alice",
     .reply = "2"},
    {CALL(reactors, reactors, .post = POST), .way = "its author boosts it",
     .before = POST_OF_HERS "; ZADD :boosts:$post 3 $bob 4 $alice", .reply = "1"},

    /* boosted: as favourited, in sets of its own */
    {CALL(boosted, reacted, FAVOURITED), .way = "later than all before",
     .before = POST_OF_HERS "; ZADD :boosts:$post 900 $carol", .reply = "ok 2",
     .after = "ZRANGE :boosts:$post 0 -1 WITHSCORES => $carol 900 $bob 901; ZRANGE :notices:$alice 0 -1 WITHSCORES => "
              "b:$post 901; EXISTS :favourites:$post => 0"},
    {CALL(boosted, reacted, FAVOURITED), .way = "once more", .before = POST_OF_HERS "; ZADD :boosts:$post 50 $bob",
     .reply = "ok 1"},
    {CALL(boosted, reacted, FAVOURITED_NO_MORE), .way = "taken back, the last",
     .before = POST_OF_HERS "; ZADD :boosts:$post 50 $bob; ZADD :notices:$alice 50 b:$post 60 f:$post", .reply = "ok 0",
     .after = "EXISTS :boosts:$post => 0; ZRANGE :notices:$alice 0 -1 => f:$post"},
    {CALL(boosted, reacted, FAVOURITED), .way = "no post", .before = USER_IS_THERE, .reply = "gone"},

    /* pin, unpin */
    {CALL(pin, pin, PIN, OF_LIMIT), .way = "the last that there is room for",
     .before = POST_OF_HERS "; ZADD :pins:$alice 900 $older", .reply = "ok",
     .after = "ZRANGE :pins:$alice 0 -1 WITHSCORES => $older 900 $post 901; HGETALL :homestate:$alice => marks 1; "
              "EXISTS :limit:$alice:n => 1"},
    {CALL(pin, pin, PIN, AT_LIMIT), .way = "one that is there", .before = POST_OF_HERS "; ZADD :pins:$alice 1 $post",
     .reply = "ok"},
    {CALL(pin, pin, PIN, NO_LIMIT), .way = "too many", .before = POST_OF_HERS "; ZADD :pins:$alice 1 $older 2 $newer",
     .reply = "full"},
    {CALL(pin, pin, PIN, NO_LIMIT), .way = "another's post", .before = USER_IS_THERE "; HSET :post:$post author $bob",
     .reply = "gone"},
    {CALL(pin, pin, PIN, NO_LIMIT), .way = "no post", .before = USER_IS_THERE, .reply = "gone"},
    {CALL(pin, pin, PIN, NO_LIMIT), .way = "a deleted user", .before = USER_IS_GONE "; HSET :post:$post author $alice",
     .reply = "gone"},
    {CALL(pin, pin, PIN, AT_LIMIT), .way = "too often", .before = POST_OF_HERS, .reply = "limited 60000"},
    {CALL(unpin, unpin, UNPIN, OF_LIMIT), .way = "one that is there",
     .before = USER_IS_THERE "; ZADD :pins:$alice 1 $post 2 $older", .reply = "ok",
     .after = "ZRANGE :pins:$alice 0 -1 => $older; HGET :homestate:$alice marks => 1; EXISTS :limit:$alice:n => 1"},
    {CALL(unpin, unpin, UNPIN, AT_LIMIT), .way = "one that is not", .before = USER_IS_THERE, .reply = "ok"},
    {CALL(unpin, unpin, UNPIN, AT_LIMIT), .way = "too often", .before = USER_IS_THERE "; ZADD :pins:$alice 1 $post",
     .reply = "limited 60000"},

    /* bookmark, unbookmark */
    {CALL(bookmark, bookmark, BOOKMARK, OF_LIMIT), .way = "a post", .before = USER_IS_THERE, .reply = "ok",
     .after = "ZRANGE :bookmarks:$alice 0 -1 WITHSCORES => $post 100; HGETALL :homestate:$alice => marks 1; EXISTS "
              ":limit:$alice:n => 1"},
    {CALL(bookmark, bookmark, BOOKMARK, NO_LIMIT), .way = "later than all before",
     .before = USER_IS_THERE "; ZADD :bookmarks:$alice 900 $older", .reply = "ok",
     .after = "ZRANGE :bookmarks:$alice 0 -1 WITHSCORES => $older 900 $post 901"},
    {CALL(bookmark, bookmark, BOOKMARK, AT_LIMIT), .way = "one that is there",
     .before = USER_IS_THERE "; ZADD :bookmarks:$alice 1 $post", .reply = "ok"},
    {CALL(bookmark, bookmark, BOOKMARK, AT_LIMIT, .see = {BOB, false}), .way = "of who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "hidden"},
    {CALL(bookmark, bookmark, BOOKMARK, AT_LIMIT, .see = {BOB, true}), .way = "that followers may see",
     .before = USER_IS_THERE, .reply = "hidden"},
    {CALL(bookmark, bookmark, BOOKMARK, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(bookmark, bookmark, BOOKMARK, NO_LIMIT), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},
    {CALL(bookmark, bookmark, BOOKMARK, AT_LIMIT), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},
    {CALL(unbookmark, bookmark, UNBOOKMARK, OF_LIMIT), .way = "one that is there",
     .before = USER_IS_THERE "; ZADD :bookmarks:$alice 1 $post 2 $older", .reply = "ok",
     .after = "ZRANGE :bookmarks:$alice 0 -1 => $older; HGET :homestate:$alice marks => 1; EXISTS :limit:$alice:n => "
              "1"},
    {CALL(unbookmark, bookmark, UNBOOKMARK, NO_LIMIT), .way = "by a deleted user",
     .before = USER_IS_GONE "; ZADD :bookmarks:$alice 1 $post", .reply = "ok",
     .after = "EXISTS :bookmarks:$alice => 0"},
    {CALL(unbookmark, bookmark, UNBOOKMARK, AT_LIMIT), .way = "one that is not", .before = USER_IS_THERE,
     .reply = "ok"},
    {CALL(unbookmark, bookmark, UNBOOKMARK, AT_LIMIT, .see = {BOB, false}), .way = "of who blocks him",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "hidden"},
    {CALL(unbookmark, bookmark, UNBOOKMARK, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(unbookmark, bookmark, UNBOOKMARK, AT_LIMIT), .way = "too often",
     .before = USER_IS_THERE "; ZADD :bookmarks:$alice 1 $post", .reply = "limited 60000"},

    /* quiet, unquiet */
    {CALL(quiet, quiet, QUIET, OF_LIMIT), .way = "a conversation", .before = USER_IS_THERE, .reply = "ok",
     .after = "ZRANGE :quiet:$alice 0 -1 WITHSCORES => $post 100; HGETALL :homestate:$alice => marks 1; EXISTS "
              ":limit:$alice:n => 1"},
    {CALL(quiet, quiet, QUIET, NO_LIMIT), .way = "later than all before, of which the oldest ends",
     .before = USER_IS_THERE "; ZADD :quiet:$alice 800 $newer 900 $older", .reply = "ok",
     .after = "ZRANGE :quiet:$alice 0 -1 WITHSCORES => $older 900 $post 901"},
    {CALL(quiet, quiet, QUIET, AT_LIMIT), .way = "one that is muted",
     .before = USER_IS_THERE "; ZADD :quiet:$alice 1 $post", .reply = "ok"},
    {CALL(quiet, quiet, QUIET, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(quiet, quiet, QUIET, NO_LIMIT), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},
    {CALL(quiet, quiet, QUIET, AT_LIMIT), .way = "too often", .before = USER_IS_THERE, .reply = "limited 60000"},
    {CALL(unquiet, quiet, UNQUIET, OF_LIMIT), .way = "one that is muted",
     .before = USER_IS_THERE "; ZADD :quiet:$alice 1 $post 2 $older", .reply = "ok",
     .after = "ZRANGE :quiet:$alice 0 -1 => $older; HGET :homestate:$alice marks => 1; EXISTS :limit:$alice:n => 1"},
    {CALL(unquiet, quiet, UNQUIET, NO_LIMIT), .way = "by a deleted user",
     .before = USER_IS_GONE "; ZADD :quiet:$alice 1 $post", .reply = "ok", .after = "EXISTS :quiet:$alice => 0"},
    {CALL(unquiet, quiet, UNQUIET, AT_LIMIT), .way = "one that is not", .before = USER_IS_THERE, .reply = "ok"},
    {CALL(unquiet, quiet, UNQUIET, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(unquiet, quiet, UNQUIET, AT_LIMIT), .way = "too often",
     .before = USER_IS_THERE "; ZADD :quiet:$alice 1 $post", .reply = "limited 60000"},

    /* tag_follow, tag_unfollow */
    {CALL(tag_follow, tag_follow, TAG_FOLLOW, OF_LIMIT), .way = "a tag", .before = USER_IS_THERE, .reply = "ok 1 [tea]",
     .after = "ZRANGE :interests:$alice 0 -1 WITHSCORES => tea 100; HGETALL :homestate:$alice => interests 1; EXISTS "
              ":limit:$alice:n => 1"},
    {CALL(tag_follow, tag_follow, TAG_FOLLOW, NO_LIMIT), .way = "later than all before",
     .before = USER_IS_THERE "; ZADD :interests:$alice 900 rain; HSET :homestate:$alice interests 5",
     .reply = "ok 6 [rain tea]", .after = "ZRANGE :interests:$alice 0 -1 WITHSCORES => rain 900 tea 901"},
    {CALL(tag_follow, tag_follow, TAG_FOLLOW, AT_LIMIT), .way = "one that is followed",
     .before = USER_IS_THERE "; ZADD :interests:$alice 1 tea 2 rain; HSET :homestate:$alice interests 5",
     .reply = "ok 5 [tea rain]"},
    {CALL(tag_follow, tag_follow, TAG_FOLLOW, NO_LIMIT), .way = "one too many",
     .before = USER_IS_THERE "; ZADD :interests:$alice 1 rain 2 snow", .reply = "full"},
    {CALL(tag_follow, tag_follow, TAG_FOLLOW, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(tag_follow, tag_follow, TAG_FOLLOW, NO_LIMIT), .way = "a deleted user", .before = USER_IS_GONE,
     .reply = "gone"},
    {CALL(tag_follow, tag_follow, TAG_FOLLOW, AT_LIMIT), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},
    {CALL(tag_unfollow, tag_follow, TAG_UNFOLLOW, OF_LIMIT), .way = "one that is followed",
     .before = USER_IS_THERE "; ZADD :interests:$alice 1 rain 2 tea; HSET :homestate:$alice interests 5",
     .reply = "ok 6 [rain]",
     .after = "ZRANGE :interests:$alice 0 -1 => rain; HGET :homestate:$alice interests => 6; EXISTS :limit:$alice:n => "
              "1"},
    {CALL(tag_unfollow, tag_follow, TAG_UNFOLLOW, NO_LIMIT), .way = "by a deleted user",
     .before = USER_IS_GONE "; ZADD :interests:$alice 1 tea", .reply = "ok 1 []",
     .after = "EXISTS :interests:$alice => 0"},
    {CALL(tag_unfollow, tag_follow, TAG_UNFOLLOW, AT_LIMIT), .way = "one that is not", .before = USER_IS_THERE,
     .reply = "ok 0 []"},
    {CALL(tag_unfollow, tag_follow, TAG_FOLLOW, NO_LIMIT), .way = "one too many, were it called to",
     .before = USER_IS_THERE "; ZADD :interests:$alice 1 rain 2 snow", .reply = "full"},
    {CALL(tag_unfollow, tag_follow, TAG_UNFOLLOW, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(tag_unfollow, tag_follow, TAG_UNFOLLOW, AT_LIMIT), .way = "too often",
     .before = USER_IS_THERE "; ZADD :interests:$alice 1 tea", .reply = "limited 60000"},

    /* feature, unfeature */
    {CALL(feature, feature, FEATURE, OF_LIMIT), .way = "a tag", .before = USER_IS_THERE, .reply = "ok",
     .after = "ZRANGE :featured:$alice 0 -1 WITHSCORES => tea 100; EXISTS :limit:$alice:n => 1"},
    {CALL(feature, feature, FEATURE, NO_LIMIT), .way = "later than all before",
     .before = USER_IS_THERE "; ZADD :featured:$alice 900 rain", .reply = "ok",
     .after = "ZRANGE :featured:$alice 0 -1 WITHSCORES => rain 900 tea 901"},
    {CALL(feature, feature, FEATURE, AT_LIMIT), .way = "one that is there",
     .before = USER_IS_THERE "; ZADD :featured:$alice 1 tea 2 rain", .reply = "ok"},
    {CALL(feature, feature, FEATURE, NO_LIMIT), .way = "one too many",
     .before = USER_IS_THERE "; ZADD :featured:$alice 1 rain 2 snow", .reply = "full"},
    {CALL(feature, feature, FEATURE, NO_LIMIT), .way = "nobody", .reply = "gone"},
    {CALL(feature, feature, FEATURE, NO_LIMIT), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},
    {CALL(feature, feature, FEATURE, AT_LIMIT), .way = "too often", .before = USER_IS_THERE, .reply = "limited 60000"},
    {CALL(unfeature, unfeature, UNFEATURE, OF_LIMIT), .way = "the one of that time",
     .before = "ZADD :featured:$alice 4 snow 5 tea 6 rain", .reply = "ok",
     .after = "ZRANGE :featured:$alice 0 -1 => snow rain; EXISTS :limit:$alice:n => 1", .again = "gone"},
    {CALL(unfeature, unfeature, UNFEATURE, AT_LIMIT), .way = "of a time of none",
     .before = "ZADD :featured:$alice 4 snow 6 rain", .reply = "gone"},
    {CALL(unfeature, unfeature, UNFEATURE, AT_LIMIT), .way = "too often", .before = "ZADD :featured:$alice 5 tea",
     .reply = "limited 60000"},

    /* featured */
    {CALL(featured, featured, FEATURED(false, 9)), .way = "none", .before = DOQ "; HSET :post:$post text #tea",
     .reply = "[] []"},
    {CALL(featured, featured, FEATURED(true, 9)), .way = "none, but what was used",
     .before = DOQ "; HSET :post:$post text #tea; HSET :post:$older text tea", .reply = "[] [$post #tea]"},
    {CALL(featured, featured, FEATURED(false, 9)), .way = "what all may read, newest first",
     .before = DOQ "; ZADD :featured:$alice 4 tea 5 rain; HSET :post:$post text #tea visibility unlisted; HSET "
                   ":post:$older text \xEF\xBC\x83x",
     .reply = "[tea 4 rain 5] [$post #tea $older \xEF\xBC\x83x]"},
    {CALL(featured, featured, FEATURED(true, 9)), .way = "neither what is for followers, nor boosts",
     .before = DOQ "; HSET :post:$post text #tea visibility private; HSET :post:$older text #tea boost $newer",
     .reply = "[] []"},
    {CALL(featured, featured, FEATURED(true, 1)), .way = "the newest alone",
     .before = DOQ "; HSET :post:$post text tea; HSET :post:$older text #tea", .reply = "[] []"},
};

#endif
