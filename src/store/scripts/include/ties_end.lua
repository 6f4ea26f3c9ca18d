--: key ties      TIES uid
--: key endorsed  ENDORSED uid
--: key state     HOMESTATE uid

-- The user neither follows these people any more, nor asks to: what he wanted of them ends. Who has no state was deleted: nothing of him
-- is to come back.
local function ties_end(others)
    if #others > 0 then
        redis.call('ZREM', endorsed, unpack(others))
        if redis.call('HDEL', ties, unpack(others)) > 0 and redis.call('EXISTS', state) == 1 then
            redis.call('HINCRBY', state, HOMESTATE_TIES, 1)
        end
    end
end
