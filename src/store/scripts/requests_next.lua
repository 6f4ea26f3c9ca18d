#!lua flags=allow-oom
-- The next part of a job that answers requests, or its end. Those who are answered are written down in it in the same step, so that their
-- own sides are brought after whatever happens.
--include job_end
--include request_answer
--include user
--: key   user     USER uid
--: arg   uid      id
--: arg   grants   flag
--: arg   upto     text    -- us; '': no more than those it has
--: arg   now      number  -- us
--: arg   most     number  -- at once
--: reply OK
--: reply AGAIN    targets:any
local _, is_mine = job_find()
if not is_mine then
    return {OK}
end
local found = {}
if upto ~= '' and user_lives(user) then
    found = redis.call('ZRANGE', requests, '-inf', upto, 'BYSCORE', 'LIMIT', 0, most)
end
if #found == 0 then
    job_end()
    return {OK}
end
for _, who in ipairs(found) do
    request_answer(who, grants, now)
end
redis.call('HSET', job, JOB_TARGETS, table.concat(found, ','), JOB_ATTEMPTS, '0')
redis.call('ZADD', jobs, job_lease, job_id)
return {AGAIN, found}
