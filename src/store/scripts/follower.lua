#!lua flags=allow-oom
-- The other side of a relation, in the bucket of the one who is followed.
-- KEYS  user, followers
-- ARGV  follower uid, '1' follows | '0' does not, now (us)
-- reply {"ok"} | {"gone"}
if ARGV[2] == '0' then
    redis.call('ZREM', KEYS[2], ARGV[1])
    return {'ok'}
end
local user = redis.call('HMGET', KEYS[1], 'name', 'deleted')
if not user[1] or user[2] == '1' then
    return {'gone'}
end
local top = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2]
local time = tonumber(ARGV[3])
if top and tonumber(top) >= time then
    time = tonumber(top) + 1
end
redis.call('ZADD', KEYS[2], 'NX', string.format('%.0f', time), ARGV[1])
return {'ok'}
