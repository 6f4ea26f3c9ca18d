#!lua
-- Tells a user, its author too, of a direct post: it belongs to a conversation of his from here on, and to no other. Harmless when repeated, and
-- posts may come in any order. What he dismissed comes back with a newer post alone.
--include talk
--include talk_heard
--include user
--: key   user    USER uid
--: arg   uid     id
--: arg   talk    id      -- of which conversation
--: arg   post    id
--: arg   from    id      -- its author
--: arg   people  text    -- who takes part, without the user: uids, comma separated
--: arg   root    id      -- the first post of the conversation
--: arg   fresh   flag    -- it may be news to him
--: arg   most    number  -- conversations of his
--: arg   kept    number  -- posts of each
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
if redis.call('ZSCORE', talk_posts, post) == talk then
    return {OK} -- it came before
end
local was, was_new = talk_leave(post)
local gone = talk_gone(talk)
if gone and talk_time(post) <= gone then
    return {OK}
end
local newest = redis.call('ZRANGE', talk_posts, talk, talk, 'BYSCORE', 'REV', 'LIMIT', 0, 1)[1]
redis.call('ZADD', talk_posts, talk, post)
redis.call('HSET', talk_people, talk, gone and people .. ':' .. string.format('%.0f', gone) or people)
talk_settle(talk)
if not newest or post > newest then
    local is_news = fresh == '1' and not notice_is_hushed(from) and not redis.call('ZSCORE', notice_quiet, root)
    if from == uid then
        redis.call('ZREM', talk_news, talk)
    elseif was_new or (is_news and not was) then -- by an edit it comes from another conversation, as it was there
        redis.call('ZADD', talk_news, 0, talk)
    end
end
for _, old in ipairs(redis.call('ZRANGE', talk_posts, talk, talk, 'BYSCORE', 'REV', 'LIMIT', kept, 10)) do
    redis.call('ZREM', talk_posts, old)
end
-- one too many: what he dismissed goes first, then what he does not see, then the oldest
if redis.call('ZCARD', talks) > tonumber(most) then
    local surplus = redis.call('ZRANGE', talks, '(0', '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1)[1]
    local all = surplus and {} or redis.call('ZRANGE', talks, 0, -1)
    for _, one in ipairs(all) do
        local hushed, takes_part = talk_hushed(one)
        if takes_part > 0 and hushed == takes_part then
            surplus = one
            break
        end
    end
    talk_drop(surplus or all[1])
end
talk_count()
return {OK}
