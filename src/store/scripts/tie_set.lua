#!lua
-- What a user wants of somebody whom he follows, or asks to. He does not learn of it.
--: key   following  FOLLOWING uid
--: key   asked      ASKED uid
--: key   ties       TIES uid
--: key   state      HOMESTATE uid
--: arg   uid        id
--: arg   other      id
--: arg   boosts     keep|show|hide
--: arg   speaks     flag  -- whether `languages` is given
--: arg   languages  text  -- codes, comma separated; empty: all
--: reply OK
--: reply GONE
-- GONE: he neither follows him nor asks to
if not redis.call('ZSCORE', following, other) and not redis.call('ZSCORE', asked, other) then
    return {GONE}
end
local old = redis.call('HGET', ties, other) or ''
local letters, spoken = string.match(old, '^(%a*):?(.*)$')
if boosts ~= 'keep' then
    letters = boosts == 'hide' and 'r' or ''
end
if speaks == '1' then
    spoken = languages
end
local new = letters .. (spoken == '' and '' or ':' .. spoken)
if new == old then
    return {OK}
end
if new == '' then
    redis.call('HDEL', ties, other)
else
    redis.call('HSET', ties, other, new)
end
redis.call('HINCRBY', state, HOMESTATE_TIES, 1)
return {OK}
