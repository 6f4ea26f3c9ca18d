#!lua
-- The other sides of many relations with people of one bucket, each as follower.lua writes it.
-- GONE: some of those who were to be followed were deleted, or want to be asked.
--include time
--include user
--: arg   bucket     bucket
--: arg   prefix     prefix
--: rows  relations  uid:id follower:id time:number
--: reply OK
--: reply GONE
local answer = OK
local top = {} -- latest time in a key; false: the user is gone, or locked
for i = relations, #ARGV, 3 do
    local uid, key = ARGV[i], prefix .. KEY_FOLLOWERS .. ARGV[i]
    if top[key] == nil then
        local user = prefix .. KEY_USER .. uid
        local open = user_lives(user) and redis.call('HGET', user, USER_LOCKED) ~= '1'
        top[key] = open and time_after(key, 1) - 1
    end
    if top[key] then
        local time = math.max(tonumber(ARGV[i + 2]), top[key] + 1)
        if redis.call('ZADD', key, 'NX', digits(time), ARGV[i + 1]) == 1 then
            top[key] = time
        end
    else
        answer = GONE
    end
end
return {answer}
