--: key home   HOME uid
--: key state  HOMESTATE uid

-- Empties a home, because what it is made of changed: the next visit builds it. It stays as long as it would have; one that is not
-- there (nobody reads it) is not begun.
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
