#!lua flags=allow-oom
-- Takes up to 500 people off a list. Who is not on it is off already.
-- KEYS  list, members
-- ARGV  owner, uid, …
-- reply {"ok"} | {"gone"}
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
    return {'gone'}
end
redis.call('ZREM', KEYS[2], unpack(ARGV, 2))
return {'ok'}
