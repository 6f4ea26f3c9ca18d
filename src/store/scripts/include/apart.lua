-- What scripts do with from whom a user stands apart (keys.h, apart). A value is its letters, always in this order, and when the
-- mute ends, if it does.
--: key apart  APART uid
--: key state  HOMESTATE uid

local function apart_has(value, letter)
    return value ~= false and string.find(value, letter, 1, true) ~= nil
end

-- Sets letters (a pattern) of one entry, or takes them away; `ends` is that of the mute, or ''. The version tells every process that what it
-- remembers is old. Who has no state was deleted, or nothing has ever been set: nothing of him is to come back.
local function apart_set(other, letters, on, ends)
    local value, new = redis.call('HGET', apart, other), ''
    for letter in string.gmatch('bBmn', '.') do
        local is = apart_has(value, letter)
        if string.find(letter, letters) then
            is = on
        end
        new = is and new .. letter or new
    end
    if string.find(new, 'm', 1, true) then
        new = new .. (ends or string.match(value or '', ':%d+$') or '')
    end
    if new == '' then
        redis.call('HDEL', apart, other)
    else
        redis.call('HSET', apart, other, new)
    end
    if on or redis.call('EXISTS', state) == 1 then
        redis.call('HINCRBY', state, HOMESTATE_APART, 1)
    end
end
