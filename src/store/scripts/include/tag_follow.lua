-- The whole of tag_follow.lua and tag_unfollow.lua, which differ in what the engine lets them do.
--include limit
--include time
--: shape tag_follow
--: key   user       USER uid
--: key   interests  INTERESTS uid
--: key   state      HOMESTATE uid
--: arg   uid        id
--: arg   tag        text    -- folded
--: arg   on         flag
--: arg   now        number  -- us
--: arg   most       number  -- tags that one may follow
--: reply OK         version:number tags:any  -- all that he follows now
--: reply FULL
--: reply GONE
if redis.call('EXISTS', user) == 0 or (on == '1' and redis.call('HGET', user, USER_DELETED) == '1') then
    return {GONE}
end
local stands = redis.call('ZSCORE', interests, tag) ~= false
local version = redis.call('HGET', state, HOMESTATE_INTERESTS) or 0
if (on == '1') ~= stands then
    if on == '1' and redis.call('ZCARD', interests) >= tonumber(most) then
        return {FULL}
    end
    local wait = limit_take()
    if wait > 0 then
        return {LIMITED, wait}
    end
    if on == '1' then
        redis.call('ZADD', interests, digits(time_after(interests, now)), tag)
    else
        redis.call('ZREM', interests, tag)
    end
    version = redis.call('HINCRBY', state, HOMESTATE_INTERESTS, 1)
end
return {OK, version, redis.call('ZRANGE', interests, 0, -1)}
