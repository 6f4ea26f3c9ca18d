#!lua flags=allow-oom
-- Takes jobs whose lease has ended (the worker died, or nobody has begun), and those whose lease ends later than any new one
-- would: the clock has gone back since, and they would wait for it. Jobs that failed too often are put aside.
-- claimed: {id, {field, value, …}, …}
--: key     jobs      JOBS bucket
--: key     dead      DEAD bucket
--: arg     bucket    bucket
--: arg     prefix    prefix
--: arg     now       number  -- ms
--: arg     lease     number  -- when the new one ends, ms
--: arg     never     number  -- later than any lease, ms
--: arg     most      number
--: arg     attempts  number  -- most
--: returns claimed:any
local r = {}
most = tonumber(most)
local ids = redis.call('ZRANGE', jobs, '-inf', now, 'BYSCORE', 'LIMIT', 0, most)
if #ids < most then
    for _, id in ipairs(redis.call('ZRANGE', jobs, never, '+inf', 'BYSCORE', 'LIMIT', 0, most - #ids)) do
        ids[#ids + 1] = id
    end
end
for _, id in ipairs(ids) do
    local job = prefix .. KEY_JOB .. id
    if redis.call('EXISTS', job) == 0 then
        redis.call('ZREM', jobs, id)
    elseif redis.call('HINCRBY', job, JOB_ATTEMPTS, 1) > tonumber(attempts) then
        redis.call('ZREM', jobs, id)
        redis.call('LPUSH', dead, id)
    else
        redis.call('ZADD', jobs, lease, id)
        r[#r + 1] = id
        r[#r + 1] = redis.call('HGETALL', job)
    end
end
return {r}
