#!lua
-- Says which answers a list shows, and whether its people leave its owner's home.
--include limit
--include list_exclusive
--: key   list        LIST id
--: key   list_state  HOMESTATE uid
--: arg   uid         id
--: arg   id          id
--: arg   exclusive   flag
--: arg   replies     text    -- '': to people on the list
--: reply OK
--: reply GONE
local found = redis.call('HMGET', list, LIST_OWNER, LIST_EXCLUSIVE, LIST_REPLIES)
if found[1] ~= uid then
    return {GONE}
end
local was = found[2] == '1' and '1' or '0'
if was == exclusive and (found[3] or '') == replies then
    return {OK}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('HSET', list, LIST_EXCLUSIVE, exclusive, LIST_REPLIES, replies)
if was ~= exclusive then
    list_exclusive_changed()
end
return {OK}
