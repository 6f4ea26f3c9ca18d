#!lua
-- Locks an account, so that whoever wants to follow has to ask, or opens it. Who waits then is let in: that is the work of the job written
-- here.
-- queued: whether somebody waits
--include job_queue
--include time
--include user
--: key   user      USER uid
--: key   requests  REQUESTS uid
--: arg   uid       id
--: arg   on        flag
--: reply OK        queued:number
--: reply GONE
--: reply STALE
if not user_lives(user) then
    return {GONE}
end
local is_there, is_mine = job_find()
if is_mine then
    return {OK, 1}
end
local newest = on == '0' and redis.call('ZRANGE', requests, -1, -1, 'WITHSCORES')[2]
if newest and is_there then
    return {STALE}
end
if on == '1' then
    redis.call('HSET', user, USER_LOCKED, '1')
else
    redis.call('HDEL', user, USER_LOCKED)
end
if not newest then
    return {OK, 0}
end
job_queue(JOB_TARGETS, '', JOB_GRANTS, '1', JOB_UPTO, digits(tonumber(newest)))
return {OK, 1}
