#!lua
-- Notes something about somebody for oneself; an empty text takes the note away.
--include limit
--include user
--: key   user     USER uid
--: key   remarks  REMARKS uid
--: arg   uid      id
--: arg   other    id
--: arg   text     text
--: arg   most     number  -- about how many one may note something
--: reply OK
--: reply GONE
--: reply FULL
if text ~= '' and not user_lives(user) then
    return {GONE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if text == '' then
    redis.call('HDEL', remarks, other)
    return {OK}
end
if redis.call('HEXISTS', remarks, other) == 0 and redis.call('HLEN', remarks) >= tonumber(most) then
    return {FULL}
end
redis.call('HSET', remarks, other, text)
return {OK}
