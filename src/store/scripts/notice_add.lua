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
--: reply OK
--: reply GONE
if not user_lives(user) then
    return {GONE}
end
notice_tell(group, from, time, root)
return {OK}
