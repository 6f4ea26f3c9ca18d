-- Wants include/trend.lua before it.
--: arg   at      number  -- ms: the time of the post
local day_ms, days_kept = 86400000, 7
local function day_of(ms)
    return math.floor(tonumber(ms) / day_ms)
end

-- Adds to what is known of the day on which a tag was used. Days that nobody is shown any more go.
local function trend_day(tag, uses, people)
    local key, day = prefix .. KEY_TAGDAYS .. period .. '|' .. tag, day_of(at)
    local found = redis.call('HGET', key, day)
    local had_uses, had_people = string.match(found or '0/0', '(%d+)/(%d+)')
    uses = math.max(0, had_uses + uses)
    people = math.min(uses, math.max(1, had_people + people)) -- somebody has used it
    if uses == 0 then
        redis.call('HDEL', key, day)
        return
    end
    redis.call('HSET', key, day, string.format('%d/%d', uses, people))
    if not found then
        for _, old in ipairs(redis.call('HKEYS', key)) do
            if tonumber(old) <= day - days_kept then
                redis.call('HDEL', key, old)
            end
        end
    end
    redis.call('PEXPIRE', key, days_kept * day_ms)
end
