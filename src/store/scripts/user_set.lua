#!lua
-- Sets fields of a user who is there: one who was deleted meanwhile gets nothing any more.
-- KEYS  user
-- ARGV  field, value, …
-- reply {"ok"} | {"gone"}
local user = redis.call('HMGET', KEYS[1], 'name', 'deleted')
if not user[1] or user[2] == '1' then
    return {'gone'}
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return {'ok'}
