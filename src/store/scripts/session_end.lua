#!lua flags=allow-oom
-- Ends sessions, and with it sets a new password when one is given: whoever holds an old session is out at once.
-- KEYS  user, sessions
-- ARGV  uid, bucket prefix, which ('one' | 'others' | 'all'), hash (the one, or the one to keep), new password hash or '',
--       old password hash or ''
-- reply {"ok", number ended} | {"gone"} | {"changed"}
-- With an old hash it must still be the one, and the session to keep must still be there.
if ARGV[5] ~= '' then
    if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HGET', KEYS[1], 'deleted') == '1' then
        return {'gone'}
    end
    local now = redis.call('HGET', KEYS[1], 'password')
    if ARGV[6] ~= '' and now ~= ARGV[5] then -- equal: the same call again after a lost reply
        if now ~= ARGV[6] then
            return {'changed'}
        end
        if ARGV[4] ~= '' and redis.call('EXISTS', ARGV[2] .. 'session:' .. ARGV[1] .. ':' .. ARGV[4]) == 0 then
            return {'gone'}
        end
    end
    redis.call('HSET', KEYS[1], 'password', ARGV[5])
end
local ended = 0
for _, hash in ipairs(redis.call('ZRANGE', KEYS[2], 0, 999)) do
    if ARGV[3] == 'all' or (ARGV[3] == 'one') == (hash == ARGV[4]) then
        ended = ended + redis.call('DEL', ARGV[2] .. 'session:' .. ARGV[1] .. ':' .. hash)
        redis.call('ZREM', KEYS[2], hash)
    end
end
return {'ok', ended}
