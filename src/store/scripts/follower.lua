#!lua flags=allow-oom
-- The other side of a relation, in the bucket of the one who is followed, who is told of it. GONE: he was deleted, or one of both blocks
-- the other.
--include follower_ends
--include user
--: key   user       USER uid
--: key   apart      APART uid
--: arg   uid        id      -- who is followed
--: arg   follower   id
--: arg   on         flag
--: arg   now        number  -- us
--: reply OK
--: reply GONE
if on == '0' then
    follower_ends(follower)
    return {OK}
end
if not user_lives(user) or string.find(redis.call('HGET', apart, follower) or '', '[bB]') then
    return {GONE}
end
local time = time_after(followers, now)
if redis.call('ZADD', followers, 'NX', digits(time), follower) == 1 then
    notice_tell(follower_group(time), follower, time)
end
return {OK}
