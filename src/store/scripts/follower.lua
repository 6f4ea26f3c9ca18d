#!lua flags=allow-oom
-- The other side of a relation, in the bucket of the one who is followed or asked, who is told of it. Whether it is a request is decided
-- here, where the lock is: who is a follower stays one. GONE: he was deleted, or one of both blocks the other.
--include follower_begins
--: key   user       USER uid
--: key   apart      APART uid
--: arg   uid        id      -- who is followed
--: arg   follower   id
--: arg   state      off|on|asks
--: arg   tells      flag    -- the follower wants to be told of posts
--: arg   now        number  -- us
--: reply OK         is:off|on|asks full:number
--: reply GONE

-- The follower is told of posts from here on, or not any more. False: there is no room.
local function watch(on)
    if not on then
        watcher_ends(follower)
    elseif tonumber(redis.call('ZSCORE', watchers, follower) or '0') <= 0 then
        if redis.call('ZCOUNT', watchers, '(0', '+inf') >= watchers_most then
            return false
        end
        redis.call('ZADD', watchers, digits(tonumber(now)), follower)
    end
    return true
end

if state == 'off' then
    follower_ends(follower)
    return {OK, 'off', 0}
end
local found = redis.call('HMGET', user, USER_NAME, USER_DELETED, USER_LOCKED)
if not found[1] or found[2] == '1' or string.find(redis.call('HGET', apart, follower) or '', '[bB]') then
    return {GONE}
end
local is_follower = redis.call('ZSCORE', followers, follower) ~= false
if found[3] == '1' and not is_follower then
    local time = notice_time(time_after(requests, now))
    if redis.call('ZADD', requests, 'NX', digits(time), follower) == 1 then
        notice_tell('q:' .. follower, follower, time)
        notice_changed()
    end
    watcher_ends(follower)
    return {OK, 'asks', 0}
end
request_ends(follower)
if not is_follower then
    follower_begins(follower, now)
end
return {OK, 'on', watch(tells == '1') and 0 or 1}
