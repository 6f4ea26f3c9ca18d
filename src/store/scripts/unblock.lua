#!lua flags=allow-oom
-- One side of blocking somebody no more. The relations that the block ended stay ended; the job written here brings the other side after.
-- changed: whether he did before
--include job_queue
--include limit
--include apart
--: arg   uid    id
--: arg   other  id
--: reply OK     changed:number
--: reply STALE
local is_there, is_mine = job_find()
if is_mine then
    return {OK, 1} -- the same call again after a lost reply
end
local is = apart_has(redis.call('HGET', apart, other), 'b')
if is and is_there then
    return {STALE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if not is then
    return {OK, 0}
end
apart_set(other, 'b', false)
job_queue(JOB_TARGETS, other)
return {OK, 1}
