#!lua flags=no-writes
-- How many notices a user has not seen yet, and how many people ask to follow him.
--: key     notices  NOTICES uid
--: key     seen     NOTICEREAD uid
--: key     requests REQUESTS uid
--: arg     uid      id
--: returns count:number requests:number
return {redis.call('ZCOUNT', notices, '(' .. (redis.call('GET', seen) or '0'), '+inf'), redis.call('ZCARD', requests)}
