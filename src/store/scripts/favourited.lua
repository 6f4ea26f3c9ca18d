#!lua flags=allow-oom
-- The other side of a favourite.
--: key   members     FAVOURITES post
--: key   others      BOOSTS post
local group = 'f:'
--include reacted
