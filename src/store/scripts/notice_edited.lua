#!lua
-- Tells a user that a post that he boosts was edited. Who took his boost back meanwhile is told nothing. Harmless when repeated.
--include boosted
--include notice
--include user
--: key   user   USER uid
--: arg   uid    id
--: arg   from   id      -- the author
--: arg   post   id
--: arg   time   number  -- us
--: arg   root   id      -- the first post of the conversation
--: reply OK
--: reply GONE
if not user_lives(user) or not boost_of(post) then
    return {GONE}
end
notice_tell('e:' .. post, from, time, root)
return {OK}
