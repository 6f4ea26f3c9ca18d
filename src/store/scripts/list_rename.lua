#!lua
-- Gives a list another title, which no other list of its owner has.
-- KEYS  list, lists
-- ARGV  uid, list id, title, bucket prefix
-- reply {"ok"} | {"taken"} | {"gone"}
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
    return {'gone'}
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if id ~= ARGV[2] and redis.call('HGET', ARGV[4] .. 'list:' .. id, 'title') == ARGV[3] then
        return {'taken'}
    end
end
redis.call('HSET', KEYS[1], 'title', ARGV[3])
return {'ok'}
