#!lua flags=allow-oom
-- A direct post is gone, or speaks to the user no more: its conversation goes back to the post before it, or ends.
--include talk
--: arg   uid   id
--: arg   post  id
--: reply OK
talk_leave(post)
return {OK}
