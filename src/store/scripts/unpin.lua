#!lua flags=allow-oom
-- Takes a pin off: what is not there is no error.
--include limit
--: key   pins    PINS uid
--: key   state   HOMESTATE uid
--: arg   uid     id
--: arg   post    id
--: reply OK
if not redis.call('ZSCORE', pins, post) then
    return {OK}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('ZREM', pins, post)
redis.call('HINCRBY', state, HOMESTATE_MARKS, 1)
return {OK}
