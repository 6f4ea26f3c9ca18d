#!lua
-- Puts an id into a list late or again, at its place and only once: the public timeline, the newest users. Homes have a
-- script of their own (home_late.lua).
--include home
--: arg   bucket    bucket
--: key   list      given list
--: arg   list      text    -- the key, of the bucket
--: arg   id        id
--: arg   size      number
--: reply OK
--: reply OLD
size = tonumber(size)
if home_place(list, id, size) then
    return {OK}
end
if redis.call('LLEN', list) < size then
    redis.call('RPUSH', list, id)
    return {OK}
end
return {OLD} -- below the window: the truth has it
