--include request
--include watchers
--: key followers  FOLLOWERS uid

local follower_day = 86400 * 1000000 -- us

-- The notice that tells of those who began to follow at this time (us).
local function follower_group(time)
    return 'F:' .. math.floor(tonumber(time) / follower_day)
end

-- Somebody follows the user no more, nor asks to; if nobody is left of those who began that day, nothing is told of it.
local function follower_ends(follower)
    request_ends(follower)
    watcher_ends(follower)
    local since = redis.call('ZSCORE', followers, follower)
    if since and redis.call('ZREM', followers, follower) == 1 then
        local from = math.floor(tonumber(since) / follower_day) * follower_day
        notice_end(follower_group(since), redis.call('ZRANGE', followers, '(' .. digits(from + follower_day), digits(from), 'BYSCORE',
                                                     'REV', 'LIMIT', 0, 1, 'WITHSCORES')[2])
    end
end
