#!lua flags=allow-oom
-- Ends a token of somebody, or all of them.
--include tokens_end
--: key   tokens    TOKENS id
--: key   token     TOKEN id hash
--: arg   id        id
--: arg   which     one|all
--: arg   hash      text
--: reply OK        ended:number
if which == 'all' then
    local count = redis.call('ZCARD', tokens)
    tokens_end(tokens, id)
    return {OK, count}
end
redis.call('ZREM', tokens, hash)
return {OK, redis.call('DEL', token)}
