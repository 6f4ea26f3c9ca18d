#!lua
--include job
-- Creates a user: the name is claimed and the record written in one step, so one of two concurrent sign-ups wins.
-- KEYS  name, user, users, home, homestate, jobs, job, newest
-- ARGV  uid, epoch, job id, lease end (ms), nonce, time to live of the home (ms, '0' for ever), password hash,
--       field, value, …   (the rest of the user hash)
-- reply {"ok"} | {"taken"} | {"stale"}: another process has a user or job of this id
local owner = redis.call('GET', KEYS[1])
if owner then
    -- the same call again after a lost reply; the salt of the hash is its nonce
    local mine = owner == ARGV[1] and redis.call('HGET', KEYS[2], 'password') == ARGV[7]
    return {mine and 'ok' or 'taken'}
end
if redis.call('EXISTS', KEYS[2]) == 1 or job_owner(KEYS[7], ARGV[5]) ~= 'free' then
    return {'stale'}
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], 'password', ARGV[7], unpack(ARGV, 8))
redis.call('ZADD', KEYS[3], 0, ARGV[1])
redis.call('DEL', KEYS[4])
redis.call('RPUSH', KEYS[4], '0')
if ARGV[6] ~= '0' then
    redis.call('PEXPIRE', KEYS[4], ARGV[6])
end
redis.call('HSET', KEYS[5], 'epoch', ARGV[2], 'stamp', ARGV[1], 'build', '0', 'version', '1')
redis.call('SET', KEYS[8], '0')
job_queue(KEYS[6], KEYS[7], ARGV[3], ARGV[4], ARGV[5], 'type', 'signup', 'uid', ARGV[1])
return {'ok'}
