#!lua
-- Changes a filter.
--: key   filters  FILTERS uid
--: key   state    HOMESTATE uid
--: arg   uid      id
--: arg   id       number
--: arg   before   text    -- as the caller knows it
--: arg   value    text    -- keys.h, filters
--: reply OK
--: reply GONE
--: reply CHANGED
local now = redis.call('HGET', filters, id)
if not now then
    return {GONE}
end
if now == value then
    return {OK} -- nothing to do, or the same call again after a lost reply
end
if now ~= before then
    return {CHANGED}
end
redis.call('HSET', filters, id, value)
redis.call('HINCRBY', state, HOMESTATE_FILTERS, 1)
return {OK}
