#!lua
-- Opens an empty home that catches deliveries while it is being rebuilt.
-- KEYS  home, homestate
-- ARGV  epoch, stamp
-- reply {"ok"}
redis.call('DEL', KEYS[1])
redis.call('RPUSH', KEYS[1], '0')
redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'stamp', ARGV[2], 'build', '1')
redis.call('HDEL', KEYS[2], 'mark')
return {'ok'}
