#!lua
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
redis.call('LREM', KEYS[1], 0, id)
local from = 0
while true do
    local part = redis.call('LRANGE', KEYS[1], from, from + 99)
    for _, other in ipairs(part) do
        if other < id then -- '0' too, the end mark
            redis.call('LINSERT', KEYS[1], 'BEFORE', other, id)
            return {'ok'}
        end
    end
    from = from + 100
    if #part < 100 or from >= size then
        break
    end
end
if ARGV[3] == 'create' and redis.call('LLEN', KEYS[1]) < size then
    redis.call('RPUSH', KEYS[1], id)
    return {'ok'}
end
return {'old'} -- below the window: the truth has it
