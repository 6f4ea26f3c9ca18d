/* script_rows_filters.h - rows (script_case.h) of the scripts of keyword filters. */
#ifndef TESTS_SCRIPT_ROWS_FILTERS_H
#define TESTS_SCRIPT_ROWS_FILTERS_H

#include "script_rows_people.h"

CALLER(filter_add, filter_add)
CALLER(filter_remove, filter_remove)
CALLER(filter_set, filter_set)

#define FILTER(m) .uid = ALICE, .id = 30, .value = "hw:0:tea", .now = 5000, .most = (m)

static const struct row rows_filters[] = {
    {CALL(filter_add, filter_add, FILTER(2)), .way = "the first", .before = USER_IS_THERE, .reply = "ok 30",
     .after = "HGETALL :filters:$alice => 30 hw:0:tea; HGET :homestate:$alice filters => 1"},
    {CALL(filter_add, filter_add, FILTER(9)), .way = "when other processes gave that number, and the next",
     .before = USER_IS_THERE "; HSET :filters:$alice 30 h:0:x 31 h:0:y", .reply = "ok 32",
     .after = "HGETALL :filters:$alice => 30 h:0:x 31 h:0:y 32 hw:0:tea"},
    {CALL(filter_add, filter_add, FILTER(2)), .way = "no room",
     .before = USER_IS_THERE "; HSET :filters:$alice 1 h:0:x 2 h:5001:y", .reply = "full"},
    {CALL(filter_add, filter_add, FILTER(2)), .way = "room, as one has ended",
     .before = USER_IS_THERE "; HSET :filters:$alice 1 h:0:x 2 h:5000:y:1:z", .reply = "ok 30",
     .after = "HKEYS :filters:$alice => 1 30"},
    {CALL(filter_add, filter_add, FILTER(2)), .way = "nobody", .reply = "gone"},
    {CALL(filter_add, filter_add, FILTER(2)), .way = "a deleted user", .before = USER_IS_GONE, .reply = "gone"},
    {CALL(filter_remove, filter_remove, ALICE, 30), .way = "takes it away",
     .before = "HSET :filters:$alice 30 h:0:x 31 h:0:y", .reply = "ok",
     .after = "HKEYS :filters:$alice => 31; HGET :homestate:$alice filters => 1", .again = "gone"},
    {CALL(filter_remove, filter_remove, ALICE, 30), .way = "one that is not there",
     .before = "HSET :filters:$alice 31 h:0:y", .reply = "gone"},
    {CALL(filter_set, filter_set, ALICE, 30, "h:0:x", "hx:0:z"), .way = "changes it",
     .before = "HSET :filters:$alice 30 h:0:x 31 h:0:y", .reply = "ok",
     .after = "HGETALL :filters:$alice => 30 hx:0:z 31 h:0:y; HGET :homestate:$alice filters => 1"},
    {CALL(filter_set, filter_set, ALICE, 30, "h:0:w", "hx:0:z"), .way = "another has changed it",
     .before = "HSET :filters:$alice 30 h:0:x", .reply = "changed"},
    {CALL(filter_set, filter_set, ALICE, 30, "h:0:w", "h:0:x"), .way = "as it is",
     .before = "HSET :filters:$alice 30 h:0:x", .reply = "ok"},
    {CALL(filter_set, filter_set, ALICE, 30, "h:0:x", "h:0:y"), .way = "one that is not there",
     .before = "HSET :filters:$alice 31 h:0:y", .reply = "gone"},
};

#endif
