#!lua
-- Delivers a post late or again to a home: at its place by id and only once, so that a list stays nearly in order (see
-- social/timelines/home.h). That is counted: who remembers what lies deep in the list must know that something came in there.
--include home
--: key   home      HOME uid
--: key   state     HOMESTATE uid
--: arg   uid       id
--: arg   id        id
--: arg   size      number
--: reply OK
--: reply ABSENT
--: reply OLD
if redis.call('EXISTS', home) == 0 then
    return {ABSENT}
end
if not home_place(home, id, tonumber(size)) then
    return {OLD} -- below the window: the truth has it
end
redis.call('HINCRBY', state, HOMESTATE_LATE, 1)
return {OK}
