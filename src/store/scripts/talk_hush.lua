#!lua flags=allow-oom
-- The user wants to hear nothing of somebody from here on: conversations that he does not see do not count as not read. And settles one
-- (0: none), for the repair.
--include talk
--include talk_heard
--: arg   uid   id
--: arg   talk  id
--: reply OK
if talk ~= '0' and (tonumber(redis.call('ZSCORE', talks, talk) or '0') >= 0 or redis.call('ZCOUNT', talk_posts, talk, talk) > 0) then
    talk_settle(talk)
end
local changed = talk ~= '0'
for _, one in ipairs(redis.call('ZRANGE', talk_news, 0, -1)) do
    local hushed, all = talk_hushed(one)
    if not redis.call('ZSCORE', talks, one) or (all > 0 and hushed == all) then
        redis.call('ZREM', talk_news, one)
        changed = true
    end
end
if changed and redis.call('EXISTS', talk_state) == 1 then
    talk_count()
end
return {OK}
