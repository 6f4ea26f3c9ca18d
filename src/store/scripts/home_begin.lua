#!lua
-- Opens an empty home that catches deliveries while it is being rebuilt.
-- KEYS  home, homestate
-- ARGV  epoch, stamp, time to live (ms, '0' for ever)
-- reply {"ok"}
redis.call('DEL', KEYS[1])
redis.call('RPUSH', KEYS[1], '0')
if ARGV[3] ~= '0' then
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'stamp', ARGV[2], 'build', '1')
redis.call('HDEL', KEYS[2], 'mark')
return {'ok'}
