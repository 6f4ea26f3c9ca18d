#!lua
-- A new, empty list of people. A list that already has the title is taken for it: a form that is sent twice makes one list.
--include limit
--include user
--: key   user    USER uid
--: key   lists   LISTS uid
--: key   list    LIST id
--: arg   uid     id
--: arg   id      id
--: arg   title   text
--: arg   most    number  -- lists of a user
--: arg   prefix  prefix
--: reply OK      id:id
--: reply AGAIN   id:id   -- of the one that was there
--: reply FULL
--: reply STALE
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
local before = redis.call('HMGET', list, LIST_OWNER, LIST_TITLE)
if before[1] == uid and before[2] == title then
    return {OK, id} -- the same call again after a lost reply
elseif before[1] then
    return {STALE}
end
local ids = redis.call('ZRANGE', lists, 0, -1)
for _, other in ipairs(ids) do
    if redis.call('HGET', prefix .. KEY_LIST .. other, LIST_TITLE) == title then
        return {AGAIN, other}
    end
end
if #ids >= tonumber(most) then
    return {FULL}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('HSET', list, LIST_OWNER, uid, LIST_TITLE, title)
redis.call('ZADD', lists, 0, id)
return {OK, id}
