#!lua
-- Puts up to 500 people on a list: all that are not on it yet, or none when there is no room for them.
-- KEYS  list, members
-- ARGV  owner, now (us), most members, uid, …
-- reply {"ok", uid put on it, …} | {"full"} | {"gone"}
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
    return {'gone'}
end
local now, added, rows, seen = tonumber(ARGV[2]), {}, {}, {}
local time = tonumber(redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2] or '0')
if time < now then
    time = now
end
for i, score in ipairs(redis.call('ZMSCORE', KEYS[2], unpack(ARGV, 4))) do
    local uid, is_new = ARGV[3 + i], not score
    if is_new and not seen[uid] then
        time = time + 1
        rows[#rows + 1] = string.format('%.0f', time)
        rows[#rows + 1] = uid
    end
    -- the same call again after a lost reply finds its own: times are later than the moment it was made
    if not seen[uid] and (is_new or tonumber(score) > now) then
        added[#added + 1] = uid
    end
    seen[uid] = true
end
if #rows > 0 then
    if redis.call('ZCARD', KEYS[2]) + #rows / 2 > tonumber(ARGV[3]) then
        return {'full'}
    end
    redis.call('ZADD', KEYS[2], unpack(rows))
end
return {'ok', unpack(added)}
