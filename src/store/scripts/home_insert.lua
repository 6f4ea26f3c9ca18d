#!lua
--include home
-- Delivers a post late or again: at its place by id and only once, so that a list stays nearly in order (see
-- social/home.h). Also used for the public timeline.
-- KEYS  home
-- ARGV  id, size, 'create' | ''   (whether an absent list is begun)
-- reply {"ok"} | {"absent"} | {"old"}
local id, size = ARGV[1], tonumber(ARGV[2])
if redis.call('EXISTS', KEYS[1]) == 0 then
    if ARGV[3] ~= 'create' then
        return {'absent'}
    end
    redis.call('LPUSH', KEYS[1], id)
    return {'ok'}
end
if home_place(KEYS[1], id, size) then
    return {'ok'}
end
if ARGV[3] == 'create' and redis.call('LLEN', KEYS[1]) < size then
    redis.call('RPUSH', KEYS[1], id)
    return {'ok'}
end
return {'old'} -- below the window: the truth has it
