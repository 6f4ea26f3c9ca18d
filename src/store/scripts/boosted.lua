#!lua flags=allow-oom
-- The other side of a boost.
--: key   members     BOOSTS post
--: key   others      FAVOURITES post
local group = 'b:'
--include reacted
