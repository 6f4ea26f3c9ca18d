#!lua flags=allow-oom
-- Mutes somebody no more.
-- changed: whether he was
--include apart
--include limit
--: arg   uid    id
--: arg   other  id
--: reply OK     changed:number
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
if not apart_has(redis.call('HGET', apart, other), 'm') then
    return {OK, 0}
end
apart_set(other, '[mn]', false)
return {OK, 1}
