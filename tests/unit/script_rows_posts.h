/* script_rows_posts.h - rows (script_case.h) of the scripts of posts, homes, jobs, limits, events and the site. */
#ifndef TESTS_SCRIPT_ROWS_POSTS_H
#define TESTS_SCRIPT_ROWS_POSTS_H

#include "script_rows_people.h"

CALLER(announce, announce)
CALLER(author_posts, author_posts)
CALLER(epoch, epoch)
CALLER(health, health)
CALLER(home_begin, home_begin)
CALLER(home_drop, home_drop)
CALLER(newest_insert, newest_insert)
CALLER(home_late, home_late)
CALLER(home_range, home_range)
CALLER(home_store, home_store)
CALLER(job_claim, job_claim)
CALLER(job_create, job_create)
CALLER(job_done, job_done)
CALLER(job_save, job_save)
CALLER(job_wait, job_wait)
CALLER(limit, limit_take)
CALLER(post_create, post_create)
CALLER(post_delete, post_delete)
CALLER(post_edit, post_edit)
CALLER(post_read, post_read)
CALLER(posts_import, posts_import)
CALLER(posted, posted)
CALLER(posted_check, posted_check)
CALLER(rate_limit, rate_limit)
CALLER(unboost, unboost)

#define AGES INT64_C(1000000000000000) /* ms, more than the rows are old */
#define POSTED(m)                                                                                                      \
    .uid = ALICE, .id = POST, .request = "r", .remember = 1000, .mode = (m), .celebrity = 2, .kept = 3,                \
    .post = &(const struct record_post){.author = ALICE, .text = "hello"}, JOB_OF("fanout")
#define BOOSTED(of)                                                                                                    \
    .uid = ALICE, .id = POST, .boost = (of), .request = "r", .remember = 1000, .mode = "push", .celebrity = 2,         \
    .kept = 3, .post = &(const struct record_post){.author = ALICE, .text = "", .boost = (of)}, JOB_OF("fanout")
#define ANY_TIME .late = AGES, .ahead = AGES
#define TAKEN_BACK(id_, uid_)                                                                                          \
    .uid = (uid_), .id = (id_), .tags = "a,b", .reply_to = BOB, .thread = CAROL, .people = "1,2", JOB_OF("unpost")
#define UNBOOSTED .uid = ALICE, .post = OLDER, JOB_OF("unpost")
#define EDITED(text_, spoiler_)                                                                                        \
    .id = POST, .now = 900, .created = 100, .tags = "a,b", .text = (text_), .spoiler = (spoiler_), .language = "en",   \
    .place = "1,2", .mentions = "bob:1", .people = "1,2", .kept = 2, JOB_OF("edit")
#define TWO_POSTS "ZADD :posts:$alice 0 $post 0 $older; ZADD :directs:$alice 0 $newer"
#define POST_IS_THERE                                                                                                  \
    "HSET :post:$post author $alice text hello; ZADD :posts:$alice 0 $older 0 $post; RPUSH :home:$alice $post $older"
#define POST_SHOWN_HERE "[$alice hello -*]" /* POST_SHOWN of record.h */
#define FOLLOWED "ZADD :followers:$alice 1 x 2 y 3 z"
#define HOME_OF(count) /* of so many ids; one word each, so tabs between those of Lua */                               \
    "EVAL for\ti=1," #count "\tdo\tredis.call('RPUSH',KEYS[1],'1')end 1 :home:$alice"
#define HOME "RPUSH :home:$alice $newer $older 0"
#define STATE "HSET :homestate:$alice epoch 4 stamp s build 1"
#define STORED .uid = ALICE, .epoch = 4, .read = "s", .stamp = "t", .mark = 77, .size = 3
#define JOB_IS_MINE "HSET :job:$job nonce cafe attempts 2 cursor 0; ZADD :jobs 9 $job"
#define OLD_JOB .job = {.id = JOB, .lease = 500, .nonce = 0, .type = "purge", .uid = ALICE} /* without a nonce */
#define OLD_JOB_IS_THERE "HSET :job:$job cursor 0; ZADD :jobs 9 $job"
#define SITE "HSET {0}:site mode push epoch 3 ahead 10 key k"
#define EPOCH(w, ...) .own_mode = "push", .own_key = "k2", .what = EPOCH_WHAT_##w, .kept = 100, .nonce = 8, __VA_ARGS__
#define NO_EPOCH "EXISTS {0}:events {0}:changes => 0"

