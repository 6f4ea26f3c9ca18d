#!lua
-- What a user wants of somebody whom he follows, or asks to. Whether he is told of posts concerns the other's side, too: that is the
-- work of the job written here, unless following has just queued it.
--include job_queue
--: key   following  FOLLOWING uid
--: key   asked      ASKED uid
--: key   ties       TIES uid
--: key   state      HOMESTATE uid
--: arg   uid        id
--: arg   other      id
--: arg   boosts     keep|show|hide
--: arg   tells      keep|on|off
--: arg   speaks     flag  -- whether `languages` is given
--: arg   languages  text  -- codes, comma separated; empty: all
--: reply OK         queued:number
--: reply GONE
--: reply STALE
-- queued: whether the job is there. GONE: he neither follows him nor asks to. STALE: another process has a job of this id.
if not redis.call('ZSCORE', following, other) and not redis.call('ZSCORE', asked, other) then
    return {GONE}
end
local old = redis.call('HGET', ties, other) or ''
local letters, spoken = string.match(old, '^(%a*):?(.*)$')
local hides, is_told = string.find(letters, 'r') ~= nil, string.find(letters, 't') ~= nil
local was_told = is_told
if boosts ~= 'keep' then
    hides = boosts == 'hide'
end
if tells ~= 'keep' then
    is_told = tells == 'on'
end
letters = (hides and 'r' or '') .. (is_told and 't' or '')
if speaks == '1' then
    spoken = languages
end
local is_there, is_mine = job_find()
local new = letters .. (spoken == '' and '' or ':' .. spoken)
if new == old then
    return {OK, is_mine and 1 or 0}
end
if is_told ~= was_told and not is_mine then
    if is_there then
        return {STALE}
    end
    job_queue(JOB_TARGETS, other)
    is_mine = true
end
if new == '' then
    redis.call('HDEL', ties, other)
else
    redis.call('HSET', ties, other, new)
end
redis.call('HINCRBY', state, HOMESTATE_TIES, 1)
return {OK, is_mine and 1 or 0}
