#!lua
-- Gives a list another title, which no other list of its owner has.
--include limit
--: key   list    LIST id
--: key   lists   LISTS uid
--: arg   uid     id
--: arg   id      id
--: arg   title   text
--: arg   prefix  prefix
--: reply OK
--: reply TAKEN
--: reply GONE
if redis.call('HGET', list, LIST_OWNER) ~= uid then
    return {GONE}
end
for _, other in ipairs(redis.call('ZRANGE', lists, 0, -1)) do
    if other ~= id and redis.call('HGET', prefix .. KEY_LIST .. other, LIST_TITLE) == title then
        return {TAKEN}
    end
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('HSET', list, LIST_TITLE, title)
return {OK}
