#!lua
-- Notes that a token is in use, unless it has ended meanwhile.
--: key   token   TOKEN id hash
--: arg   id      id
--: arg   hash    text
--: arg   now     number  -- ms
--: reply OK
--: reply GONE
if redis.call('EXISTS', token) == 0 then
    return {GONE}
end
redis.call('HSET', token, TOKEN_SEEN, now)
return {OK}
