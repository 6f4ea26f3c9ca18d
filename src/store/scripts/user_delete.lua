#!lua flags=allow-oom
-- Marks a user as deleted: he cannot sign in, his sessions and tokens end, and a job takes away what he left.
--include job_queue
--include tokens_end
--: key   user      USER uid
--: key   sessions  SESSIONS uid
--: key   tokens    TOKENS uid
--: arg   uid       id
--: reply OK
--: reply GONE
--: reply STALE
-- STALE: another process has a job of this id
local found = redis.call('HMGET', user, USER_NAME, USER_DELETED, USER_DELETION)
if found[3] == job_nonce then
    return {OK} -- the same call again after a lost reply; the job may have been done since
end
if not found[1] or found[2] == '1' then
    return {GONE}
end
if job_find() then
    return {STALE}
end
redis.call('HDEL', user, USER_PASSWORD, USER_BIO, USER_DISPLAY, USER_ROLE, USER_PROFILE_FIELDS, USER_VISIBILITY, USER_LANGUAGE, USER_LOCALE,
    USER_HOME_REPLIES, USER_LOCKED, USER_THEME, USER_STATE, USER_DISCOVERABLE, USER_INDEXABLE, USER_HIDE_COLLECTIONS, USER_BOT,
    USER_SENSITIVE)
redis.call('HSET', user, USER_DELETED, '1', USER_DELETION, job_nonce)
for _, hash in ipairs(redis.call('ZRANGE', sessions, 0, 999)) do
    redis.call('DEL', prefix .. KEY_SESSION .. uid .. ':' .. hash)
end
redis.call('DEL', sessions)
tokens_end(tokens, uid)
job_queue()
return {OK}
