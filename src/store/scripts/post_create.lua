#!lua
--include job
-- Publishes a post: record, own posts, own home and the job that delivers it, then the acknowledgement.
-- KEYS  user, post, posts, home, followers, jobs, job, request, newest
-- ARGV  uid, post id, job id, lease end (ms), nonce, seconds to remember the request,
--       'push' | 'pull' | followers from which on an author is a celebrity (hybrid),
--       field, value, …   (of the post hash)
-- reply {"ok", id, followers in all (0 in pull mode), how} | {"again", id} | {"stale", newest id} | {"gone"}
--       how: 'push' deliver to homes | 'pull' do not | 'mark' deliver, and from the next post on do not

-- the request sent again, by its author or because its reply was lost
local before = redis.call('GET', KEYS[8])
if before then
    return {'again', before}
end
local user = redis.call('HMGET', KEYS[1], 'name', 'deleted', 'celebrity')
if not user[1] or user[2] == '1' then
    return {'gone'}
end
-- ids of one author only grow, whichever process made them; ids are compared as text (see base/id.h)
local newest = redis.call('ZRANGE', KEYS[3], '+', '-', 'BYLEX', 'REV', 'LIMIT', 0, 1)[1]
if newest and newest >= ARGV[2] then
    return {'stale', newest}
end
if redis.call('EXISTS', KEYS[2]) == 1 or job_owner(KEYS[7], ARGV[5]) ~= 'free' then
    return {'stale', ARGV[2]} -- the id is another's, of the post or of the job
end
local how = ARGV[7]
local followers = how == 'pull' and 0 or redis.call('ZCARD', KEYS[5])
if how ~= 'push' and how ~= 'pull' then
    local most = tonumber(how)
    if user[3] ~= '1' then
        how = followers > most and 'mark' or 'push'
    elseif followers * 2 < most then -- half, so that nobody goes to and fro
        redis.call('HDEL', KEYS[1], 'celebrity')
        how = 'push'
    else
        how = 'pull'
    end
end
redis.call('HSET', KEYS[2], unpack(ARGV, 8))
redis.call('ZADD', KEYS[3], 0, ARGV[2])
redis.call('SET', KEYS[9], ARGV[2])
redis.call('LPUSHX', KEYS[4], ARGV[2])
job_queue(KEYS[6], KEYS[7], ARGV[3], ARGV[4], ARGV[5], 'type', 'fanout', 'uid', ARGV[1], 'post', ARGV[2],
    'delivers', how == 'pull' and '0' or '1')
redis.call('SET', KEYS[8], ARGV[2], 'EX', ARGV[6])
return {'ok', ARGV[2], followers, how}
