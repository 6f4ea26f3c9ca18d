#!lua flags=allow-oom
-- Takes away what the user was told up to a time, of one group or of all. What came later stays. It is remembered, so that neither a job
-- that is repeated brings it back, nor the next favourite all those before it.
--include notice
--include user
--: key   user   USER uid
--: arg   uid    id
--: arg   group  text    -- "": all
--: arg   upto   number  -- us
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
local found
if group == '' then
    found = redis.call('ZRANGE', notices, '-inf', upto, 'BYSCORE', 'WITHSCORES')
else
    local time = redis.call('ZSCORE', notices, group)
    found = time and {group, time} or {}
end
upto = tonumber(upto)
for i = 1, #found, 2 do
    local time = tonumber(found[i + 1])
    redis.call('ZADD', notice_gone, 'GT', string.format('%.0f', math.min(time, upto)), found[i])
    if time <= upto then
        redis.call('ZREM', notices, found[i])
    end
end
if #found > 0 then
    redis.call('ZREMRANGEBYRANK', notice_gone, 0, -1001)
    notice_changed()
end
return {OK}
