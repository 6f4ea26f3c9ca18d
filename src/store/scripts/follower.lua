#!lua flags=allow-oom
-- The other side of a relation, in the bucket of the one who is followed.
--include time
--include user
--: key   user       USER uid
--: key   followers  FOLLOWERS uid
--: arg   uid        id      -- who is followed
--: arg   follower   id
--: arg   on         flag
--: arg   now        number  -- us
--: reply OK
--: reply GONE
if on == '0' then
    redis.call('ZREM', followers, follower)
    return {OK}
end
if not user_lives(user) then
    return {GONE}
end
redis.call('ZADD', followers, 'NX', digits(time_after(followers, now)), follower)
return {OK}
