--include request
--: key followers  FOLLOWERS uid

local follower_day = 86400 * 1000000 -- us

-- The notice that tells of those who began to follow at this time (us).
local function follower_group(time)
    return 'F:' .. math.floor(tonumber(time) / follower_day)
end

-- Somebody follows the user no more, nor asks to; if nobody is left of those who began that day, nothing is told of it.
local function follower_ends(follower)
    request_ends(follower)
    local since = redis.call('ZSCORE', followers, follower)
    redis.call('ZREM', followers, follower)
    local from = since and math.floor(tonumber(since) / follower_day) * follower_day
    if since and redis.call('ZCOUNT', followers, digits(from), '(' .. digits(from + follower_day)) == 0 then
        notice_end(follower_group(since))
    end
end
