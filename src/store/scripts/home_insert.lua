#!lua
-- Delivers a post late or again: at its place by id and only once, so that a list stays nearly in order (see
-- social/timelines/home.h). Also used for the public timeline and the newest users.
--include home
--: arg   bucket    bucket
--: key   list      given list
--: arg   list      text    -- the key, of the bucket
--: arg   id        id
--: arg   size      number
--: arg   creates   flag    -- an absent list is begun
--: reply OK
--: reply ABSENT
--: reply OLD
size = tonumber(size)
if redis.call('EXISTS', list) == 0 then
    if creates == '0' then
        return {ABSENT}
    end
    redis.call('LPUSH', list, id)
    return {OK}
end
if home_place(list, id, size) then
    return {OK}
end
if creates == '1' and redis.call('LLEN', list) < size then
    redis.call('RPUSH', list, id)
    return {OK}
end
return {OLD} -- below the window: the truth has it
