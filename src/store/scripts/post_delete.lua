#!lua flags=allow-oom
--include job
--include limit
-- Takes a post back. Readers drop ids whose post is gone, so it is invisible from here on; a job cleans up.
-- KEYS  post, posts, home, jobs, job, limit
-- ARGV  author uid, post id, job id, lease end (ms), nonce, tags (comma separated), id of the post answered ('' = none),
--       cost, seconds and count of the limit
-- reply {"ok"} | {"gone"} | {"forbidden"} | {"stale"}: another process has a job of this id
--       | {"limited", ms to wait}
local job = job_owner(KEYS[5], ARGV[5])
if job == 'mine' then
    return {'ok'} -- the same call again after a lost reply
end
local author = redis.call('HGET', KEYS[1], 'author')
if not author then
    return {'gone'}
end
if author ~= ARGV[1] then
    return {'forbidden'}
end
if job == 'taken' then
    return {'stale'}
end
local wait = limit_take(KEYS[6], ARGV[8], ARGV[9], ARGV[10])
if wait > 0 then
    return {'limited', wait}
end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('LREM', KEYS[3], 0, ARGV[2])
job_queue(KEYS[4], KEYS[5], ARGV[3], ARGV[4], ARGV[5], 'type', 'unpost', 'uid', ARGV[1], 'post', ARGV[2],
    'targets', ARGV[6], 'reply_to', ARGV[7])
return {'ok'}
