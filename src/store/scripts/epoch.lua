#!lua
-- The epoch of the home timelines: a new one begins when the site is served in another mode than before. And the key that
-- signs forms: that of the first server, for all of them.
-- KEYS  site
-- ARGV  mode, key of this server
-- reply {epoch, key}
local site = redis.call('HMGET', KEYS[1], 'mode', 'key')
if site[1] ~= ARGV[1] then
    redis.call('HSET', KEYS[1], 'mode', ARGV[1])
    redis.call('HINCRBY', KEYS[1], 'epoch', 1)
end
if not site[2] then
    redis.call('HSET', KEYS[1], 'key', ARGV[2])
end
return {tonumber(redis.call('HGET', KEYS[1], 'epoch')), site[2] or ARGV[2]}
