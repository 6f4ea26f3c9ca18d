--: key   boosted     BOOSTED uid
--: key   state       HOMESTATE uid

-- The user's boost of a post; nil: there is none.
local function boost_of(post)
    local entry = redis.call('ZRANGE', boosted, '[' .. post .. ' ', '(' .. post .. '!', 'BYLEX', 'LIMIT', 0, 1)[1]
    return entry and string.sub(entry, #post + 2)
end

-- What the processes remember of what he did with posts is old.
local function marks_changed()
    redis.call('HINCRBY', state, HOMESTATE_MARKS, 1)
end
