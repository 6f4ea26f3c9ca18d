#!lua
-- The other sides of many relations with people of one bucket, each as follower.lua writes it.
-- KEYS  user, followers   (of each relation)
-- ARGV  follower uid, time (us)   (of each relation)
-- reply {"ok"} | {"gone"}: some of those who were to be followed were deleted
local call = redis.call
local answer = 'ok'
local top = {} -- latest time in a key; false: the user is gone
for i = 1, #KEYS, 2 do
    local key = KEYS[i + 1]
    if top[key] == nil then
        local user = call('HMGET', KEYS[i], 'name', 'deleted')
        local last = call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
        top[key] = user[1] ~= false and user[2] ~= '1' and tonumber(last or 0)
    end
    if top[key] then
        local time = math.max(tonumber(ARGV[i + 1]), top[key] + 1)
        if call('ZADD', key, 'NX', string.format('%.0f', time), ARGV[i]) == 1 then
            top[key] = time
        end
    else
        answer = 'gone'
    end
end
return {answer}
