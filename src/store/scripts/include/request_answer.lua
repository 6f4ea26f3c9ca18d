--include follower_begins

-- Answers one who asks: who is let follow is a follower from here on, and his own side comes after.
local function request_answer(who, grants, now)
    request_ends(who)
    if grants == '1' and not redis.call('ZSCORE', followers, who) then
        follower_begins(who, now)
    end
end
