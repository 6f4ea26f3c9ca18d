#!lua
-- Generic cell rate algorithm: so many at once, refilled evenly over `seconds`. One key per limit and caller; several are
-- taken together or not at all.
-- KEYS  rate ...
-- ARGV  cost, seconds, count of each key
-- reply {1, 0} allowed | {0, ms to wait}
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local cost, window = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000
local wait, new = 0, {}
for i, key in ipairs(KEYS) do
    local count = tonumber(ARGV[2 + i])
    local arrival = math.max(tonumber(redis.call('GET', key) or '0'), now)
    if arrival > now + window + 1000 then
        arrival = now -- no call writes this: the clock has gone back since, and nobody is to wait for it to catch up
    end
    new[i] = count > 0 and arrival + window / count * cost or math.huge
    if new[i] - now > window + 0.5 then
        wait = math.max(wait, count > 0 and new[i] - now - window or window)
    end
end
if wait > 0 then
    return {0, math.ceil(wait)}
end
for i, key in ipairs(KEYS) do
    redis.call('SET', key, string.format('%.0f', new[i]), 'PX', string.format('%.0f', math.max(new[i] - now, 1)))
end
return {1, 0}
