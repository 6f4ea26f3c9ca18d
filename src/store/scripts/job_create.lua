#!lua
--include job
-- Queues a job that no change asks for: the check's.
-- KEYS  jobs, job
-- ARGV  job id, lease end (ms), nonce, type, uid
-- reply {"ok"} | {"stale"}
local owner = job_owner(KEYS[2], ARGV[3])
if owner == 'taken' then
    return {'stale'}
end
if owner == 'free' then
    job_queue(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], 'type', ARGV[4], 'uid', ARGV[5])
end
return {'ok'}
