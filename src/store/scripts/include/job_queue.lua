--include job

-- Queues a job under a key that is free.
local function job_queue(...)
    redis.call('ZADD', jobs, job_lease, job_id)
    redis.call('HSET', job, JOB_NONCE, job_nonce, JOB_CURSOR, '0', JOB_TYPE, job_type, JOB_UID, job_uid, ...)
end
