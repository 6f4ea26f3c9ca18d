#!lua
-- Creates a user: the name is claimed and the record written in one step, so one of two concurrent sign-ups wins.
--include job_queue
--: key    claim     NAME folded
--: key    user      USER uid
--: key    users     USERS uid
--: key    newest    NEWEST uid
--: arg    folded    text    -- the name
--: arg    uid       id
--: arg    password  text    -- its hash
--: fields record    USER    -- the rest
--: reply  OK
--: reply  TAKEN
--: reply  STALE
-- STALE: another process has a user or job of this id
local owner = redis.call('GET', claim)
if owner then
    -- the same call again after a lost reply; the salt of the hash is its nonce
    local mine = owner == uid and redis.call('HGET', user, USER_PASSWORD) == password
    return {mine and OK or TAKEN}
end
if redis.call('EXISTS', user) == 1 or job_find() then
    return {STALE}
end
redis.call('SET', claim, uid)
redis.call('HSET', user, USER_PASSWORD, password, unpack(ARGV, record))
redis.call('ZADD', users, 0, uid)
redis.call('SET', newest, '0')
job_queue()
return {OK}
