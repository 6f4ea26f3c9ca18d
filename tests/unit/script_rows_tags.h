/* script_rows_tags.h - rows (script_case.h) of the scripts that count who uses which tag. The period "ds" is one whose keys lie in the bucket
 * of all rows.
 */
#ifndef TESTS_SCRIPT_ROWS_TAGS_H
#define TESTS_SCRIPT_ROWS_TAGS_H

#include "script_case.h"

CALLER(trend_add, trend_add)
CALLER(trend_end, trend_end)
CALLER(trend_read, trend_read)
CALLER(trend_days, trend_days)

#define TEA .tags = (const char *const[]){"tea"}, .tags_count = 1
#define TREND_ADD(time) .period = "ds", .since = 1000, .uid = 5, .at = time, .span = 9000, .people = 3, .kept = 3, TEA
#define TREND_END .period = "ds", .since = 1000, .uid = 5, .at = 2000, TEA
#define TREND_READ .period = "ds", .since = 1000, .most = 2, .least = 2
#define DAYS "HSET :tagdays:ds|tea "
#define DAY_MS 86400000
#define PEOPLE(tag) "ZADD :trendpeople:ds|" tag " "

static const struct row rows_tags[] = {
    /* trend_add */
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "a new tag", .reply = "1",
     .after = "ZRANGE :trends:ds 0 -1 WITHSCORES => tea 1; ZRANGE :trendpeople:ds|tea 0 -1 WITHSCORES => 5 2000; PTTL "
              ":trendpeople:ds|tea => ~9000; HGETALL :tagdays:ds|tea => 0 1/1; PTTL :tagdays:ds|tea => ~604800000"},
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "one who used it later",
     .before = PEOPLE("tea") "3000 5; ZADD :trends:ds 1 tea", .reply = "1",
     .after = "ZRANGE :trendpeople:ds|tea 0 -1 WITHSCORES => 5 3000; ZRANGE :trends:ds 0 -1 WITHSCORES => tea 1"},
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "one who used it before, and another whose time is over",
     .before = PEOPLE("tea") "1500 5 1000 6 1001 7; ZADD :trends:ds 3 tea", .reply = "1",
     .after =
         "ZRANGE :trendpeople:ds|tea 0 -1 WITHSCORES => 7 1001 5 2000; ZRANGE :trends:ds 0 -1 WITHSCORES => tea 2"},
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "more people than are counted",
     .before = PEOPLE("tea") "1500 6 1501 7 1502 8", .reply = "1",
     .after = "ZRANGE :trendpeople:ds|tea 0 -1 => 7 8 5; ZRANGE :trends:ds 0 -1 WITHSCORES => tea 3"},
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "more tags than are counted, and one on top that is over",
     .before = "ZADD :trends:ds 9 over 2 rain 3 snow 4 wind; " PEOPLE("rain") "1500 6 1500 7; " PEOPLE(
         "snow") "1500 6 "
                 "1500 7 1500 8; " PEOPLE("wind") "1500 6 1500 7 1500 8",
     .reply = "1", .after = "ZRANGE :trends:ds 0 -1 WITHSCORES => rain 2 snow 3 wind 3"},
    {CALL(trend_add, trend_add, TREND_ADD(1000)), .way = "a post that is too old", .reply = "0"},
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "one use more of the same person on that day",
     .before = PEOPLE("tea") "1500 5; " DAYS "0 3/2", .reply = "1", .after = "HGETALL :tagdays:ds|tea => 0 4/2"},
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "of somebody else",
     .before = PEOPLE("tea") "1500 6; " DAYS "0 3/2", .reply = "1", .after = "HGETALL :tagdays:ds|tea => 0 4/3"},
    {CALL(trend_add, trend_add, TREND_ADD(7 * DAY_MS + 5)), .way = "on another day, and one that was long ago",
     .before = PEOPLE("tea") "604799000 5; " DAYS "0 3/2 1 5/5 6 1/1", .reply = "1",
     .after = "HGETALL :tagdays:ds|tea => 1 5/5 6 1/1 7 1/1"},
    {CALL(trend_add, trend_add, TREND_ADD(2000)), .way = "the same once more",
     .before = PEOPLE("tea") "2000 5; ZADD :trends:ds 1 tea; " DAYS "0 3/2", .reply = "1",
     .after = "HGETALL :tagdays:ds|tea => 0 3/2"},
    /* trend_end */
    {CALL(trend_end, trend_end, TREND_END), .way = "one use of several",
     .before = PEOPLE("tea") "2000 5; " DAYS "0 3/2", .reply = "1", .after = "HGETALL :tagdays:ds|tea => 0 2/1"},
    {CALL(trend_end, trend_end, TREND_END), .way = "the newest of the only person",
     .before = PEOPLE("tea") "2000 5; " DAYS "0 2/1", .reply = "1", .after = "HGETALL :tagdays:ds|tea => 0 1/1"},
    {CALL(trend_end, trend_end, TREND_END), .way = "the only use", .before = PEOPLE("tea") "2000 5; " DAYS "0 1/1",
     .reply = "1", .after = "EXISTS :tagdays:ds|tea => 0"},
    {CALL(trend_end, trend_end, TREND_END), .way = "the newest of one of two",
     .before = PEOPLE("tea") "2000 5 1500 6; ZADD :trends:ds 2 tea", .reply = "1",
     .after = "ZRANGE :trendpeople:ds|tea 0 -1 => 6; ZRANGE :trends:ds 0 -1 WITHSCORES => tea 1"},
    {CALL(trend_end, trend_end, TREND_END), .way = "of the only one",
     .before = PEOPLE("tea") "2000 5; ZADD :trends:ds 1 tea", .reply = "1",
     .after = "EXISTS :trendpeople:ds|tea :trends:ds => 0"},
    {CALL(trend_end, trend_end, TREND_END), .way = "he has written since",
     .before = PEOPLE("tea") "2001 5; ZADD :trends:ds 1 tea", .reply = "1"},
    {CALL(trend_end, trend_end, TREND_END), .way = "nothing is there", .reply = "1"},
    /* trend_read */
    {CALL(trend_read, trend_read, TREND_READ), .way = "nothing", .reply = "[]"},
    {CALL(trend_read, trend_read, TREND_READ), .way = "what is stored is too much",
     .before = "ZADD :trends:ds 9 old 3 tea 2 rain 2 snow; " PEOPLE("old") "1000 6 1500 7; " PEOPLE(
         "tea") "1500 6 1500 "
                "7 1000 8; " PEOPLE("rain") "1500 6 1500 7; " PEOPLE("snow") "1500 6 1500 7",
     .reply = "[rain 2 snow 2]"},
    {CALL(trend_read, trend_read, TREND_READ), .way = "one whom nobody else uses",
     .before = "ZADD :trends:ds 1 tea; " PEOPLE("tea") "1500 6", .reply = "[]"},
    /* trend_days */
    {CALL(trend_days, trend_days, .bucket = ROW_BUCKET, .period = "ds", .today = 9, .count = 3,
          .tags = (const char *const[]){"rain", "tea"}, .tags_count = 2),
     .way = "one tag that nobody used, and one of three days", .before = DAYS "6 9/9 7 5/4 9 3/2",
     .reply = "[0 0 0 0 0 0 3 2 0 0 5 4]"},
};

#endif
