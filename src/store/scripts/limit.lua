#!lua flags=allow-oom
--include limit
-- Takes from a limit of a user, ahead of a change that his bucket alone does not decide. Also when memory is full: he has one small
-- counter of each limit, and what he frees must be counted too.
-- KEYS  limit
-- ARGV  cost, seconds, count
-- reply {"ok"} | {"limited", ms to wait}
local wait = limit_take(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if wait > 0 then
    return {'limited', wait}
end
return {'ok'}
