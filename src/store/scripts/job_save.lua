#!lua flags=allow-oom
--include job
-- Remembers how far a job has come and prolongs the lease; success also forgives earlier failures.
-- KEYS  jobs, job
-- ARGV  job id, nonce, cursor, lease end (ms)
-- reply {"ok"} | {"gone"}
if job_owner(KEYS[2], ARGV[2]) ~= 'mine' then
    return {'gone'}
end
redis.call('HSET', KEYS[2], 'cursor', ARGV[3], 'attempts', '0')
redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1])
return {'ok'}
