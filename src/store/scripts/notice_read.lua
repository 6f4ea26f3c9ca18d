#!lua flags=allow-oom
-- The user has seen what he was told up to a time.
--include notice
--include user
--: key   user   USER uid
--: key   seen   NOTICEREAD uid
--: arg   uid    id
--: arg   upto   number  -- us
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
if tonumber(upto) > tonumber(redis.call('GET', seen) or '0') then
    redis.call('SET', seen, upto)
    notice_changed()
end
return {OK}
