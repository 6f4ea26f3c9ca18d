#!lua
-- A new login. The oldest one ends when there are too many.
--: key   user      USER uid
--: key   sessions  SESSIONS uid
--: key   session   SESSION uid hash
--: arg   uid       id
--: arg   hash      text
--: arg   now       number  -- ms
--: arg   most      number  -- sessions
--: arg   ttl       number  -- ms
--: arg   prefix    prefix
--: arg   agent     text
--: arg   address   text
--: arg   checked   text    -- hash of the password that was given ("": none was): it must still be the one
--: arg   renewed   text    -- another hash of the same password, to be stored in its place ("": it stays)
--: reply OK        password:text ended:number
--: reply GONE
-- password: its hash as it is stored now; ended: how many sessions made room
if redis.call('EXISTS', user) == 0 or redis.call('HGET', user, USER_DELETED) == '1' then
    return {GONE}
end
if checked ~= '' then
    local stored = redis.call('HGET', user, USER_PASSWORD)
    if stored ~= checked and stored ~= renewed then -- the latter: the same call again after a lost reply
        return {GONE} -- changed while it was being checked: whoever knew the old one stays out
    end
    if renewed ~= '' then
        redis.call('HSET', user, USER_PASSWORD, renewed)
    end
end
local base = prefix .. KEY_SESSION .. uid .. ':'
-- sessions that expired by themselves leave their entry behind
for _, other in ipairs(redis.call('ZRANGE', sessions, 0, 99)) do
    if redis.call('EXISTS', base .. other) == 0 then
        redis.call('ZREM', sessions, other)
    end
end
redis.call('HSET', session, SESSION_CREATED, now, SESSION_SEEN, now, SESSION_AGENT, agent, SESSION_ADDRESS, address)
redis.call('PEXPIRE', session, ttl)
redis.call('ZADD', sessions, now, hash)
local over = redis.call('ZCARD', sessions) - tonumber(most)
if over > 0 then
    for _, other in ipairs(redis.call('ZRANGE', sessions, 0, over - 1)) do
        redis.call('DEL', base .. other)
        redis.call('ZREM', sessions, other)
    end
end
return {OK, redis.call('HGET', user, USER_PASSWORD) or '', math.max(over, 0)}
