#!lua
--include job
--include home
--include limit
-- Publishes a post: record, own posts, own home and the job that delivers it, then the acknowledgement.
-- KEYS  user, post, posts, home, followers, jobs, job, request, newest, limit
-- ARGV  uid, post id, job id, lease end (ms), nonce, seconds to remember the request,
--       'push' | 'pull' | followers from which on an author is a celebrity (hybrid),
--       mode of the site as the caller knows it, ids kept in a home, by how many ms the post's id may be older than the
--       engine's clock, and ahead of it, cost, seconds and count of the limit,
--       field, value, …   (of the post hash)
-- reply {"ok", id, followers in all (0 in pull mode), how} | {"again", id} | {"stale", newest id} | {"gone"}
--       | {"clock", the engine's time (ms)}: the id is too far from it | {"limited", ms to wait}
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
if redis.call('EXISTS', KEYS[2], KEYS[7]) > 0 then
    return {'stale', ARGV[2]} -- the id is another's, of the post or of the job
end
-- so that ids arrive in order, more or less, whatever clocks the servers have (see social/timeline.h). An author whose own
-- newest post is ahead, because the engine's clock was set back since, goes on from there.
local time = redis.call('TIME')
local now, ms = time[1] * 1000 + math.floor(time[2] / 1000), math.floor(tonumber(ARGV[2]) / 65536)
local own = newest and math.floor(tonumber(newest) / 65536) or 0
if ms < now - tonumber(ARGV[10]) or (ms > now + tonumber(ARGV[11]) and ms > own + 2) then
    return {'clock', string.format('%.0f', now)}
end
local wait = limit_take(KEYS[10], ARGV[12], ARGV[13], ARGV[14])
if wait > 0 then
    return {'limited', wait}
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
redis.call('HSET', KEYS[2], unpack(ARGV, 15))
redis.call('ZADD', KEYS[3], 0, ARGV[2])
redis.call('SET', KEYS[9], ARGV[2])
local first = redis.call('LINDEX', KEYS[4], 0)
if first then
    local kept = tonumber(ARGV[9])
    local length
    if first < ARGV[2] then
        length = redis.call('LPUSH', KEYS[4], ARGV[2])
    else
        home_place(KEYS[4], ARGV[2], kept)
        length = redis.call('LLEN', KEYS[4])
    end
    -- deliveries cut a home, but nobody else may ever write into this one
    if length > kept + 64 then
        redis.call('LTRIM', KEYS[4], 0, kept - 1)
    end
end
job_queue(KEYS[6], KEYS[7], ARGV[3], ARGV[4], ARGV[5], 'type', 'fanout', 'uid', ARGV[1], 'post', ARGV[2],
    'delivers', how == 'pull' and '0' or '1', 'mode', ARGV[8])
redis.call('SET', KEYS[8], ARGV[2], 'EX', ARGV[6])
return {'ok', ARGV[2], followers, how}
