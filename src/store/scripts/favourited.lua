#!lua flags=allow-oom
-- The other side of a favourite, in the bucket of the post, whose author is told of it. A post that is gone gets none: the job that
-- cleans up after it may have passed there already.
--include notice
--include time
--include user
--: key   user        USER uid
--: key   record      POST post
--: key   favourites  FAVOURITES post
--: arg   uid         id      -- the author
--: arg   post        id
--: arg   from        id      -- who favourites it
--: arg   on          flag
--: arg   now         number  -- us
--: reply OK
--: reply GONE
if on == '0' then
    redis.call('ZREM', favourites, from)
    if redis.call('EXISTS', favourites) == 0 then
        notice_end('f:' .. post)
    end
    return {OK}
end
if redis.call('EXISTS', record) == 0 or not user_lives(user) then
    return {GONE}
end
local time = time_after(favourites, now)
if redis.call('ZADD', favourites, 'NX', digits(time), from) == 1 then
    notice_tell('f:' .. post, from, time)
end
return {OK}
