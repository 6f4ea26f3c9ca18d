#!lua
-- Opens an empty home that catches deliveries while it is being rebuilt.
--: key   home      HOME uid
--: key   state     HOMESTATE uid
--: arg   uid       id
--: arg   epoch     number
--: arg   stamp     text
--: arg   ttl       number  -- ms, 0: for ever
--: reply OK
redis.call('DEL', home)
redis.call('RPUSH', home, '0')
if ttl ~= '0' then
    redis.call('PEXPIRE', home, ttl)
end
redis.call('HSET', state, HOMESTATE_EPOCH, epoch, HOMESTATE_STAMP, stamp, HOMESTATE_BUILD, '1')
redis.call('HDEL', state, HOMESTATE_MARK)
return {OK}
