#!lua
-- A code becomes a token, once. When it is used again, somebody else has it too, and its token ends.
--include token_put
--include user
--: key    user      USER id
--: key    code      CODE id secret
--: arg    secret    text    -- a hash of it
--: arg    app       id      -- who uses it
--: arg    redirect  text    -- where it was sent
--: arg    challenge text    -- of what the application knows; "": it says nothing
--: reply  OK        ended:number scopes:text  -- in hexadecimal
--: reply  GONE
local found = redis.call('HMGET', code, CODE_APP, CODE_APP_NAME, CODE_APP_WEBSITE, CODE_SCOPES, CODE_REDIRECT,
    CODE_CHALLENGE, CODE_TOKEN)
if found[1] ~= app or found[5] ~= redirect or (found[6] or '') ~= challenge or not user_lives(user) then
    return {GONE}
end
if found[7] == hash then
    return {OK, 0, found[4]} -- the same call again after a lost reply
end
if found[7] then
    redis.call('DEL', prefix .. KEY_TOKEN .. id .. ':' .. found[7])
    redis.call('ZREM', tokens, found[7])
    return {GONE}
end
redis.call('HSET', code, CODE_TOKEN, hash)
local ended = token_put(TOKEN_APP, found[1], TOKEN_APP_NAME, found[2], TOKEN_APP_WEBSITE, found[3] or '', TOKEN_SCOPES,
    found[4])
return {OK, ended, found[4]}
