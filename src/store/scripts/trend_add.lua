#!lua
-- Somebody has used tags in a post. Each person counts once, however often he does and however often this is repeated.
--include trend_count
--include trend_day
--: arg   uid     id
--: arg   span    number  -- ms: for how long it counts
--: arg   people  number  -- who is counted of one tag, at most
--: arg   kept    number  -- tags that are counted, at most
--: texts tags
--: returns tags:number
local looked = 5 -- tags on top that are counted anew, so that those go whose time is over
if tonumber(at) <= tonumber(since) then
    return {0}
end
for i = tags, #ARGV do
    local set = trend_people(ARGV[i])
    local before = tonumber(redis.call('ZSCORE', set, uid) or -day_ms)
    redis.call('ZADD', set, 'GT', at, uid)
    -- what comes behind a newer use of his may be what has come before
    if before < tonumber(at) then
        trend_day(ARGV[i], 1, day_of(before) < day_of(at) and 1 or 0)
    end
    redis.call('ZREMRANGEBYRANK', set, 0, -tonumber(people) - 1)
    redis.call('PEXPIRE', set, span)
    trend_count(ARGV[i])
end
for _, tag in ipairs(redis.call('ZRANGE', trends, -looked, -1)) do
    trend_count(tag)
end
redis.call('ZREMRANGEBYRANK', trends, 0, -tonumber(kept) - 1)
return {#ARGV - tags + 1}
