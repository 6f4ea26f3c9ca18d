-- What a user wants of somebody whom he follows, or asks to (social/people/tie.h).
--: key   ties       TIES uid
--: key   state      HOMESTATE uid
--: arg   boosts     keep|show|hide
--: arg   tells      keep|on|off
--: arg   speaks     flag  -- whether `languages` is given
--: arg   languages  text  -- codes, comma separated; empty: all

local function tie_is_told(value)
    return string.find(value or '', '^%a*t') ~= nil
end

-- What is to be written of somebody (nil: it is so already), and whether he is to be told of posts by now, or not any more.
local function tie_wanted(other)
    local old = redis.call('HGET', ties, other) or ''
    local letters, spoken = string.match(old, '^(%a*):?(.*)$')
    local hides, is_told = string.find(letters, 'r') ~= nil, string.find(letters, 't') ~= nil
    local was_told = is_told
    if boosts ~= 'keep' then
        hides = boosts == 'hide'
    end
    if tells ~= 'keep' then
        is_told = tells == 'on'
    end
    letters = (hides and 'r' or '') .. (is_told and 't' or '')
    if speaks == '1' then
        spoken = languages
    end
    local new = letters .. (spoken == '' and '' or ':' .. spoken)
    return new ~= old and new or nil, is_told ~= was_told
end

local function tie_put(other, new)
    if new == '' then
        redis.call('HDEL', ties, other)
    else
        redis.call('HSET', ties, other, new)
    end
    redis.call('HINCRBY', state, HOMESTATE_TIES, 1)
end
