#!lua flags=allow-oom
-- The other side of a favourite.
--: key   members     FAVOURITES post
local group = 'f:'
--include reacted
