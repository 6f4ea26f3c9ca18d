#!lua flags=allow-oom
-- A claimed job did not begin: it waits in the queue of its process, or the queue was full. That was no attempt.
--include job
--: reply OK
--: reply GONE
local _, is_mine = job_find()
if not is_mine then
    return {GONE}
end
if tonumber(redis.call('HGET', job, JOB_ATTEMPTS) or '0') > 0 then
    redis.call('HINCRBY', job, JOB_ATTEMPTS, -1)
end
return {OK}
