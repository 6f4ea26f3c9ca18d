--include apart

-- Whether there is room for one more whom the user blocks or mutes. Whom others have put there does not count; and when it looks
-- full, mutes that have ended go.
local function apart_has_room(most, now)
    if redis.call('HLEN', apart) < tonumber(most) then
        return true
    end
    local own, all = 0, redis.call('HGETALL', apart)
    for i = 1, #all, 2 do
        local ends = string.match(all[i + 1], ':(%d+)$')
        if ends and tonumber(ends) <= tonumber(now) then
            apart_set(all[i], '[mn]', false)
            all[i + 1] = redis.call('HGET', apart, all[i])
        end
        if apart_has(all[i + 1], 'b') or apart_has(all[i + 1], 'm') then
            own = own + 1
        end
    end
    return own < tonumber(most)
end
