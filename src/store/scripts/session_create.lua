#!lua
-- A new login. The oldest one ends when there are too many.
-- KEYS  user, sessions, session
-- ARGV  uid, hash, now (ms), most sessions, time to live (ms), bucket prefix, agent, address,
--       hash of the password that was given ('' = none was): it must still be the one,
--       another hash of the same password, to be stored in its place ('' = it stays)
-- reply {"ok", hash of the password as it is stored now, number of sessions ended} | {"gone"}
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HGET', KEYS[1], 'deleted') == '1' then
    return {'gone'}
end
if ARGV[9] ~= '' then
    local now = redis.call('HGET', KEYS[1], 'password')
    if now ~= ARGV[9] and now ~= ARGV[10] then -- the latter: the same call again after a lost reply
        return {'gone'} -- changed while it was being checked: whoever knew the old one stays out
    end
    if ARGV[10] ~= '' then
        redis.call('HSET', KEYS[1], 'password', ARGV[10])
    end
end
local base = ARGV[6] .. 'session:' .. ARGV[1] .. ':'
-- sessions that expired by themselves leave their entry behind
for _, hash in ipairs(redis.call('ZRANGE', KEYS[2], 0, 99)) do
    if redis.call('EXISTS', base .. hash) == 0 then
        redis.call('ZREM', KEYS[2], hash)
    end
end
redis.call('HSET', KEYS[3], 'created', ARGV[3], 'seen', ARGV[3], 'agent', ARGV[7], 'address', ARGV[8])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
local over = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[4])
if over > 0 then
    for _, hash in ipairs(redis.call('ZRANGE', KEYS[2], 0, over - 1)) do
        redis.call('DEL', base .. hash)
        redis.call('ZREM', KEYS[2], hash)
    end
end
return {'ok', redis.call('HGET', KEYS[1], 'password') or '', math.max(over, 0)}
