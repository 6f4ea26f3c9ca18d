-- What scripts do with rate limits: the generic cell rate algorithm, so many at once, refilled evenly over `seconds`.

local function limit_now()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- The counter (ms) after `cost` more is taken, and how long (ms) to wait until that is allowed; 0: it is allowed now.
local function limit_ask(key, now, cost, seconds, count)
    local window = tonumber(seconds) * 1000
    count = tonumber(count)
    local arrival = math.max(tonumber(redis.call('GET', key) or '0'), now)
    if arrival > now + window + 1000 then
        arrival = now -- no call writes this: the clock has gone back since, and nobody is to wait for it to catch up
    end
    local new = count > 0 and arrival + window / count * cost or math.huge
    if new - now > window + 0.5 then
        return new, math.ceil(count > 0 and new - now - window or window)
    end
    return new, 0
end

local function limit_write(key, now, new)
    redis.call('SET', key, string.format('%.0f', new), 'PX', string.format('%.0f', math.max(new - now, 1)))
end
