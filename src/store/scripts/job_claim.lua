#!lua flags=allow-oom
-- Takes jobs whose worker's lease has ended (he died, or nobody has begun), and those whose lease ends later than any that is given
-- now: the clock has gone back since, and they would wait for it. Jobs that failed too often are put aside.
-- KEYS  jobs, dead
-- ARGV  bucket prefix, now (ms), lease end (ms), later than any lease (ms), most jobs, most attempts
-- reply {id, {field, value, …}, …}
local r = {}
local most = tonumber(ARGV[5])
local ids = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[2], 'BYSCORE', 'LIMIT', 0, most)
if #ids < most then
    for _, id in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[4], '+inf', 'BYSCORE', 'LIMIT', 0, most - #ids)) do
        ids[#ids + 1] = id
    end
end
for _, id in ipairs(ids) do
    local job = ARGV[1] .. 'job:' .. id
    if redis.call('EXISTS', job) == 0 then
        redis.call('ZREM', KEYS[1], id)
    elseif redis.call('HINCRBY', job, 'attempts', 1) > tonumber(ARGV[6]) then
        redis.call('ZREM', KEYS[1], id)
        redis.call('LPUSH', KEYS[2], id)
    else
        redis.call('ZADD', KEYS[1], ARGV[3], id)
        r[#r + 1] = id
        r[#r + 1] = redis.call('HGETALL', job)
    end
end
return r
