-- Keeps the number of posts of a bucket, once somebody has counted them.
local function posted_add(posted, number)
    if redis.call('EXISTS', posted) == 1 then
        redis.call('INCRBY', posted, number)
    end
end
