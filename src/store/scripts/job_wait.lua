#!lua
-- A claimed job only waits in the queue of its process: that was no attempt.
-- KEYS  job
-- reply {"ok"} | {"gone"}
if redis.call('EXISTS', KEYS[1]) == 0 then
    return {'gone'}
end
redis.call('HSET', KEYS[1], 'attempts', '0')
return {'ok'}
