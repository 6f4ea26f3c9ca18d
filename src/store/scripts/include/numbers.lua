-- What is counted of a user, for whoever wants to show it: posts, people followed, followers; and the id of his newest post.
--: arg numbers flag -- it is wanted

local function numbers_of(uid)
    if numbers ~= '1' then
        return {}
    end
    local posts = prefix .. KEY_POSTS .. uid
    return {redis.call('ZCARD', posts), redis.call('ZCARD', prefix .. KEY_FOLLOWING .. uid),
            redis.call('ZCARD', prefix .. KEY_FOLLOWERS .. uid), redis.call('ZRANGE', posts, -1, -1)[1] or '0'}
end
