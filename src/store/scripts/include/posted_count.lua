--: arg     bucket   bucket
--: arg     prefix   prefix
--: key     users    USERS bucket
--: key     posted   POSTED bucket
local stored = redis.call('GET', posted)
local function posted_count()
    local posts = 0
    for _, uid in ipairs(redis.call('ZRANGE', users, 0, -1)) do
        posts = posts + redis.call('ZCARD', prefix .. KEY_POSTS .. uid)
    end
    return posts
end
