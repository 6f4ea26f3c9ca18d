#!lua flags=allow-oom
-- Takes away what the user was told up to a time, of one group or of all; or what one person did of those in a group. What came later
-- stays. It is remembered, so that neither a job that is repeated brings it back, nor the next favourite all those before it.
--include notice_row
--include user
--: key   user   USER uid
--: arg   uid    id
--: arg   group  text    -- "": all
--: arg   upto   number  -- us
--: arg   who    id      -- 0: everybody
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
local set = who ~= '0' and notice_set(group)
local found
if set then
    local time = redis.call('ZSCORE', set, who)
    found = {}
    if time and redis.call('ZADD', notice_gone, time, group .. ':' .. who) == 1 then
        notice_any_gone = true
        local row = notice_row(group, time, 1)
        notice_end(group, row and row[4] or nil)
    end
elseif group == '' then
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
redis.call('ZREMRANGEBYRANK', notice_gone, 0, -1001)
if #found > 0 then
    notice_changed()
end
return {OK}
