--include trend

-- Counts the people of a tag anew.
local function trend_count(tag)
    local people = trend_people(tag)
    redis.call('ZREMRANGEBYSCORE', people, '-inf', since)
    local count = redis.call('ZCARD', people)
    if count > 0 then
        redis.call('ZADD', trends, count, tag)
    else
        redis.call('ZREM', trends, tag)
    end
end
