#!lua flags=allow-oom
-- Somebody is gone: from him nobody stands apart any more.
--include apart
--: arg   uid    id
--: arg   other  id  -- who is gone
--: reply OK
if redis.call('HEXISTS', apart, other) == 1 then
    apart_set(other, '.', false)
end
return {OK}
