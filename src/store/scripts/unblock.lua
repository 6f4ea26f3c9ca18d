#!lua flags=allow-oom
-- One side of blocking somebody no more. The relations that the block ended stay ended; the job written here brings the other side after.
-- changed: whether he did before
--include job_queue
--include apart
--: arg   uid    id
--: arg   other  id
--: reply OK     changed:number
--: reply STALE
local is_there, is_mine = job_find()
if is_mine then
    return {OK, 1} -- the same call again after a lost reply
end
if not apart_has(redis.call('HGET', apart, other), 'b') then
    return {OK, 0}
end
if is_there then
    return {STALE}
end
apart_set(other, 'b', false)
job_queue(JOB_TARGETS, other)
return {OK, 1}
