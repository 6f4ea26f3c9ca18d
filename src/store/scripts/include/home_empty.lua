--: key home   HOME uid
--: key state  HOMESTATE uid

-- Empties a home, because the people in it changed: the next visit builds it. Its expiry stays; a home that is not there
-- (nobody reads it) is not begun.
local function home_empty()
    local ttl = redis.call('PTTL', home)
    if ttl ~= -2 then
        redis.call('DEL', home)
        redis.call('RPUSH', home, '0')
        if ttl > 0 then
            redis.call('PEXPIRE', home, ttl)
        end
    end
end
