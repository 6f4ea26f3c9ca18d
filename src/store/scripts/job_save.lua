#!lua flags=allow-oom
-- Remembers how far a job has come and prolongs the lease; earlier failures no longer count.
--include job
--: arg   cursor  text
--: reply OK
--: reply GONE
local _, is_mine = job_find()
if not is_mine then
    return {GONE}
end
redis.call('HSET', job, JOB_CURSOR, cursor, JOB_ATTEMPTS, '0')
redis.call('ZADD', jobs, job_lease, job_id)
return {OK}
