#!lua flags=allow-oom
-- The user has read a conversation of direct posts, or wants it to count as not read.
--include talk
--: arg   uid   id
--: arg   talk  id    -- which; 0: that of the post
--: arg   post  id
--: arg   on    flag  -- it counts as not read
--: reply OK
--: reply GONE
if talk == '0' then
    talk = redis.call('ZSCORE', talk_posts, post)
end
if not talk or tonumber(redis.call('ZSCORE', talks, talk) or '0') <= 0 then
    return {GONE}
end
local changed = on == '1' and redis.call('ZADD', talk_news, 0, talk) or on == '0' and redis.call('ZREM', talk_news, talk)
if changed == 1 then
    talk_count()
end
return {OK}
