#!lua
-- Somebody has used tags in a post. Each person counts once, however often he does and however often this is repeated.
--include trend_count
--: arg   uid     id
--: arg   at      number  -- ms: the time of the post
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
    redis.call('ZADD', set, 'GT', at, uid)
    redis.call('ZREMRANGEBYRANK', set, 0, -tonumber(people) - 1)
    redis.call('PEXPIRE', set, span)
    trend_count(ARGV[i])
end
for _, tag in ipairs(redis.call('ZRANGE', trends, -looked, -1)) do
    trend_count(tag)
end
redis.call('ZREMRANGEBYRANK', trends, 0, -tonumber(kept) - 1)
return {#ARGV - tags + 1}
