#!lua flags=allow-oom
-- Takes a conversation of direct posts away from the user alone. Up to when is noted as a time below zero, so that no job brings it back.
--include talk
--: arg   uid   id
--: arg   talk  id
--: reply OK
--: reply GONE
local time = redis.call('ZSCORE', talks, talk)
if not time or tonumber(time) <= 0 then
    return {GONE}
end
talk_drop(talk)
redis.call('ZADD', talks, '-' .. time, talk)
talk_count()
return {OK}
