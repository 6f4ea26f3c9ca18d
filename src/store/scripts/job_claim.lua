#!lua
-- Takes jobs whose worker's lease has ended (he died, or nobody has begun). Jobs that failed too often are put aside.
-- KEYS  jobs, dead
-- ARGV  bucket prefix, now (ms), lease end (ms), most jobs, most attempts
-- reply {id, {field, value, …}, …}
local r = {}
local ids = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[4])
if #ids == 0 then
    -- a lease that ends a minute later than any that is given now: the clock has gone back since, and it would never end
    ids = redis.call('ZRANGE', KEYS[1], ARGV[3] + 60000, '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[4])
end
for _, id in ipairs(ids) do
    local job = ARGV[1] .. 'job:' .. id
    if redis.call('EXISTS', job) == 0 then
        redis.call('ZREM', KEYS[1], id)
    elseif redis.call('HINCRBY', job, 'attempts', 1) > tonumber(ARGV[5]) then
        redis.call('ZREM', KEYS[1], id)
        redis.call('LPUSH', KEYS[2], id)
    else
        redis.call('ZADD', KEYS[1], ARGV[3], id)
        r[#r + 1] = id
        r[#r + 1] = redis.call('HGETALL', job)
    end
end
return r
