#!lua flags=allow-oom
-- Takes from a limit of a user, before a change that needs more than his bucket. Runs when memory is full too: he has one
-- small counter of each limit, and changes that free memory must be counted as well.
--include limit
--: shape limit_take
--: reply OK
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
return {OK}
