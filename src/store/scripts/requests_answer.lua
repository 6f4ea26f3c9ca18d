#!lua
-- Accepts or rejects who asks to follow a user: those named at once, or, if none is named, all who ask at this moment, in parts. The job
-- written here brings their own sides after.
-- changed: of those named, who did ask; count: how many are answered in all
--include job_queue
--include limit
--include request_answer
--include user
--: key   user     USER uid
--: arg   uid      id
--: arg   grants   flag
--: arg   now      number  -- us
--: ids   targets
--: reply OK       changed:any count:number
--: reply GONE
--: reply STALE
if not user_lives(user) then
    return {GONE}
end
local is_there, is_mine = job_find()
local changed = {}
if is_mine then
    for who in string.gmatch(redis.call('HGET', job, JOB_TARGETS), '%d+') do
        changed[#changed + 1] = who
    end
    return {OK, changed, #changed}
end
local named = #ARGV >= targets
local newest = redis.call('ZRANGE', requests, -1, -1, 'WITHSCORES')[2]
for i = targets, #ARGV do
    if redis.call('ZSCORE', requests, ARGV[i]) then
        changed[#changed + 1] = ARGV[i]
    end
end
local is_any = newest and not (named and #changed == 0)
if is_any and is_there then
    return {STALE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if not is_any then
    return {OK, changed, 0}
end
local count = named and #changed or redis.call('ZCARD', requests)
for _, who in ipairs(changed) do
    request_answer(who, grants, now)
end
job_queue(JOB_TARGETS, table.concat(changed, ','), JOB_GRANTS, grants, JOB_UPTO, named and '' or digits(tonumber(newest)))
return {OK, changed, count}
