#!lua flags=allow-oom
--include job
-- Marks a user as deleted: he cannot sign in, his sessions end, and a job takes away what he left.
-- KEYS  user, sessions, jobs, job
-- ARGV  uid, bucket prefix, job id, lease end (ms), nonce
-- reply {"ok"} | {"gone"} | {"stale"}: another process has a job of this id
local user = redis.call('HMGET', KEYS[1], 'name', 'deleted', 'deletion')
if user[3] == ARGV[5] then
    return {'ok'} -- the same call again after a lost reply; the job may have been done since
end
if not user[1] or user[2] == '1' then
    return {'gone'}
end
if job_owner(KEYS[4], ARGV[5]) ~= 'free' then
    return {'stale'}
end
redis.call('HDEL', KEYS[1], 'password', 'bio', 'display', 'role')
redis.call('HSET', KEYS[1], 'deleted', '1', 'deletion', ARGV[5])
for _, hash in ipairs(redis.call('ZRANGE', KEYS[2], 0, 999)) do
    redis.call('DEL', ARGV[2] .. 'session:' .. ARGV[1] .. ':' .. hash)
end
redis.call('DEL', KEYS[2])
job_queue(KEYS[3], KEYS[4], ARGV[3], ARGV[4], ARGV[5], 'type', 'purge', 'uid', ARGV[1])
return {'ok'}
