#!lua flags=allow-oom
-- Mutes somebody no more.
-- changed: whether he was
--include apart
--: arg   uid    id
--: arg   other  id
--: reply OK     changed:number
if not apart_has(redis.call('HGET', apart, other), 'm') then
    return {OK, 0}
end
apart_set(other, '[mn]', false)
return {OK, 1}
