#!lua
-- One side of blocking somebody: that of the one who blocks. Neither follows the other from here on: what lies in this bucket of that goes at
-- once, the rest is the work of the job written here.
-- changed: whether he did not before
--include job_queue
--include limit
--include apart_room
--include following_ends
--include follower_ends
--include user
--: key   user       USER uid
--: arg   uid        id
--: arg   other      id
--: arg   now        number  -- ms
--: arg   most       number  -- whom one may block or mute
--: reply OK         changed:number
--: reply FULL
--: reply GONE
--: reply STALE
if not user_lives(user) then
    return {GONE}
end
local is_there, is_mine = job_find()
if is_mine then
    return {OK, 1} -- the same call again after a lost reply
end
local value = redis.call('HGET', apart, other)
local is = apart_has(value, 'b')
if not is and is_there then
    return {STALE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if is then
    return {OK, 0}
end
if not apart_has(value, 'm') and not apart_has_room(most, now) then
    return {FULL}
end
apart_set(other, 'b', true)
follower_ends(other)
following_ends(other, job_nonce)
job_queue(JOB_TARGETS, other)
return {OK, 1}
