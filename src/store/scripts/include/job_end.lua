--include job

-- Ends a job, but not one of another process that has its id.
local function job_end()
    local is_there, is_mine = job_find()
    if is_mine or not is_there then
        redis.call('ZREM', jobs, job_id)
        redis.call('DEL', job)
    end
end
