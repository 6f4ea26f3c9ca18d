#!lua flags=allow-oom
-- Takes a list away, with its members. If it is not there, that is done already.
--include list_exclusive
--: key   lists    LISTS uid
--: key   list     LIST id
--: key   members  MEMBERS id
--: key   list_state  HOMESTATE uid
--: arg   uid      id
--: arg   id       id
--: reply OK
--: reply GONE
-- GONE: it is somebody else's
local owner = redis.call('HGET', list, LIST_OWNER)
if owner and owner ~= uid then
    return {GONE}
end
list_changed()
redis.call('ZREM', lists, id)
redis.call('DEL', list, members)
return {OK}
