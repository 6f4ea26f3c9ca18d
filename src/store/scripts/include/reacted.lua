-- The whole of favourited.lua and boosted.lua, which say what `members`, `others` and `group` are: the other side of what somebody did with a
-- post, in the bucket of the post, whose author is told of it. A post that is gone gets none: the job that cleans up after it may have
-- passed there already.
--include notice
--include time
--include user
--: shape reacted
--: key   user        USER uid
--: key   record      POST post
--: arg   uid         id      -- the author
--: arg   post        id
--: arg   from        id      -- whose doing it is
--: arg   on          flag
--: arg   now         number  -- us
--: reply OK          people:number
--: reply GONE
-- people: how many have favourited the post and how many boosted it, together, if strangers find it; else, and when one takes that back, 0.
if on == '0' then
    if redis.call('ZREM', members, from) == 1 then
        notice_end(group .. post, redis.call('ZRANGE', members, -1, -1, 'WITHSCORES')[2])
    end
    return {OK, 0}
end
local found = redis.call('HMGET', record, POST_AUTHOR, POST_VISIBILITY, POST_BOOST)
if not found[1] or not user_lives(user) then
    return {GONE}
end
local time = notice_time(time_after(members, now))
if redis.call('ZADD', members, 'NX', digits(time), from) == 1 then
    notice_tell(group .. post, from, time, redis.call('HGET', record, POST_THREAD) or post)
end
local is_public = not found[2] and not found[3]
return {OK, is_public and redis.call('ZCARD', members) + redis.call('ZCARD', others) or 0}
