#!lua
-- Puts a tag on the user's profile. One that is there stays as it is.
--include limit
--include time
--include user
--: key   user      USER uid
--: key   featured  FEATURED uid
--: arg   uid       id
--: arg   tag       text    -- folded
--: arg   now       number  -- us
--: arg   most      number
--: reply OK
--: reply FULL
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
if redis.call('ZSCORE', featured, tag) then
    return {OK}
end
if redis.call('ZCARD', featured) >= tonumber(most) then
    return {FULL}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('ZADD', featured, digits(time_after(featured, now)), tag)
return {OK}
