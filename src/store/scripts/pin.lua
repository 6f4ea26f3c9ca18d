#!lua
-- Pins one of the user's own posts on top of his profile. Whether all may see it the caller knows: that does not change.
--include limit
--include time
--include user
--: key   user    USER uid
--: key   record  POST post
--: key   pins    PINS uid
--: key   state   HOMESTATE uid
--: arg   uid     id
--: arg   post    id
--: arg   most    number
--: arg   now     number  -- us
--: reply OK
--: reply GONE
--: reply FULL
if not user_lives(user) or redis.call('HGET', record, POST_AUTHOR) ~= uid then
    return {GONE}
end
if redis.call('ZSCORE', pins, post) then
    return {OK}
end
if redis.call('ZCARD', pins) >= tonumber(most) then
    return {FULL}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('ZADD', pins, digits(time_after(pins, now)), post)
redis.call('HINCRBY', state, HOMESTATE_MARKS, 1)
return {OK}
