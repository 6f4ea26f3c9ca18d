#!lua
-- The epoch of the home timelines: a new one begins when the site is served in another mode than before.
-- KEYS  site
-- ARGV  mode
-- reply {epoch}
local mode = redis.call('HGET', KEYS[1], 'mode')
if mode ~= ARGV[1] then
    redis.call('HSET', KEYS[1], 'mode', ARGV[1])
    redis.call('HINCRBY', KEYS[1], 'epoch', 1)
end
return {tonumber(redis.call('HGET', KEYS[1], 'epoch'))}
