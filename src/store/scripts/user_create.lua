#!lua
-- Creates a user: the name is claimed and the record written in one step, so one of two concurrent sign-ups wins.
-- KEYS  name, user, users, home, homestate, jobs, job, newest
-- ARGV  uid, epoch, job id, lease end (ms), time to live of the home (ms, '0' for ever), field, value, …   (of the user hash)
-- reply {"ok"} | {"taken"}
local owner = redis.call('GET', KEYS[1])
if owner == ARGV[1] then
    return {'ok'} -- the same call again after a lost reply
end
if owner or redis.call('EXISTS', KEYS[2]) == 1 then
    return {'taken'}
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], unpack(ARGV, 6))
redis.call('ZADD', KEYS[3], 0, ARGV[1])
redis.call('DEL', KEYS[4])
redis.call('RPUSH', KEYS[4], '0')
if ARGV[5] ~= '0' then
    redis.call('PEXPIRE', KEYS[4], ARGV[5])
end
redis.call('HSET', KEYS[5], 'epoch', ARGV[2], 'stamp', ARGV[1], 'build', '0', 'version', '1')
redis.call('SET', KEYS[8], '0')
redis.call('ZADD', KEYS[6], ARGV[4], ARGV[3])
redis.call('HSET', KEYS[7], 'type', 'signup', 'uid', ARGV[1], 'cursor', '0')
return {'ok'}
