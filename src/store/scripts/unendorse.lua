#!lua flags=allow-oom
-- Recommends somebody no more.
--include limit
--: key   endorsed  ENDORSED uid
--: arg   uid       id
--: arg   other     id
--: reply OK
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('ZREM', endorsed, other)
return {OK}
