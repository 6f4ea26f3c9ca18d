#!lua
-- Generic cell rate algorithm: `count` at once, refilled evenly over `seconds`. One key per limit and caller.
-- KEYS  rate
-- ARGV  count, seconds, cost
-- reply {1, 0} allowed | {0, ms to wait}
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local count, window = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000
if count == 0 then
    return {0, window}
end
local interval = window / count
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
if arrival > now + window + 1000 then
    arrival = now -- no call writes this: the clock has gone back since, and nobody is to wait for it to catch up
end
local new = arrival + interval * tonumber(ARGV[3])
if new - now > window + 0.5 then
    return {0, math.ceil(new - now - window)}
end
redis.call('SET', KEYS[1], string.format('%.0f', new), 'PX', string.format('%.0f', math.max(new - now, 1)))
return {1, 0}
