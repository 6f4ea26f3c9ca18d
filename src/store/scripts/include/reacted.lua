-- The whole of favourited.lua and boosted.lua, which say what `members` and `group` are: the other side of what somebody did with a
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
--: reply OK
--: reply GONE
if on == '0' then
    if redis.call('ZREM', members, from) == 1 then
        notice_end(group .. post, redis.call('ZRANGE', members, -1, -1, 'WITHSCORES')[2])
    end
    return {OK}
end
if redis.call('EXISTS', record) == 0 or not user_lives(user) then
    return {GONE}
end
local time = notice_time(time_after(members, now))
if redis.call('ZADD', members, 'NX', digits(time), from) == 1 then
    notice_tell(group .. post, from, time, redis.call('HGET', record, POST_THREAD) or post)
end
return {OK}
