--: arg   prefix    prefix

-- Ends all tokens of somebody.
local function tokens_end(tokens, id)
    for _, hash in ipairs(redis.call('ZRANGE', tokens, 0, 999)) do
        redis.call('DEL', prefix .. KEY_TOKEN .. id .. ':' .. hash)
    end
    redis.call('DEL', tokens)
end
