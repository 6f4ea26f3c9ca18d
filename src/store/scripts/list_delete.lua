#!lua flags=allow-oom
-- Takes a list away, with its members. One that is not there is taken away already.
--: key   lists    LISTS uid
--: key   list     LIST id
--: key   members  MEMBERS id
--: arg   uid      id
--: arg   id       id
--: reply OK
--: reply GONE
-- GONE: it is somebody else's
local owner = redis.call('HGET', list, LIST_OWNER)
if owner and owner ~= uid then
    return {GONE}
end
redis.call('ZREM', lists, id)
redis.call('DEL', list, members)
return {OK}
