#!lua flags=allow-oom
-- The user has seen what he was told up to a time, but nothing that he will be told later.
--include notice
--include user
--: key   user   USER uid
--: key   seen   NOTICEREAD uid
--: arg   uid    id
--: arg   upto   number  -- us
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
local newest = redis.call('ZRANGE', notices, -1, -1, 'WITHSCORES')[2] or '0'
local till = math.min(tonumber(upto), tonumber(newest))
if till > tonumber(redis.call('GET', seen) or '0') then
    redis.call('SET', seen, string.format('%.0f', till))
    notice_changed()
end
return {OK}
