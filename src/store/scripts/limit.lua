#!lua flags=allow-oom
-- Takes from a limit of a user, ahead of a change that his bucket alone does not decide. Also when memory is full: he has one small
-- counter of each limit, and what he frees must be counted too.
--include limit
--: shape limit_take
--: reply OK
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
return {OK}
