-- A page of somebody's posts.

--: arg     prefix     prefix
--: arg     from       text    -- bounds as BYLEX wants them
--: arg     to         text
--: arg     backwards  flag
--: arg     limit      number
--: arg     most       number  -- how many posts are looked at, to leave some out

-- The bounds are those of the list, from where it goes on.
local function own_ids(posts, start, count)
    if backwards == '1' then
        return redis.call('ZRANGE', posts, start, to, 'BYLEX', 'REV', 'LIMIT', 0, count)
    end
    return redis.call('ZRANGE', posts, start, to, 'BYLEX', 'LIMIT', 0, count)
end

-- Whether the post answers somebody else; what was written before 0.2 does not say whom it answers. And whether it is a boost.
local function own_kind(id, uid)
    local post = redis.call('HMGET', prefix .. KEY_POST .. id, POST_REPLY_TO, POST_REPLY_AUTHOR, POST_BOOST)
    local answers = post[1] and post[1] ~= '0' and string.match(post[2] or '', '^%d+') ~= uid
    return answers, post[3] and post[3] ~= '' and post[3] ~= '0'
end

-- Whether the post may have the tag: certain where all is ASCII, where folding is lower case alone.
local function own_may_have(id, tag)
    local text = redis.call('HGET', prefix .. KEY_POST .. id, POST_TEXT) or ''
    if string.find(text .. tag, '[\128-\255]') then
        return string.find(text, '#', 1, true) or string.find(text, '\239\188\131', 1, true) -- the wide sign
    end
    return string.find(string.lower(text), '#' .. tag, 1, true)
end

-- His posts but for answers to others, or boosts: the ids, and behind which id it goes on where too many had been looked at ('0':
-- nowhere).
local function own_posts(posts, uid, no_answers, no_boosts, tag)
    local found, left, wanted, start = {}, tonumber(most), tonumber(limit), from
    while left > 0 do
        local count = math.min(left, wanted)
        local ids = own_ids(posts, start, count)
        for _, id in ipairs(ids) do
            local answers, boosts = own_kind(id, uid)
            if not (no_answers and answers) and not (no_boosts and boosts) and (tag == '' or own_may_have(id, tag)) then
                found[#found + 1] = id
                if #found == wanted then
                    return found, '0'
                end
            end
        end
        if #ids < count then
            return found, '0'
        end
        start = '(' .. ids[count]
        left = left - count
    end
    return found, string.sub(start, 2)
end
