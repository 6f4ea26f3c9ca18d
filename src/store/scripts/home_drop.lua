#!lua flags=allow-oom
-- Drops a home: the next visit builds it from the truth. A visit that is building it at this moment must begin again.
--: key   home      HOME uid
--: key   state     HOMESTATE uid
--: arg   uid       id
--: arg   stamp     text  -- new
--: reply OK
redis.call('DEL', home)
if redis.call('EXISTS', state) == 1 then
    redis.call('HSET', state, HOMESTATE_STAMP, stamp, HOMESTATE_BUILD, '1')
end
return {OK}
