#!lua
-- Recommends somebody to others; one has to follow him.
--include limit
--include time
--: key   following  FOLLOWING uid
--: key   endorsed   ENDORSED uid
--: arg   uid        id
--: arg   other      id
--: arg   now        number  -- us
--: arg   most       number  -- whom one may recommend
--: reply OK
--: reply GONE
--: reply FULL
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if not redis.call('ZSCORE', following, other) then
    return {GONE}
end
if redis.call('ZSCORE', endorsed, other) then
    return {OK}
end
if redis.call('ZCARD', endorsed) >= tonumber(most) then
    return {FULL}
end
redis.call('ZADD', endorsed, digits(time_after(endorsed, now)), other)
return {OK}
