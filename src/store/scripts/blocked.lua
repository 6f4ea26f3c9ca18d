#!lua flags=allow-oom
-- The other side of a block, in the bucket of the one who is blocked, or is no more.
--include apart
--include following_ends
--include follower_ends
--include user
--: key   user       USER uid
--: arg   uid        id      -- who is blocked
--: arg   by         id
--: arg   on         flag
--: arg   stamp      text    -- of the home that is emptied
--: reply OK
--: reply GONE
if on == '0' then
    if apart_has(redis.call('HGET', apart, by), 'B') then
        apart_set(by, 'B', false)
    end
    return {OK}
end
if not user_lives(user) then
    return {GONE}
end
if not apart_has(redis.call('HGET', apart, by), 'B') then
    apart_set(by, 'B', true)
end
follower_ends(by)
following_ends(by, stamp)
return {OK}
