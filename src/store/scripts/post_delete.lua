#!lua
-- Takes a post back. Readers drop ids whose post is gone, so it is invisible from here on; a job cleans up.
-- KEYS  post, posts, home, jobs, job
-- ARGV  author uid, post id, job id, lease end (ms), tags (comma separated), id of the post answered ('' = none)
-- reply {"ok"} | {"gone"} | {"forbidden"}
local author = redis.call('HGET', KEYS[1], 'author')
if not author then
    if redis.call('HGET', KEYS[5], 'post') == ARGV[2] then
        return {'ok'} -- the same call again after a lost reply
    end
    return {'gone'}
end
if author ~= ARGV[1] then
    return {'forbidden'}
end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('LREM', KEYS[3], 0, ARGV[2])
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[3])
redis.call('HSET', KEYS[5], 'type', 'unpost', 'uid', ARGV[1], 'post', ARGV[2], 'targets', ARGV[5], 'reply_to', ARGV[6],
    'cursor', '0')
return {'ok'}
