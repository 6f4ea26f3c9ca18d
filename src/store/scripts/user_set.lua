#!lua
-- Sets fields of a user who exists; one who was deleted meanwhile stays as he is.
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
