--: key   tokens    TOKENS id
--: key   token     TOKEN id hash
--: arg   id        id      -- whose it is: a user's, or an application's own
--: arg   hash      text    -- of its secret
--: arg   now       number  -- ms
--: arg   most      number  -- tokens that one may have: the oldest makes room
--: arg   prefix    prefix

-- Stores a token of these fields and values. Answers how many made room.
local function token_put(...)
    redis.call('HSET', token, TOKEN_CREATED, now, TOKEN_SEEN, now, ...)
    redis.call('ZADD', tokens, now, hash)
    local over = redis.call('ZCARD', tokens) - tonumber(most)
    if over > 0 then
        for _, other in ipairs(redis.call('ZRANGE', tokens, 0, over - 1)) do
            redis.call('DEL', prefix .. KEY_TOKEN .. id .. ':' .. other)
            redis.call('ZREM', tokens, other)
        end
    end
    return math.max(over, 0)
end
