#!lua
--include limit
-- Gives a list another title, which no other list of its owner has.
-- KEYS  list, lists, limit
-- ARGV  uid, list id, title, bucket prefix, cost, seconds and count of the limit
-- reply {"ok"} | {"taken"} | {"gone"} | {"limited", ms to wait}
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
    return {'gone'}
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if id ~= ARGV[2] and redis.call('HGET', ARGV[4] .. 'list:' .. id, 'title') == ARGV[3] then
        return {'taken'}
    end
end
local wait = limit_take(KEYS[3], ARGV[5], ARGV[6], ARGV[7])
if wait > 0 then
    return {'limited', wait}
end
redis.call('HSET', KEYS[1], 'title', ARGV[3])
return {'ok'}
