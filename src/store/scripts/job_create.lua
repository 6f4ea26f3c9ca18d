#!lua
-- Queues a job that belongs to no change: one of the check.
--include job_queue
--: reply OK
--: reply STALE
local is_there, is_mine = job_find()
if is_there and not is_mine then
    return {STALE}
end
if not is_there then
    job_queue()
end
return {OK}
