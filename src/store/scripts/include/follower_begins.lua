--include follower_ends
--include time

-- Somebody follows the user from here on, asked or let in, and the user is told of it: the notice of the day counts all who began then.
local function follower_begins(follower, now)
    local time = notice_time(time_after(followers, now))
    redis.call('ZADD', followers, digits(time), follower)
    notice_tell(follower_group(time), follower, time)
end
