-- Keeps the number of posts of a bucket, once somebody has counted them. Of none (a direct post is in no bucket) the engine must not hear:
-- what takes a number of posts away would say "-0", which it refuses in the middle of the change.
local function posted_add(posted, number)
    if number ~= 0 and redis.call('EXISTS', posted) == 1 then
        redis.call('INCRBY', posted, number)
    end
end
