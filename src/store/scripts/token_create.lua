#!lua
-- A token of a user, by which an application acts in his name.
--include token_put
--include user
--: key    user    USER id
--: arg    checked text    -- hash of the password that was given ("": none was): it must still be the one
--: fields record  TOKEN
--: reply  OK      ended:number
--: reply  GONE
-- ended: how many tokens made room
if not user_lives(user) or (checked ~= '' and redis.call('HGET', user, USER_PASSWORD) ~= checked) then
    return {GONE}
end
return {OK, token_put(unpack(ARGV, record))}
