-- Lists whose people are not to stand in their owner's home (social/people/visit_exclusive.h). The script has the key `list` of the list
-- and the key `list_state`, the homestate of its owner.

-- Who is on his exclusive lists has changed, or which these are.
local function list_exclusive_changed()
    redis.call('HINCRBY', list_state, HOMESTATE_EXCLUSIVE, 1)
end

-- The same, if the list is one.
local function list_changed()
    if redis.call('HGET', list, LIST_EXCLUSIVE) == '1' then
        list_exclusive_changed()
    end
end
