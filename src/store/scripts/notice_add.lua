#!lua
-- Tells a user of what lies in another's bucket: a post that mentions or answers him. Harmless when repeated.
--include notice
--include user
--: key   user   USER uid
--: arg   uid    id
--: arg   from   id      -- whose doing it is
--: arg   group  text    -- keys.h, notices
--: arg   time   number  -- us
--: arg   root   id      -- the first post of the conversation; 0: none
--: arg   once   flag    -- not if he was told of the group before, whenever that was
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
if once == '1' and (redis.call('ZSCORE', notices, group) or redis.call('ZSCORE', notice_gone, group)) then
    return {OK}
end
notice_tell(group, from, time, root)
return {OK}
