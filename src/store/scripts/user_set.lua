#!lua
-- Sets fields of a user who is there: one who was deleted meanwhile gets nothing any more.
--include user
--: key    user    USER uid
--: arg    uid     id
--: fields record  USER
--: reply  OK
--: reply  GONE
if not user_lives(user) then
    return {GONE}
end
redis.call('HSET', user, unpack(ARGV, record))
return {OK}
