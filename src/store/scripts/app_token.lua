#!lua
-- A token of an application itself, by which it acts in nobody's name. It runs out, and the application not before it.
--include token_put
--: key    app     APP id
--: arg    ttl     number  -- ms
--: fields record  TOKEN
--: reply  OK      ended:number
--: reply  GONE
if redis.call('EXISTS', app) == 0 then
    return {GONE}
end
local ended = token_put(unpack(ARGV, record))
redis.call('PEXPIRE', token, ttl)
redis.call('PEXPIRE', tokens, ttl)
redis.call('PEXPIRE', app, ttl, 'GT') -- of one that does not run out this changes nothing
return {OK, ended}
