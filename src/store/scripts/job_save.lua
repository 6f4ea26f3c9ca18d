#!lua
-- Remembers how far a job has come and prolongs the lease; success also forgives earlier failures.
-- KEYS  jobs, job
-- ARGV  job id, cursor, lease end (ms)
-- reply {"ok"} | {"gone"}
if redis.call('EXISTS', KEYS[2]) == 0 then
    return {'gone'}
end
redis.call('HSET', KEYS[2], 'cursor', ARGV[2], 'attempts', '0')
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
return {'ok'}
