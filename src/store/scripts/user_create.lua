#!lua
--include job
-- Creates a user: the name is claimed and the record written in one step, so one of two concurrent sign-ups wins.
-- KEYS  name, user, users, jobs, job, newest
-- ARGV  uid, job id, lease end (ms), nonce, password hash, field, value, …   (the rest of the user hash)
-- reply {"ok"} | {"taken"} | {"stale"}: another process has a user or job of this id
local owner = redis.call('GET', KEYS[1])
if owner then
    -- the same call again after a lost reply; the salt of the hash is its nonce
    local mine = owner == ARGV[1] and redis.call('HGET', KEYS[2], 'password') == ARGV[5]
    return {mine and 'ok' or 'taken'}
end
if redis.call('EXISTS', KEYS[2]) == 1 or job_owner(KEYS[5], ARGV[4]) ~= 'free' then
    return {'stale'}
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], 'password', ARGV[5], unpack(ARGV, 6))
redis.call('ZADD', KEYS[3], 0, ARGV[1])
redis.call('SET', KEYS[6], '0')
job_queue(KEYS[4], KEYS[5], ARGV[2], ARGV[3], ARGV[4], 'type', 'signup', 'uid', ARGV[1])
return {'ok'}
