#!lua
-- Takes one use of an invitation, or gives it back when the sign-up failed after all.
--: key   invite    INVITE code
--: arg   code      text  -- hash of the code
--: arg   gives     flag  -- gives it back
--: arg   nonce     text  -- of the sign-up
--: reply OK
--: reply GONE
if redis.call('EXISTS', invite) == 0 then
    return {GONE}
end
local mark = 'by:' .. nonce
if gives == '1' then
    if redis.call('HDEL', invite, mark) == 1 then
        redis.call('HINCRBY', invite, INVITE_LEFT, 1)
    end
    return {OK}
end
if redis.call('HEXISTS', invite, mark) == 1 then
    return {OK} -- the same call again after a lost reply
end
if tonumber(redis.call('HGET', invite, INVITE_LEFT)) < 1 then
    return {GONE}
end
redis.call('HINCRBY', invite, INVITE_LEFT, -1)
redis.call('HSET', invite, mark, '1')
return {OK}
