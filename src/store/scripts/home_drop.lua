#!lua flags=allow-oom
-- Drops a home: the next visit builds it from the truth. Whoever is building it at this moment has to begin again.
-- KEYS  home, homestate
-- ARGV  new stamp
-- reply {"ok"}
redis.call('DEL', KEYS[1])
if redis.call('EXISTS', KEYS[2]) == 1 then
    redis.call('HSET', KEYS[2], 'stamp', ARGV[1], 'build', '1')
end
return {'ok'}