static const struct row rows_posts[] = {
    /* post_create */
    {CALL(post_create, post_create, POSTED("push"), OF_LIMIT, ANY_TIME), .way = "pushed",
     .before = USER_IS_THERE "; " FOLLOWED "; RPUSH :home:$alice $older", .reply = "ok $post 3 push [] '' ''",
     .again = "again $post",
     .after = "HGETALL :post:$post => author $alice text hello; ZRANGE :posts:$alice 0 -1 WITHSCORES => $post 0; GET "
              ":newest:$alice => $post; LRANGE :home:$alice 0 -1 => $post $older; GET :request:$alice:r => $post; "
              "PTTL :request:$alice:r => ~1000000; HMGET :job:$job nonce type uid post delivers mode => cafe fanout "
              "$alice $post 1 push; ZSCORE :jobs $job => 500; EXISTS :limit:$alice:n => 1"},
    {CALL(post_create, post_create, POSTED("pull"), NO_LIMIT, ANY_TIME), .way = "pulled",
     .before = USER_IS_THERE "; " FOLLOWED, .reply = "ok $post 0 pull [] '' ''", .again = "again $post",
     .after = "HMGET :job:$job delivers mode => 0 pull; EXISTS :home:$alice :limit:$alice:n => 0"},
    {CALL(post_create, post_create, POSTED("hybrid"), NO_LIMIT, ANY_TIME), .way = "hybrid, of few followers",
     .before = USER_IS_THERE "; ZADD :followers:$alice 1 x 2 y", .reply = "ok $post 2 push [] '' ''",
     .again = "again $post", .after = "HMGET :job:$job delivers mode => 1 hybrid"},
    {CALL(post_create, post_create, POSTED("hybrid"), NO_LIMIT, ANY_TIME), .way = "hybrid, of too many followers",
     .before = USER_IS_THERE "; " FOLLOWED, .reply = "ok $post 3 mark [] '' ''", .again = "again $post",
     .after = "HMGET :job:$job delivers mode => 1 hybrid; HGET :user:$alice celebrity => -"},
    {CALL(post_create, post_create, POSTED("hybrid"), NO_LIMIT, ANY_TIME), .way = "hybrid, of a celebrity",
     .before = USER_IS_THERE " celebrity 1; ZADD :followers:$alice 1 x", .reply = "ok $post 1 pull [] '' ''",
     .again = "again $post", .after = "HGET :job:$job delivers => 0; HGET :user:$alice celebrity => 1"},
    {CALL(post_create, post_create, POSTED("hybrid"), NO_LIMIT, ANY_TIME), .way = "hybrid, of one who was a celebrity",
     .before = USER_IS_THERE " celebrity 1", .reply = "ok $post 0 push [] '' ''", .again = "again $post",
     .after = "HGET :job:$job delivers => 1; HGET :user:$alice celebrity => -"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "below what was delivered",
     .before = USER_IS_THERE "; RPUSH :home:$alice $newer $older 0", .reply = "ok $post 0 push [] '' ''",
     .again = "again $post", .after = "LRANGE :home:$alice 0 -1 => $newer $post $older 0"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "into a long home",
     .before = USER_IS_THERE "; " HOME_OF(66), .reply = "ok $post 0 push [] '' ''", .again = "again $post",
     .after = "LLEN :home:$alice => 67; LINDEX :home:$alice 0 => $post"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "into a home that is too long",
     .before = USER_IS_THERE "; " HOME_OF(67), .reply = "ok $post 0 push [] '' ''", .again = "again $post",
     .after = "LLEN :home:$alice => 3; LINDEX :home:$alice 0 => $post"},
    {CALL(post_create, post_create, POSTED("push"), AT_LIMIT, ANY_TIME), .way = "the request was answered",
     .before = USER_IS_THERE "; SET :request:$alice:r $older", .reply = "again $older"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "older than his newest",
     .before = USER_IS_THERE "; ZADD :posts:$alice 0 $older 0 $newer", .reply = "stale $newer"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "the id is another post's",
     .before = USER_IS_THERE "; HSET :post:$post author $bob", .reply = "stale $post"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "the job is another's",
     .before = USER_IS_THERE "; " OTHER_JOB, .reply = "stale $post"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, .late = 1000, .ahead = AGES),
     .way = "older than the clock allows", .before = USER_IS_THERE, .reply = "clock *"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, .late = AGES, .ahead = -AGES),
     .way = "ahead of the clock", .before = USER_IS_THERE "; ZADD :posts:$alice 0 100000000000000000",
     .reply = "clock *"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, .late = AGES, .ahead = -AGES),
     .way = "ahead, behind his own", .before = USER_IS_THERE "; ZADD :posts:$alice 0 $older",
     .reply = "ok $post 0 push [] '' ''", .again = "again $post", .after = "GET :newest:$alice => $post"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "by one who is limited",
     .before = USER_IS_THERE " state limited discoverable yes", .reply = "ok $post 0 push [] limited yes",
     .again = "again $post", .after = "GET :newest:$alice => $post"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "by one who does not want to be found",
     .before = USER_IS_THERE " discoverable no", .reply = "ok $post 0 push [] '' no", .again = "again $post",
     .after = "GET :newest:$alice => $post"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME, .direct = true), .way = "to some alone",
     .before = USER_IS_THERE "; " FOLLOWED "; RPUSH :home:$alice $older; ZADD :directs:$alice 0 $older",
     .reply = "ok $post 0 pull [] '' ''", .again = "again $post",
     .after =
         "HGET :post:$post text => hello; ZRANGE :directs:$alice 0 -1 WITHSCORES => $older 0 $post 0; EXISTS "
         ":posts:$alice :newest:$alice => 0; LRANGE :home:$alice 0 -1 => $older; HMGET :job:$job post delivers mode "
         "=> $post 0 push"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME, .direct = true),
     .way = "to some alone, older than the newest of these", .before = USER_IS_THERE "; ZADD :directs:$alice 0 $newer",
     .reply = "stale $newer"},
    {CALL(post_create, post_create, POSTED("push"), AT_LIMIT, ANY_TIME, .see = {BOB, false}),
     .way = "an answer to who blocks him", .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "hidden"},
    {CALL(post_create, post_create, POSTED("push"), AT_LIMIT, ANY_TIME, .see = {BOB, false}),
     .way = "an answer to whom he blocks",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob b; ZADD :following:$alice 1 $bob", .reply = "hidden"},
    {CALL(post_create, post_create, POSTED("push"), AT_LIMIT, ANY_TIME, .see = {BOB, true}),
     .way = "an answer to what followers may see", .before = USER_IS_THERE, .reply = "hidden"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME, .see = {BOB, true}),
     .way = "a follower's answer to it",
     .before = USER_IS_THERE "; HSET :apart:$alice $bob mn; ZADD :following:$alice 1 $bob",
     .reply = "ok $post 0 push [] '' ''", .again = "again $post", .after = "EXISTS :post:$post => 1"},
    {CALL(post_create, post_create, BOOSTED(OLDER), OF_LIMIT, ANY_TIME), .way = "a boost",
     .before = USER_IS_THERE "; RPUSH :home:$alice $older", .reply = "ok $post 0 push [] '' ''", .again = "again $post",
     .after = "HMGET :post:$post author text boost => $alice '' $older; ZRANGE :posts:$alice 0 -1 => $post; ZRANGE "
              ":boosted:$alice 0 -1 WITHSCORES => $older $post 0; LRANGE :home:$alice 0 -1 => $post $older; HMGET "
              ":job:$job type post boost => fanout $post $older; HGET :homestate:$alice marks => 1; EXISTS "
              ":request:$alice:r => 0; EXISTS :limit:$alice:n => 1"},
    {CALL(post_create, post_create, BOOSTED(OLDER), NO_LIMIT, ANY_TIME), .way = "a boost beside that of a newer post",
     .before = USER_IS_THERE "; " BOOST_OF("$newer", "$bob"), .reply = "ok $post 0 push [] '' ''",
     .again = "again $post", .after = "ZCARD :boosted:$alice => 2"},
    {CALL(post_create, post_create, BOOSTED(OLDER), AT_LIMIT, ANY_TIME), .way = "a second boost",
     .before = USER_IS_THERE "; " BOOST_OF("$older", "$bob"), .reply = "again $bob"},
    {CALL(post_create, post_create, BOOSTED(OLDER), AT_LIMIT, ANY_TIME, .see = {BOB, false}),
     .way = "a boost of who blocks him", .before = USER_IS_THERE "; HSET :apart:$alice $bob B", .reply = "hidden"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "nobody", .reply = "gone"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "a deleted user",
     .before = USER_IS_GONE, .reply = "gone"},
    {CALL(post_create, post_create, POSTED("push"), AT_LIMIT, ANY_TIME), .way = "too often", .before = USER_IS_THERE,
     .reply = "limited 60000"},

    /* posted */
    {CALL(posted, posted, ROW_BUCKET), .way = "nobody has counted", .before = "ZADD :users 0 $alice 0 $bob; " TWO_POSTS,
     .reply = "2", .after = "GET :posted => 2"},
    {CALL(posted, posted, ROW_BUCKET), .way = "what is known",
     .before = "SET :posted 7; ZADD :users 0 $alice; " TWO_POSTS, .reply = "7"},
    {CALL(posted_check, posted_check, ROW_BUCKET), .way = "nobody has counted",
     .before = "ZADD :users 0 $alice; " TWO_POSTS, .reply = "ok"},
    {CALL(posted_check, posted_check, ROW_BUCKET), .way = "right",
     .before = "SET :posted 2; ZADD :users 0 $alice; " TWO_POSTS, .reply = "ok"},
    {CALL(posted_check, posted_check, ROW_BUCKET), .way = "wrong",
     .before = "SET :posted 3; ZADD :users 0 $alice; " TWO_POSTS, .reply = "changed"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME), .way = "one more",
     .before = USER_IS_THERE "; SET :posted 7", .reply = "ok $post 0 push [] '' ''", .again = "again $post",
     .after = "GET :posted => 8"},
    {CALL(post_create, post_create, POSTED("push"), NO_LIMIT, ANY_TIME, .direct = true), .way = "one more, but direct",
     .before = USER_IS_THERE "; SET :posted 7", .reply = "ok $post 0 pull [] '' ''", .again = "again $post",
     .after = "GET :posted => 7"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), NO_LIMIT), .way = "one less",
     .before = "SET :posted 7; HSET :post:$post author $alice; ZADD :posts:$alice 0 $post", .reply = "ok",
     .after = "GET :posted => 6"},
    {CALL(unboost, unboost, UNBOOSTED, NO_LIMIT), .way = "one less",
     .before = "SET :posted 7; HSET :post:$post author $alice boost $older; ZADD :posts:$alice 0 $post; " BOOST_OF(
         "$older", "$post"),
     .reply = "ok $post", .after = "GET :posted => 6"},
    {CALL(posts_import, posts_import, ROW_BUCKET,
          (const struct script_posts_import_row[]){{ALICE, POST, {.text = "hello"}}, {ALICE, NEWER, {.text = "more"}}},
          2),
     .way = "two more", .before = USER_IS_THERE "; SET :posted 7", .reply = "[[ok] [ok]]", .after = "GET :posted => 9"},

    /* post_delete, post_read, posts_import, author_posts */
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), OF_LIMIT), .way = "his own", .before = POST_IS_THERE,
     .reply = "ok",
     .after = "EXISTS :post:$post => 0; ZRANGE :posts:$alice 0 -1 => $older; LRANGE :home:$alice 0 -1 => $older; HMGET "
              ":job:$job nonce type uid post targets reply_to thread people => cafe unpost $alice $post a,b $bob "
              "$carol 1,2; ZSCORE :jobs $job "
              "=> 500; EXISTS :limit:$alice:n => 1"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), NO_LIMIT), .way = "written to some alone",
     .before = "HSET :post:$post author $alice; ZADD :directs:$alice 0 $older 0 $post", .reply = "ok",
     .after = "EXISTS :post:$post => 0; ZRANGE :directs:$alice 0 -1 => $older"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), NO_LIMIT), .way = "a boost",
     .before = "HSET :post:$post author $alice boost $older; " BOOST_OF("$older", "$post") "; ZADD :boosted:$alice 0 x",
     .reply = "ok",
     .after = "ZRANGE :boosted:$alice 0 -1 => x; HGET :job:$job boost => $older; HGET :homestate:$alice marks => 1"},
    {CALL(unboost, unboost, UNBOOSTED, OF_LIMIT), .way = "his own",
     .before = "HSET :post:$post author $alice boost $older; " BOOST_OF(
         "$older", "$post") "; ZADD :boosted:$alice 0 x; "
                            "ZADD :posts:$alice 0 $older 0 $post; RPUSH :home:$alice $post $older; ZADD "
                            ":notices:$alice 1 e:$older 2 e:1",
     .reply = "ok $post",
     .after =
         "EXISTS :post:$post => 0; ZRANGE :boosted:$alice 0 -1 => x; ZRANGE :posts:$alice 0 -1 => $older; LRANGE "
         ":home:$alice 0 -1 => $older; HMGET :job:$job nonce type uid post boost => cafe unpost $alice $post $older; "
         "ZSCORE :jobs $job => 500; HGET :homestate:$alice marks => 1; EXISTS :limit:$alice:n => 1; ZRANGE "
         ":notices:$alice 0 -1 => e:1"},
    {CALL(unboost, unboost, UNBOOSTED, NO_LIMIT), .way = "none", .before = BOOST_OF("$newer", "$post"),
     .reply = "gone"},
    {CALL(unboost, unboost, UNBOOSTED, NO_LIMIT), .way = "the job is another's",
     .before = BOOST_OF("$older", "$post") "; " OTHER_JOB, .reply = "stale"},
    {CALL(unboost, unboost, UNBOOSTED, AT_LIMIT), .way = "too often", .before = BOOST_OF("$older", "$post"),
     .reply = "limited 60000"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), NO_LIMIT), .way = "one that is pinned",
     .before = POST_IS_THERE "; ZADD :pins:$alice 1 $older 2 $post", .reply = "ok",
     .after = "ZRANGE :pins:$alice 0 -1 => $older; HEXISTS :job:$job boost => 0; HGET :homestate:$alice marks => 1"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), NO_LIMIT), .way = "no post", .reply = "gone"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, BOB), NO_LIMIT), .way = "another's", .before = POST_IS_THERE,
     .reply = "forbidden"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), NO_LIMIT), .way = "the job is another's",
     .before = POST_IS_THERE "; " OTHER_JOB, .reply = "stale"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), AT_LIMIT), .way = "too often", .before = POST_IS_THERE,
     .reply = "limited 60000"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), AT_LIMIT), .way = "one that was edited since",
     .before = POST_IS_THERE "; HSET :post:$post edited 800",
     .reply = "changed [$alice hello - - - - - - - - - 800 -*]"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), .edited = 800, NO_LIMIT), .way = "one that was edited",
     .before = POST_IS_THERE "; HSET :post:$post edited 800", .reply = "ok", .after = "EXISTS :post:$post => 0"},
    {CALL(post_delete, post_delete, TAKEN_BACK(POST, ALICE), NO_LIMIT), .way = "a boost of what was edited",
     .before = "HSET :post:$post author $alice text '' boost $older; ZADD :notices:$alice 5 e:$older 6 e:$post",
     .reply = "ok", .after = "ZRANGE :notices:$alice 0 -1 => e:$post; " CHANGED},
    {CALL(post_edit, post_edit, EDITED("again", "warned"), .uid = ALICE, OF_LIMIT), .way = "for the first time",
     .before = POST_IS_THERE, .reply = "ok 1 [$alice again - - - bob:1 - warned en - - 900 1,2 -*] [100 '' hello]",
     .after =
         "HGETALL :post:$post => author $alice text again spoiler warned language en mentions bob:1 edited 900 place "
         "1,2; "
         "LRANGE :history:$post 0 -1 => 100 '' hello; HMGET :job:$job nonce type uid post targets people => cafe "
         "edit $alice $post a,b 1,2; ZSCORE :jobs $job => 500; EXISTS :limit:$alice:n => 1"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, .edited = 950, NO_LIMIT),
     .way = "when the clock has gone back", .before = POST_IS_THERE "; HSET :post:$post edited 950",
     .reply = "ok 1 [$alice x - - - bob:1 - '' en - - 951 1,2 -*] [950 '' hello]",
     .after = "HGET :post:$post edited => 951"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, .edited = 700, AT_LIMIT),
     .way = "other words than the caller knows", .before = POST_IS_THERE "; HSET :post:$post edited 800",
     .reply = "changed [$alice hello - - - - - - - - - 800 -*]"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, .edited = 800, NO_LIMIT),
     .way = "once more than is kept",
     .before = POST_IS_THERE "; HSET :post:$post spoiler s edited 800; RPUSH :history:$post 100 a b 200 c d",
     .reply = "ok 1 [$alice x - - - bob:1 - '' en - - 900 1,2 -*] [200 c d 800 s hello]",
     .after = "LRANGE :history:$post 0 -1 => 200 c d 800 s hello; HMGET :post:$post text spoiler edited => x '' 900"},
    {CALL(post_edit, post_edit, EDITED("hello", ""), .uid = ALICE, OF_LIMIT), .way = "the same words",
     .before = "HSET :post:$post author $alice text hello language en place 1,2",
     .reply = "ok 0 [$alice hello - - - - - - en - - - 1,2 -*] []"},
    {CALL(post_edit, post_edit, EDITED("hello", ""), .uid = ALICE, NO_LIMIT), .way = "the same words, another place",
     .before = "HSET :post:$post author $alice text hello language en place 3,4",
     .reply = "ok 1 [$alice hello - - - bob:1 - '' en - - 900 1,2 -*] [100 '' hello]",
     .after = "HGET :post:$post place => 1,2"},
    {CALL(post_edit, post_edit, EDITED("hello", ""), .uid = ALICE, .sensitive = true, NO_LIMIT),
     .way = "the same words, that are sensitive now",
     .before = "HSET :post:$post author $alice text hello language en place 1,2",
     .reply = "ok 1 [$alice hello - - - bob:1 - '' en - - 900 1,2 - 1] [100 '' hello]",
     .after = "HGET :post:$post sensitive => 1; LRANGE :history:$post 0 -1 => 100 '' hello"},
    {CALL(post_edit, post_edit, EDITED("hello", ""), .uid = ALICE, .sensitive = true, OF_LIMIT),
     .way = "the same words, sensitive as before",
     .before = "HSET :post:$post author $alice text hello language en place 1,2 sensitive 1",
     .reply = "ok 0 [$alice hello - - - - - - en - - - 1,2 - 1] []"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, .edited = 800, NO_LIMIT), .way = "what was sensitive",
     .before = POST_IS_THERE "; HSET :post:$post sensitive 1 edited 800",
     .reply = "ok 1 [$alice x - - - bob:1 - '' en - - 900 1,2 -*] [800s '' hello]",
     .after = "HEXISTS :post:$post sensitive => 0; LRANGE :history:$post 0 -1 => 800s '' hello"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, NO_LIMIT), .way = "no post", .reply = "gone"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, NO_LIMIT), .way = "a boost",
     .before = "HSET :post:$post author $alice text '' boost $older", .reply = "gone"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = BOB, NO_LIMIT), .way = "another's", .before = POST_IS_THERE,
     .reply = "forbidden"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, NO_LIMIT), .way = "the job is another's",
     .before = POST_IS_THERE "; " OTHER_JOB, .reply = "stale"},
    {CALL(post_edit, post_edit, EDITED("x", ""), .uid = ALICE, AT_LIMIT), .way = "too often to edit",
     .before = POST_IS_THERE, .reply = "limited 60000"},
    {CALL(post_read, post_read, POST, false), .way = "with its author",
     .before =
         POST_IS_THERE "; " USER_IS_THERE "; ZADD :replies:$post 0 x 0 y; ZADD :favourites:$post 1 x 2 y 3 z; ZADD "
                       ":boosts:$post 1 x",
     .reply = POST_SHOWN_HERE " " ALICE_SHOWN " 2 3 1 []"},
    {CALL(post_read, post_read, POST, true), .way = "with the numbers of its author",
     .before = POST_IS_THERE "; " USER_IS_THERE "; ZADD :following:$alice 1 x; ZADD :followers:$alice 1 x 2 y 3 z",
     .reply = POST_SHOWN_HERE " " ALICE_SHOWN " 0 0 0 [2 1 3 $post]"},
    {CALL(post_read, post_read, POST, true), .way = "with numbers of somebody whose posts are all direct",
     .before = "HSET :post:$post author $alice text hello; " USER_IS_THERE,
     .reply = POST_SHOWN_HERE " " ALICE_SHOWN " 0 0 0 [0 0 0 0]"},
    {CALL(post_read, post_read, POST, false), .way = "no post", .reply = ""},
    {CALL(posts_import, posts_import, ROW_BUCKET,
          (const struct script_posts_import_row[]){{ALICE, POST, {.text = "hello"}}, {ALICE, NEWER, {.text = "more"}}},
          2),
     .way = "two", .before = USER_IS_THERE "; SET :newest:$alice 0", .reply = "[[ok] [ok]]",
     .after = "HGET :post:$post text => hello; HGET :post:$newer text => more; ZRANGE :posts:$alice 0 -1 WITHSCORES => "
              "$post 0 $newer 0; GET :newest:$alice => $newer"},
    {CALL(posts_import, posts_import, ROW_BUCKET,
          (const struct script_posts_import_row[]){{ALICE, POST, {.text = "hello"}}, {BOB, NEWER, {.text = "more"}}},
          2),
     .way = "of the deleted and of nobody", .before = USER_IS_GONE, .reply = "[[gone] [gone]]"},
    {CALL(posts_import, posts_import, ROW_BUCKET,
          (const struct script_posts_import_row[]){{ALICE, OLDER, {.text = "hello"}}, {BOB, POST, {.text = "more"}}},
          2),
     .way = "older than the newest, and another's id",
     .before = USER_IS_THERE "; SET :newest:$alice $post; HSET :user:$bob name bob; HSET :post:$post text hello",
     .reply = "[[stale $post] [stale $post]]"},
    {CALL(author_posts, author_posts, ALICE, "+", "-", true, 2, 9, OLDER, false),
     .way = "newest first, with those unknown",
     .before = POST_IS_THERE "; " USER_IS_THERE "; ZADD :replies:$post 0 x; ZADD :favourites:$post 1 x 2 y; ZADD "
                             ":boosts:$post 1 x",
     .reply = "[$post $older] " ALICE_SHOWN " [" POST_SHOWN_HERE " [1 2 1]] []"},
    {CALL(author_posts, author_posts, ALICE, "+", "-", true, 2, 9, OLDER, true), .way = "with the author's numbers",
     .before = POST_IS_THERE "; " USER_IS_THERE "; ZADD :followers:$alice 1 x",
     .reply = "[$post $older] " ALICE_SHOWN " [" POST_SHOWN_HERE " [0 0 0]] [2 0 1 $post]"},
    {CALL(author_posts, author_posts, ALICE, "-", "+", false, 1, 0, 0, false), .way = "oldest first, ids alone",
     .before = POST_IS_THERE, .reply = "[$older]"},

    /* homes */
    {CALL(home_begin, home_begin, ALICE, 4, "t", 1000000), .way = "for a while", .before = HOME "; " STATE " mark 1",
     .reply = "ok",
     .after = "LRANGE :home:$alice 0 -1 => 0; PTTL :home:$alice => ~1000000; HMGET :homestate:$alice epoch stamp build "
              "mark => 4 t 1 -"},
    {CALL(home_begin, home_begin, ALICE, 4, "t", 0), .way = "for ever", .reply = "ok",
     .after = "PTTL :home:$alice => -1"},
    {CALL(home_drop, home_drop, ALICE, "t"), .way = "one that is read", .before = HOME "; " STATE, .reply = "ok",
     .after = "EXISTS :home:$alice => 0; HMGET :homestate:$alice stamp build => t 1"},
    {CALL(home_drop, home_drop, ALICE, "t"), .way = "of nobody", .reply = "ok"},
    {CALL(newest_insert, newest_insert, ROW_BUCKET, "{7}:tag", POST, 3), .way = "at its place, once",
     .before = "RPUSH :tag $newer $older $post", .reply = "ok", .after = "LRANGE :tag 0 -1 => $newer $post $older"},
    {CALL(newest_insert, newest_insert, ROW_BUCKET, "{7}:tag", POST, 3), .way = "a list that is begun", .reply = "ok",
     .after = "LRANGE :tag 0 -1 => $post"},
    {CALL(newest_insert, newest_insert, ROW_BUCKET, "{7}:tag", OLDER, 2), .way = "behind the end",
     .before = "RPUSH :tag $newer $post", .reply = "old"},
    {CALL(newest_insert, newest_insert, ROW_BUCKET, "{7}:tag", OLDER, 3), .way = "behind the end, with room",
     .before = "RPUSH :tag $newer $post", .reply = "ok", .after = "LRANGE :tag 0 -1 => $newer $post $older"},
    {CALL(home_late, home_late, ALICE, POST, 3), .way = "at its place, once",
     .before = "RPUSH :home:$alice $newer $older $post", .reply = "ok",
     .after = "LRANGE :home:$alice 0 -1 => $newer $post $older; HGET :homestate:$alice late => 1", .repeats = true},
    {CALL(home_late, home_late, ALICE, POST, 3), .way = "no home", .reply = "absent",
     .after = "EXISTS :homestate:$alice => 0"},
    {CALL(home_late, home_late, ALICE, OLDER, 3), .way = "below the window",
     .before = "RPUSH :home:$alice $newer $post", .reply = "old", .after = "LRANGE :home:$alice 0 -1 => $newer $post"},
    {CALL(home_range, home_range, ALICE, POST, 1, 1, 9), .way = "around a cursor",
     .before = "RPUSH :home:$alice $job $list $newer $post $older $alice", .reply = "2 0 [$newer $post $older]"},
    {CALL(home_range, home_range, ALICE, OLDER, 1, 5, 9), .way = "as far as the end",
     .before = "RPUSH :home:$alice $newer $post $older 0", .reply = "1 1 [$post $older 0]"},
    {CALL(home_range, home_range, ALICE, BOB, 1, 1, 2), .way = "all, for a cursor that is not there",
     .before = "RPUSH :home:$alice $newer $post $older", .reply = "0 1 [$newer $post]"},
    {CALL(home_range, home_range, ALICE, OLDER, 1, 1, 2), .way = "all, for a cursor beyond its size",
     .before = "RPUSH :home:$alice $newer $post $older", .reply = "0 1 [$newer $post]"},
    {CALL(home_range, home_range, ALICE, BOB, 1, 1, 2), .way = "none", .reply = "0 1 []"},
    {CALL(home_store, home_store, STORED, .ttl = 1000000, .oldest = OLDER, IDS(window, POST, OLDER)),
     .way = "with what came meanwhile", .before = "RPUSH :home:$alice $newer $alice 0; " STATE, .reply = "ok",
     .again = "stale",
     .after = "LRANGE :home:$alice 0 -1 => $newer $post $older; PTTL :home:$alice => ~1000000; HMGET :homestate:$alice "
              "stamp build mark epoch => t 0 77 4"},
    {CALL(home_store, home_store, STORED, .ttl = 0, .oldest = 0, IDS(window, POST)), .way = "all that there is",
     .before = "RPUSH :home:$alice $newer 0; " STATE, .reply = "ok", .again = "stale",
     .after = "LRANGE :home:$alice 0 -1 => $newer $post 0; PTTL :home:$alice => -1"},
    {CALL(home_store, home_store, STORED, .ttl = 0, .oldest = 0, IDS(window, POST, OLDER)),
     .way = "more than it may hold", .before = "RPUSH :home:$alice $newer $alice 0; " STATE, .reply = "ok",
     .again = "stale", .after = "LRANGE :home:$alice 0 -1 => $newer $post $older"},
    {CALL(home_store, home_store, STORED, .ttl = 0, .keeps = true, IDS(window, NEWER, BOB)),
     .way = "as far as the list goes", .before = "RPUSH :home:$alice $post $older; " STATE, .reply = "ok",
     .again = "stale", .after = "LRANGE :home:$alice 0 -1 => $newer $post $older"},
    {CALL(home_store, home_store, STORED, .oldest = 0, IDS(window, POST)), .way = "another stamp",
     .before = HOME "; HSET :homestate:$alice epoch 4 stamp u", .reply = "stale"},
    {CALL(home_store, home_store, STORED, .oldest = 0, IDS(window, POST)), .way = "another epoch",
     .before = HOME "; HSET :homestate:$alice epoch 5 stamp s", .reply = "stale"},
    {CALL(home_store, home_store, STORED, .oldest = 0, IDS(window, POST)), .way = "a home that ran out",
     .before = STATE, .reply = "stale"},

    /* jobs */
    {CALL(job_create, job_create, JOB_OF("purge")), .way = "a new one", .reply = "ok",
     .after = "HMGET :job:$job nonce cursor type uid => cafe 0 purge $alice; ZRANGE :jobs 0 -1 WITHSCORES => $job 500"},
    {CALL(job_create, job_create, JOB_OF("purge")), .way = "another's", .before = OTHER_JOB, .reply = "stale"},
    {CALL(job_done, job_done, JOB_OF("purge")), .way = "its own", .before = JOB_IS_MINE, .reply = "ok",
     .after = "EXISTS :job:$job :jobs => 0"},
    {CALL(job_done, job_done, JOB_OF("purge")), .way = "another's", .before = OTHER_JOB "; ZADD :jobs 9 $job",
     .reply = "ok"},
    {CALL(job_save, job_save, JOB_OF("purge"), "c"), .way = "its own", .before = JOB_IS_MINE, .reply = "ok",
     .after = "HMGET :job:$job cursor attempts => c 0; ZSCORE :jobs $job => 500"},
    {CALL(job_done, job_done, OLD_JOB), .way = "one of version 0.1.0", .before = OLD_JOB_IS_THERE, .reply = "ok",
     .after = "EXISTS :job:$job :jobs => 0"},
    {CALL(job_done, job_done, JOB_OF("purge")), .way = "one of version 0.1.0 is another's", .before = OLD_JOB_IS_THERE,
     .reply = "ok"},
    {CALL(job_save, job_save, OLD_JOB, "c"), .way = "one of version 0.1.0", .before = OLD_JOB_IS_THERE, .reply = "ok",
     .after = "HGET :job:$job cursor => c"},
    {CALL(job_save, job_save, JOB_OF("purge"), "c"), .way = "another's", .before = OTHER_JOB, .reply = "gone"},
    {CALL(job_save, job_save, JOB_OF("purge"), "c"), .way = "no job", .reply = "gone"},
    {CALL(job_wait, job_wait, JOB_OF("purge")), .way = "its own", .before = JOB_IS_MINE, .reply = "ok",
     .after = "HGET :job:$job attempts => 1", .repeats = true},
    {CALL(job_wait, job_wait, JOB_OF("purge")), .way = "no attempt yet", .before = "HSET :job:$job nonce cafe",
     .reply = "ok"},
    {CALL(job_wait, job_wait, JOB_OF("purge")), .way = "another's", .before = OTHER_JOB " attempts 2", .reply = "gone"},
    {CALL(job_claim, job_claim, ROW_BUCKET, 100, 200, 900, 9, 2), .way = "whose lease has ended, or never ends",
     .before = "ZADD :jobs 99 $alice 150 $bob 901 $carol 1 $job; HSET :job:$alice type t; HSET :job:$bob type t; HSET "
               ":job:$carol type t attempts 1",
     .reply = "[$alice [type t attempts 1] $carol [type t attempts 2]]", .again = "[]",
     .after = "ZRANGE :jobs 0 -1 WITHSCORES => $bob 150 $alice 200 $carol 200"},
    {CALL(job_claim, job_claim, ROW_BUCKET, 100, 200, 900, 9, 2), .way = "one that failed too often",
     .before = "ZADD :jobs 99 $alice; HSET :job:$alice type t attempts 2", .reply = "[]",
     .after = "EXISTS :jobs => 0; LRANGE :dead 0 -1 => $alice; HGET :job:$alice type => t"},
    {CALL(job_claim, job_claim, ROW_BUCKET, 100, 200, 900, 1, 2), .way = "no more than wanted",
     .before = "ZADD :jobs 98 $alice 99 $bob 901 $carol; HSET :job:$alice type t; HSET :job:$bob type t; HSET "
               ":job:$carol type t",
     .reply = "[$alice [type t attempts 1]]", .again = "[$bob [type t attempts 1]]",
     .after = "ZRANGE :jobs 0 -1 WITHSCORES => $bob 99 $alice 200 $carol 901", .repeats = true},

    /* limits */
    {CALL(limit, limit_take, NO_LIMIT), .way = "for nothing", .reply = "ok"},
    {CALL(limit, limit_take, .limit = {.uid = ALICE, .name = "n", .cost = 1, .seconds = 1000, .count = 1}),
     .way = "the last", .reply = "ok", .again = "limited ~1000000", .after = "PTTL :limit:$alice:n => ~1000000"},
    {CALL(limit, limit_take, OF_LIMIT), .way = "after the clock was set back",
     .before = "SET :limit:$alice:n 99999999999999", .reply = "ok", .after = "PTTL :limit:$alice:n => ~6667",
     .repeats = true},
    {CALL(limit, limit_take, AT_LIMIT), .way = "too often", .reply = "limited 60000"},
    {CALL(rate_limit, rate_limit, ROW_BUCKET, 1, 1000, (const struct script_rate_limit_row[]){{"a", 2}, {"b", 4}}, 2),
     .way = "of two", .reply = "ok", .after = "PTTL :rate:a => ~500000; PTTL :rate:b => ~250000", .repeats = true},
    {CALL(rate_limit, rate_limit, ROW_BUCKET, 1, 60, (const struct script_rate_limit_row[]){{"a", 2}, {"b", 0}}, 2),
     .way = "one of them full", .reply = "limited 60000"},

    /* events, epoch, health */
    {CALL(announce, announce, ROW_BUCKET, "{7}:events", 100, "p", POST, 5, "gone"), .way = "an event", .reply = "ok",
     .after = "XRANGE :events - + => [0-1 [k p i $post n 5 m gone]]", .repeats = true},
    {CALL(health, health, "padding"), .way = "writes", .reply = "ok",
     .after = "GET {0}:health => 1; PTTL {0}:health => ~60000"},
    {CALL(epoch, epoch, EPOCH(BEGIN, .seen_ahead = 0)), .way = "a new site", .reply = "1 k2 push 0 1",
     .again = "1 k2 push 0 0",
     .after =
         "HMGET {0}:site mode epoch ahead key => push 1 0 k2; XRANGE {0}:events - + => [0-1 [k e i 1 m push n 8]]; "
         "XRANGE {0}:changes - + => [0-1 [k e i 1 m push n 8]]"},
    {CALL(epoch, epoch, EPOCH(BEGIN, .known = 3)), .way = "in the same mode", .before = SITE, .reply = "3 k push 10 0",
     .after = NO_EPOCH},
    {CALL(epoch, epoch, EPOCH(BEGIN, .known = 3)), .way = "in another mode",
     .before = "HSET {0}:site mode pull epoch 3 key k", .reply = "4 k push 0 1", .again = "4 k push 0 0",
     .after = "HMGET {0}:site mode epoch => push 4; XLEN {0}:events => 1"},
    {CALL(epoch, epoch, EPOCH(LOOK, .known = 3)), .way = "a look", .before = SITE, .reply = "3 k push 10 0"},
    {CALL(epoch, epoch, EPOCH(LOOK, .known = 2, .seen_ahead = 11)), .way = "ids ahead of the clock", .before = SITE,
     .reply = "4 k push 11 1", .again = "4 k push 11 0", .after = "HMGET {0}:site epoch ahead => 4 11"},
    {CALL(epoch, epoch, EPOCH(LOOK, .known = 7)), .way = "older data than were seen", .before = SITE,
     .reply = "8 k push 10 1", .again = "8 k push 10 0", .after = "HGET {0}:site epoch => 8"},
    {CALL(epoch, epoch, EPOCH(LOOK, .known = 7, .served = true)), .way = "older data of another mode",
     .before = "HSET {0}:site mode pull epoch 3 key k", .reply = "8 k push 0 1", .again = "8 k push 0 0",
     .after = "HGET {0}:site mode => push"},
    {CALL(epoch, epoch, EPOCH(MOVE, .known = 3)), .way = "asked for", .before = SITE, .reply = "4 k push 10 1",
     .again = "5 k push 10 1", .after = "HGET {0}:site epoch => 4", .repeats = true},
};

#endif
