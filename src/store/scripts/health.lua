#!lua
-- Writes like a post, and keeps nothing of it: an engine that is full, or cannot write, refuses this as it refuses a post.
-- The arguments of a call count as memory, so the padding is more than a long post brings along.
--: key   health   HEALTH global
--: arg   padding  text
--: reply OK
local _ = padding -- that it comes along is all
redis.call('SET', health, '1', 'EX', '60')
return {OK}
