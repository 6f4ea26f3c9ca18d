-- What scripts do with jobs (see social/job.h). Two processes can give the same id to jobs of their own, in one bucket and one
-- millisecond. The nonce tells them apart; jobs that version 0.1.0 wrote have none, which reads as ''.

-- Whose job has this key: 'free' (nobody's), 'mine' (the same call wrote it before and its reply was lost) or 'taken'.
local function job_owner(job, nonce)
    local found = redis.call('HGET', job, 'nonce')
    if not found and redis.call('EXISTS', job) == 0 then
        return 'free'
    end
    return (found or '') == nonce and 'mine' or 'taken'
end

-- Queues a job under a key that is free.
local function job_queue(jobs, job, id, lease, nonce, ...)
    redis.call('ZADD', jobs, lease, id)
    redis.call('HSET', job, 'nonce', nonce, 'cursor', '0', ...)
end

-- Ends a job, but not one of another process that has its id.
local function job_end(jobs, job, id, nonce)
    if job_owner(job, nonce) ~= 'taken' then
        redis.call('ZREM', jobs, id)
        redis.call('DEL', job)
    end
end
