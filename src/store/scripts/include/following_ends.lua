--include home_empty
--include ties_end
--: key following  FOLLOWING uid
--: key asked      ASKED uid

-- A user follows somebody no more, nor asks to: what is remembered of it is old, and the next visit builds the home.
local function following_ends(other, stamp)
    ties_end({other})
    if redis.call('ZREM', asked, other) == 1 then
        redis.call('HINCRBY', state, HOMESTATE_VERSION, 1)
    end
    if redis.call('ZREM', following, other) == 1 then
        redis.call('HINCRBY', state, HOMESTATE_VERSION, 1)
        home_empty()
        redis.call('HSET', state, HOMESTATE_STAMP, stamp, HOMESTATE_BUILD, '1')
    end
end
