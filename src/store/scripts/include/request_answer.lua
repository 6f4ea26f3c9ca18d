--include request
--: key followers  FOLLOWERS uid

-- Answers one who asks: who is let follow is a follower from here on, and his own side comes after.
local function request_answer(who, grants, now)
    request_ends(who)
    if grants == '1' then
        redis.call('ZADD', followers, 'NX', digits(time_after(followers, now)), who)
    end
end
