/* script_rows_tokens.h - rows (script_case.h) of the scripts of applications, codes and tokens. The job's id stands for an
 * application's.
 */
#ifndef TESTS_SCRIPT_ROWS_TOKENS_H
#define TESTS_SCRIPT_ROWS_TOKENS_H

#include "script_case.h"

CALLER(app_create, app_create)
CALLER(app_token, app_token)
CALLER(code_use, code_use)
CALLER(token_create, token_create)
CALLER(token_end, token_end)
CALLER(token_seen, token_seen)

#define APP_FORM                                                                                                       \
    .id = JOB, .ttl = 1000000, .secret = "s", .record = &(const struct record_app)                                     \
    {                                                                                                                  \
        .name = "Toot", .scopes = 5                                                                                    \
    }
#define TOKEN_OF(owner_)                                                                                               \
    .id = (owner_), .hash = "h", .now = 3000, .most = 2, .record = &(const struct record_token)                        \
    {                                                                                                                  \
        .app = JOB, .app_name = "Toot", .app_website = "", .scopes = 5                                                 \
    }
#define CODE_FOR(app_, redirect_, challenge_)                                                                          \
    .id = ALICE, .hash = "h", .now = 3000, .most = 2, .secret = "c", .app = (app_), .redirect = (redirect_),           \
    .challenge = (challenge_)
#define CODE_IS_THERE                                                                                                  \
    "HSET :user:$alice name alice password old; HSET :code:$alice:c app $job app_name Toot app_website w scopes 1f "   \
    "redirect urn:oob"
#define TOKENS_ARE_THERE "HSET :token:$alice:a app $job; HSET :token:$alice:b app $job; ZADD :tokens:$alice 1 a 2 b"

