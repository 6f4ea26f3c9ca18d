-- The whole of bookmark.lua and unbookmark.lua, which differ in what the engine lets them do.
--include limit
--include see
--include time
--: shape bookmark
--: key   user       USER uid
--: key   bookmarks  BOOKMARKS uid
--: key   state      HOMESTATE uid
--: arg   uid        id
--: arg   post       id
--: arg   on         flag
--: arg   now        number  -- us
--: reply OK
--: reply GONE
if redis.call('EXISTS', user) == 0 or (on == '1' and redis.call('HGET', user, USER_DELETED) == '1') then
    return {GONE}
end
if not see_may() then
    return {HIDDEN}
end
if (on == '1') == (redis.call('ZSCORE', bookmarks, post) ~= false) then
    return {OK}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if on == '1' then
    redis.call('ZADD', bookmarks, digits(time_after(bookmarks, now)), post)
else
    redis.call('ZREM', bookmarks, post)
end
redis.call('HINCRBY', state, HOMESTATE_MARKS, 1)
return {OK}
