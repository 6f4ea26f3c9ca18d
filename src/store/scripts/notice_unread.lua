#!lua flags=no-writes
-- How many notices a user has not seen yet, without those that his page leaves out because he wants to hear nothing of anybody in them; and how
-- many people ask to follow him.
--include notice_row
--: key     seen     NOTICEREAD uid
--: arg     uid      id
--: returns count:number requests:number
local count, since = 0, '(' .. (redis.call('GET', seen) or '0')
if redis.call('EXISTS', notice_apart) == 0 then
    count = redis.call('ZCOUNT', notices, since, '+inf')
else
    for _, group in ipairs(redis.call('ZRANGE', notices, since, '+inf', 'BYSCORE')) do
        count = count + (notice_row(group, 0, 1) and 1 or 0)
    end
end
return {count, redis.call('ZCARD', requests)}
