#!lua flags=allow-oom
-- Takes a filter away.
--: key   filters  FILTERS uid
--: key   state    HOMESTATE uid
--: arg   uid      id
--: arg   id       number
--: reply OK
--: reply GONE
if redis.call('HDEL', filters, id) == 0 then
    return {GONE}
end
redis.call('HINCRBY', state, HOMESTATE_FILTERS, 1)
return {OK}
