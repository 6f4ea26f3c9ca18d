#!lua
-- Notes how far a user has read something. Counts the changes, so that whoever has two devices sees which came later.
--include user
--: key   user      USER uid
--: key   markers   MARKERS uid
--: arg   uid       id
--: arg   timeline  text
--: arg   last      number  -- id of what he read last
--: arg   now       number  -- ms
--: reply OK        version:number updated:number
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
local before = redis.call('HGET', markers, timeline)
local was, count, updated = string.match(before or '', '^(%d+):(%d+):(%d+)$')
if was == last then
    return {OK, count, updated}
end
local version = string.format('%.0f', tonumber(count or '0') + 1)
redis.call('HSET', markers, timeline, last .. ':' .. version .. ':' .. now)
return {OK, version, now}
