-- The whole of quiet.lua and unquiet.lua, which differ in what the engine lets them do.
--include limit
--include time
--: shape quiet
--: key   user    USER uid
--: key   quiet   QUIET uid
--: key   state   HOMESTATE uid
--: arg   uid     id
--: arg   root    id      -- the first post of the conversation
--: arg   on      flag
--: arg   now     number  -- us
--: arg   most    number  -- conversations that one may mute; the oldest mutes end
--: reply OK
--: reply GONE
if redis.call('EXISTS', user) == 0 or (on == '1' and redis.call('HGET', user, USER_DELETED) == '1') then
    return {GONE}
end
if (on == '1') == (redis.call('ZSCORE', quiet, root) ~= false) then
    return {OK}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if on == '1' then
    redis.call('ZADD', quiet, digits(time_after(quiet, now)), root)
    redis.call('ZREMRANGEBYRANK', quiet, 0, -tonumber(most) - 1)
else
    redis.call('ZREM', quiet, root)
end
redis.call('HINCRBY', state, HOMESTATE_MARKS, 1)
return {OK}
