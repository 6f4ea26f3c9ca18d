#!lua flags=no-writes
-- The tags on the profile of somebody, with their times, those put there first first; and of his newest posts that everybody may read those that may
-- have a tag, as ids and texts in turn. Without a tag there, and unless posts are wanted `always`, no post is looked at.
--: key     featured  FEATURED uid
--: key     posts     POSTS uid
--: arg     uid       id
--: arg     prefix    prefix
--: arg     always    flag
--: arg     open      text    -- the visibility of posts that everybody may read, besides none
--: arg     most      number  -- posts that are looked at
--: returns tags:any posts:any
local tags, found = redis.call('ZRANGE', featured, 0, -1, 'WITHSCORES'), {}
if #tags == 0 and always == '0' then
    return {tags, found}
end
for _, id in ipairs(redis.call('ZRANGE', posts, '+', '-', 'BYLEX', 'REV', 'LIMIT', 0, most)) do
    local post = redis.call('HMGET', prefix .. KEY_POST .. id, POST_TEXT, POST_VISIBILITY, POST_BOOST)
    local text, is_open = post[1] or '', not post[2] or post[2] == '' or post[2] == open
    local is_boost = post[3] and post[3] ~= '' and post[3] ~= '0'
    if is_open and not is_boost and (string.find(text, '#', 1, true) or string.find(text, '\239\188\131', 1, true)) then -- the wide sign
        found[#found + 1] = id
        found[#found + 1] = text
    end
end
return {tags, found}
