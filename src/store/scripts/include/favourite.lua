-- The whole of favourite.lua and unfavourite.lua, which differ in what the engine lets them do.
--include job_queue
--include limit
--include see
--include time
--: shape favourite
--: key   user        USER uid
--: key   favourited  FAVOURITED uid
--: key   state       HOMESTATE uid
--: arg   uid         id
--: arg   post        id
--: arg   on          flag
--: arg   now         number  -- us
--: reply OK          changed:number
--: reply GONE
--: reply STALE
-- changed: 1, or 0 when it was so before. STALE: another process has a job of this id.
local found = redis.call('HMGET', user, USER_NAME, USER_DELETED)
if not found[1] or (on == '1' and found[2] == '1') then
    return {GONE}
end
local is_there, is_mine = job_find()
if is_mine then
    return {OK, 1} -- the same call again after a lost reply
end
if not see_may() then
    return {HIDDEN}
end
if (on == '1') == (redis.call('ZSCORE', favourited, post) ~= false) then
    return {OK, 0}
end
if is_there then
    return {STALE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if on == '1' then
    redis.call('ZADD', favourited, digits(time_after(favourited, now)), post)
else
    redis.call('ZREM', favourited, post)
end
job_queue(JOB_POST, post)
redis.call('HINCRBY', state, HOMESTATE_MARKS, 1)
return {OK, 1}
