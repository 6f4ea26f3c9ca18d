#!lua flags=allow-oom
-- The other side of a relation, in the bucket of the one who is followed, who is told of it.
--include notice
--include time
--include user
--: key   user       USER uid
--: key   followers  FOLLOWERS uid
--: arg   uid        id      -- who is followed
--: arg   follower   id
--: arg   on         flag
--: arg   now        number  -- us
--: reply OK
--: reply GONE
local day = 86400 * 1000000
if on == '0' then
    local since = redis.call('ZSCORE', followers, follower)
    redis.call('ZREM', followers, follower)
    local from = since and math.floor(tonumber(since) / day)
    if since and redis.call('ZCOUNT', followers, digits(from * day), '(' .. digits((from + 1) * day)) == 0 then
        notice_end('F:' .. from)
    end
    return {OK}
end
if not user_lives(user) then
    return {GONE}
end
local time = time_after(followers, now)
if redis.call('ZADD', followers, 'NX', digits(time), follower) == 1 then
    notice_tell('F:' .. math.floor(time / day), follower, time)
end
return {OK}
