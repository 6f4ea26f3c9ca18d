#!lua
-- Takes one use of an invitation (or gives it back when the sign-up failed after all).
-- KEYS  invite
-- ARGV  'take' | 'give', nonce of the sign-up
-- reply {"ok"} | {"gone"}
if redis.call('EXISTS', KEYS[1]) == 0 then
    return {'gone'}
end
local mark = 'by:' .. ARGV[2]
if ARGV[1] == 'give' then
    if redis.call('HDEL', KEYS[1], mark) == 1 then
        redis.call('HINCRBY', KEYS[1], 'left', 1)
    end
    return {'ok'}
end
if redis.call('HEXISTS', KEYS[1], mark) == 1 then
    return {'ok'} -- the same call again after a lost reply
end
if tonumber(redis.call('HGET', KEYS[1], 'left')) < 1 then
    return {'gone'}
end
redis.call('HINCRBY', KEYS[1], 'left', -1)
redis.call('HSET', KEYS[1], mark, '1')
return {'ok'}
