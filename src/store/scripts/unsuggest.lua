#!lua
-- Somebody is not to be suggested to a user any more. Of too many the oldest are forgotten.
--include limit
--include time
--include user
--: key   user         USER uid
--: key   unsuggested  UNSUGGESTED uid
--: arg   uid          id
--: arg   other        id
--: arg   now          number  -- us
--: arg   most         number  -- of whom that is remembered
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
if redis.call('ZSCORE', unsuggested, other) then
    return {OK}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('ZADD', unsuggested, digits(time_after(unsuggested, now)), other)
redis.call('ZREMRANGEBYRANK', unsuggested, 0, -tonumber(most) - 1)
return {OK}
