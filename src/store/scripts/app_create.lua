#!lua
-- Registers an application. It runs out unless somebody lets it in.
--: key    app     APP id
--: arg    id      id
--: arg    ttl     number  -- ms
--: arg    secret  text    -- its hash, which is also the nonce of the call
--: fields record  APP     -- the rest
--: reply  OK
--: reply  STALE
local there = redis.call('HGET', app, APP_SECRET)
if there and there ~= secret then
    return {STALE}
end
redis.call('HSET', app, APP_SECRET, secret, unpack(ARGV, record))
redis.call('PEXPIRE', app, ttl)
return {OK}
