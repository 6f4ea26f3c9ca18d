#!lua flags=allow-oom
-- Ends sessions and, if one is given, sets a new password in the same step: old sessions are worth nothing from then on. If
-- an old hash is given, it must still be the stored one, and the session to keep must still be there. With all sessions,
-- the tokens of applications end too.
--include tokens_end
--: key   user      USER uid
--: key   sessions  SESSIONS uid
--: key   tokens    TOKENS uid
--: arg   uid       id
--: arg   which     one|others|all
--: arg   session   text    -- hash of the one, or of the one to keep
--: arg   password  text    -- hash of the new one, or ""
--: arg   old       text    -- hash of the old one, or ""
--: reply OK        ended:number
--: reply GONE
--: reply CHANGED
local base = prefix .. KEY_SESSION .. uid .. ':'
if password ~= '' then
    if redis.call('EXISTS', user) == 0 or redis.call('HGET', user, USER_DELETED) == '1' then
        return {GONE}
    end
    local stored = redis.call('HGET', user, USER_PASSWORD)
    if old ~= '' and stored ~= password then -- equal: the same call again after a lost reply
        if stored ~= old then
            return {CHANGED}
        end
        if session ~= '' and redis.call('EXISTS', base .. session) == 0 then
            return {GONE}
        end
    end
    redis.call('HSET', user, USER_PASSWORD, password)
end
local ended = 0
for _, hash in ipairs(redis.call('ZRANGE', sessions, 0, 999)) do
    if which == 'all' or (which == 'one') == (hash == session) then
        ended = ended + redis.call('DEL', base .. hash)
        redis.call('ZREM', sessions, hash)
    end
end
if which == 'all' then
    tokens_end(tokens, uid)
end
return {OK, ended}
