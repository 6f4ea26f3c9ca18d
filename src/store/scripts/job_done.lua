#!lua
-- Ends a job.
-- KEYS  jobs, job
-- ARGV  job id
-- reply {"ok"}
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return {'ok'}