static const struct row rows_tokens[] = {
    {CALL(app_create, app_create, APP_FORM), .way = "new", .reply = "ok",
     .after = "HMGET :app:$job name scopes secret => Toot 5 s; PTTL :app:$job => ~1000000"},
    {CALL(app_create, app_create, APP_FORM), .way = "the id is taken", .before = "HSET :app:$job secret t name Other",
     .reply = "stale"},

    {CALL(token_create, token_create, TOKEN_OF(ALICE), .checked = ""), .way = "the first",
     .before = "HSET :user:$alice name alice password old", .reply = "ok 0",
     .after = "HMGET :token:$alice:h app app_name scopes created seen => $job Toot 5 3000 3000; PTTL :token:$alice:h "
              "=> -1; ZRANGE :tokens:$alice 0 -1 WITHSCORES => h 3000"},
    {CALL(token_create, token_create, TOKEN_OF(ALICE), .checked = "old"), .way = "the oldest makes room",
     .before = "HSET :user:$alice name alice password old; " TOKENS_ARE_THERE, .reply = "ok 1", .again = "ok 0",
     .after = "EXISTS :token:$alice:a => 0; ZRANGE :tokens:$alice 0 -1 => b h"},
    {CALL(token_create, token_create, TOKEN_OF(ALICE), .checked = "older"), .way = "the password was changed",
     .before = "HSET :user:$alice name alice password old", .reply = "gone"},
    {CALL(token_create, token_create, TOKEN_OF(ALICE), .checked = ""), .way = "nobody", .reply = "gone"},
    {CALL(token_create, token_create, TOKEN_OF(ALICE), .checked = ""), .way = "a deleted user",
     .before = "HSET :user:$alice name alice deleted 1", .reply = "gone"},

    {CALL(app_token, app_token, TOKEN_OF(JOB), .ttl = 1000000), .way = "of one that runs out",
     .before = "HSET :app:$job secret s; PEXPIRE :app:$job 1000", .reply = "ok 0",
     .after = "PTTL :token:$job:h => ~1000000; PTTL :tokens:$job => ~1000000; PTTL :app:$job => ~1000000; HGET "
              ":token:$job:h app => $job"},
    {CALL(app_token, app_token, TOKEN_OF(JOB), .ttl = 1000000), .way = "of one that stays",
     .before = "HSET :app:$job secret s", .reply = "ok 0",
     .after = "PTTL :token:$job:h => ~1000000; PTTL :app:$job => -1"},
    {CALL(app_token, app_token, TOKEN_OF(JOB), .ttl = 1000000), .way = "of none", .reply = "gone"},

    {CALL(code_use, code_use, CODE_FOR(JOB, "urn:oob", "")), .way = "the first time", .before = CODE_IS_THERE,
     .reply = "ok 0 1f",
     .after = "HMGET :token:$alice:h app app_name app_website scopes created => $job Toot w 1f 3000; ZRANGE "
              ":tokens:$alice 0 -1 => h; HGET :code:$alice:c token => h"},
    {CALL(code_use, code_use, CODE_FOR(JOB, "urn:oob", "x")), .way = "with what it was asked for",
     .before = CODE_IS_THERE " challenge x", .reply = "ok 0 1f", .after = "EXISTS :token:$alice:h => 1"},
    {CALL(code_use, code_use, CODE_FOR(JOB, "urn:oob", "")), .way = "the second time",
     .before = CODE_IS_THERE " token b; " TOKENS_ARE_THERE, .reply = "gone",
     .after = "EXISTS :token:$alice:b => 0; ZRANGE :tokens:$alice 0 -1 => a; EXISTS :token:$alice:h => 0"},
    {CALL(code_use, code_use, CODE_FOR(BOB, "urn:oob", "")), .way = "by another application", .before = CODE_IS_THERE,
     .reply = "gone"},
    {CALL(code_use, code_use, CODE_FOR(JOB, "https://else", "")), .way = "sent elsewhere", .before = CODE_IS_THERE,
     .reply = "gone"},
    {CALL(code_use, code_use, CODE_FOR(JOB, "urn:oob", "")), .way = "without what it was asked for",
     .before = CODE_IS_THERE " challenge x", .reply = "gone"},
    {CALL(code_use, code_use, CODE_FOR(JOB, "urn:oob", "y")), .way = "with something else",
     .before = CODE_IS_THERE " challenge x", .reply = "gone"},
    {CALL(code_use, code_use, CODE_FOR(JOB, "urn:oob", "")), .way = "of somebody who was deleted",
     .before = CODE_IS_THERE "; HSET :user:$alice deleted 1", .reply = "gone"},
    {CALL(code_use, code_use, CODE_FOR(JOB, "urn:oob", "")), .way = "that is not there",
     .before = "HSET :user:$alice name alice", .reply = "gone"},

    {CALL(token_end, token_end, ALICE, TOKEN_END_WHICH_ONE, "a"), .way = "one", .before = TOKENS_ARE_THERE,
     .reply = "ok 1", .again = "ok 0", .after = "EXISTS :token:$alice:a => 0; ZRANGE :tokens:$alice 0 -1 => b"},
    {CALL(token_end, token_end, ALICE, TOKEN_END_WHICH_ALL, ""), .way = "all", .before = TOKENS_ARE_THERE,
     .reply = "ok 2", .again = "ok 0", .after = "EXISTS :token:$alice:a :token:$alice:b :tokens:$alice => 0"},
    {CALL(token_end, token_end, ALICE, TOKEN_END_WHICH_ONE, "z"), .way = "one that is not there",
     .before = TOKENS_ARE_THERE, .reply = "ok 0"},

    {CALL(token_seen, token_seen, ALICE, "a", 3000), .way = "in use", .before = TOKENS_ARE_THERE, .reply = "ok",
     .after = "HGET :token:$alice:a seen => 3000"},
    {CALL(token_seen, token_seen, ALICE, "z", 3000), .way = "ended meanwhile", .before = TOKENS_ARE_THERE,
     .reply = "gone"},
};

#endif
