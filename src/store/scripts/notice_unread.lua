#!lua flags=no-writes
-- How many notices a user has not seen yet.
--: key     notices  NOTICES uid
--: key     seen     NOTICEREAD uid
--: arg     uid      id
--: returns count:number
return {redis.call('ZCOUNT', notices, '(' .. (redis.call('GET', seen) or '0'), '+inf')}
