#!lua flags=allow-oom
-- Takes a list away, with its members. One that is not there is taken away already.
-- KEYS  lists, list, members
-- ARGV  uid, list id
-- reply {"ok"} | {"gone"}: it is somebody else's
local owner = redis.call('HGET', KEYS[2], 'owner')
if owner and owner ~= ARGV[1] then
    return {'gone'}
end
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('DEL', KEYS[2], KEYS[3])
return {'ok'}
