#!lua flags=no-writes
-- A user by id: record and counts.
--: key     user       USER uid
--: key     posts      POSTS uid
--: key     following  FOLLOWING uid
--: key     followers  FOLLOWERS uid
--: arg     uid        id
--: returns user:USER posts:number following:number followers:number
local call = redis.call
return {call('HMGET', user, USER_SHOWN), call('ZCARD', posts), call('ZCARD', following), call('ZCARD', followers)}
