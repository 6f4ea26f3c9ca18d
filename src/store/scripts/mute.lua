#!lua
-- Mutes somebody, or changes for how long and whether his notifications are muted too. He does not learn of it, so there is no other side.
--include apart_room
--include limit
--include user
--: key   user           USER uid
--: arg   uid            id
--: arg   other          id
--: arg   notifications  flag
--: arg   ends           number  -- ms; 0: never
--: arg   now            number  -- ms
--: arg   most           number  -- whom one may block or mute
--: reply OK
--: reply FULL
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
local value = redis.call('HGET', apart, other)
if not apart_has(value, 'b') and not apart_has(value, 'm') and not apart_has_room(most, now) then
    return {FULL}
end
if notifications == '0' and apart_has(value, 'n') then
    apart_set(other, 'n', false)
end
apart_set(other, notifications == '1' and '[mn]' or 'm', true, ends == '0' and '' or ':' .. ends)
return {OK}
