-- What scripts do with jobs (see social/job.h). Two processes can give the same id to jobs of their own, in one bucket and one
-- millisecond. The nonce tells them apart; jobs that version 0.1.0 wrote have none, which reads as ''.
--: key   jobs       JOBS job.id
--: key   job        JOB job.id
--: arg   job.id     id
--: arg   job.lease  number  -- when it ends (ms)
--: arg   job.nonce  hex
--: arg   job.type   text
--: arg   job.uid    id      -- the owner

-- Whether somebody's job has this key, and whether it is this call's, which wrote it before and its reply was lost.
local function job_find()
    local found = redis.call('HGET', job, JOB_NONCE)
    if not found and redis.call('EXISTS', job) == 0 then
        return false, false
    end
    return true, (found or '') == job_nonce
end
