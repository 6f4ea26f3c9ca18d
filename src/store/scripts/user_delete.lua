#!lua flags=allow-oom
--include job
-- Marks a user as deleted: he cannot sign in, his sessions end, and a job takes away what he left.
-- KEYS  user, sessions, jobs, job
-- ARGV  uid, bucket prefix, job id, lease end (ms), nonce
-- reply {"ok"} | {"gone"} | {"stale"}: another process has a job of this id
local job = job_owner(KEYS[4], ARGV[5])
if job == 'mine' then
    return {'ok'} -- the same call again after a lost reply
end
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HGET', KEYS[1], 'deleted') == '1' then
    return {'gone'}
end
if job == 'taken' then
    return {'stale'}
end
redis.call('HDEL', KEYS[1], 'password', 'bio', 'display', 'role')
redis.call('HSET', KEYS[1], 'deleted', '1')
for _, hash in ipairs(redis.call('ZRANGE', KEYS[2], 0, 999)) do
    redis.call('DEL', ARGV[2] .. 'session:' .. ARGV[1] .. ':' .. hash)
end
redis.call('DEL', KEYS[2])
job_queue(KEYS[3], KEYS[4], ARGV[3], ARGV[4], ARGV[5], 'type', 'purge', 'uid', ARGV[1])
return {'ok'}
