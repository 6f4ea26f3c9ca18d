#!lua
-- Adds a filter. When there is no room, those that have ended go.
--include time
--include user
--: key   user     USER uid
--: key   filters  FILTERS uid
--: key   state    HOMESTATE uid
--: arg   uid      id
--: arg   id       number  -- or the next one that is free
--: arg   value    text    -- keys.h, filters
--: arg   now      number  -- ms
--: arg   most     number
--: reply OK       id:number
--: reply FULL
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
-- two processes may give the same one
local there = redis.call('HGET', filters, id)
while there and there ~= value do
    id = digits(tonumber(id) + 1)
    there = redis.call('HGET', filters, id)
end
if there then
    return {OK, id} -- the same call again after a lost reply
end
if redis.call('HLEN', filters) >= tonumber(most) then
    local all = redis.call('HGETALL', filters)
    for i = 1, #all, 2 do
        local ends = tonumber(string.match(all[i + 1], '^%a*:(%d+):'))
        if ends and ends > 0 and ends <= tonumber(now) then
            redis.call('HDEL', filters, all[i])
        end
    end
end
if redis.call('HLEN', filters) >= tonumber(most) then
    return {FULL}
end
redis.call('HSET', filters, id, value)
redis.call('HINCRBY', state, HOMESTATE_FILTERS, 1)
return {OK, id}
