#!lua
--include limit
-- A new, empty list of people. One of this title is taken for it: a form that is sent twice makes one list.
-- KEYS  user, lists, list, limit
-- ARGV  uid, list id, title, most lists, bucket prefix, cost, seconds and count of the limit
-- reply {"ok", id} | {"again", id of the one that was there} | {"full"} | {"stale"} | {"gone"}
--       | {"limited", ms to wait}
local user = redis.call('HMGET', KEYS[1], 'name', 'deleted')
if not user[1] or user[2] == '1' then
    return {'gone'}
end
local before = redis.call('HMGET', KEYS[3], 'owner', 'title')
if before[1] == ARGV[1] and before[2] == ARGV[3] then
    return {'ok', ARGV[2]} -- the same call again after a lost reply
elseif before[1] then
    return {'stale'}
end
local ids = redis.call('ZRANGE', KEYS[2], 0, -1)
for _, id in ipairs(ids) do
    if redis.call('HGET', ARGV[5] .. 'list:' .. id, 'title') == ARGV[3] then
        return {'again', id}
    end
end
if #ids >= tonumber(ARGV[4]) then
    return {'full'}
end
local wait = limit_take(KEYS[4], ARGV[6], ARGV[7], ARGV[8])
if wait > 0 then
    return {'limited', wait}
end
redis.call('HSET', KEYS[3], 'owner', ARGV[1], 'title', ARGV[3])
redis.call('ZADD', KEYS[2], 0, ARGV[2])
return {'ok', ARGV[2]}
