#!lua flags=allow-oom
-- Takes up to 500 people off a list. Those who are not on it are off already.
--include limit
--include list_exclusive
--: key   list     LIST id
--: key   members  MEMBERS id
--: key   list_state  HOMESTATE owner
--: arg   id       id
--: arg   owner    id
--: ids   targets
--: reply OK
--: reply GONE
if redis.call('HGET', list, LIST_OWNER) ~= owner then
    return {GONE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if redis.call('ZREM', members, unpack(ARGV, targets)) > 0 then
    list_changed()
end
return {OK}
