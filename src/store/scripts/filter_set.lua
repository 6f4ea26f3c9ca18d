#!lua
-- Changes a filter.
--: key   filters  FILTERS uid
--: key   state    HOMESTATE uid
--: arg   uid      id
--: arg   id       number
--: arg   value    text    -- keys.h, filters
--: reply OK
--: reply GONE
local before = redis.call('HGET', filters, id)
if not before then
    return {GONE}
end
if before ~= value then
    redis.call('HSET', filters, id, value)
    redis.call('HINCRBY', state, HOMESTATE_FILTERS, 1)
end
return {OK}
