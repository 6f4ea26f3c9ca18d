#!lua flags=allow-oom
-- Takes a tag off the user's profile; its time is its id.
--include limit
--: key   featured  FEATURED uid
--: arg   uid       id
--: arg   time      number  -- us
--: reply OK
--: reply GONE  -- there is none
if #redis.call('ZRANGE', featured, time, time, 'BYSCORE') == 0 then
    return {GONE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('ZREMRANGEBYSCORE', featured, time, time)
return {OK}
