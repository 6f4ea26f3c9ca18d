#!lua
-- Writes as a post is written, and keeps nothing of it: an engine that is full, or cannot write, refuses this as it refuses a
-- post. What comes with the call counts as memory, so the padding is what a long post brings along, and more.
--: key   health   HEALTH global
--: arg   padding  text
--: reply OK
local _ = padding -- that it comes along is all
redis.call('SET', health, '1', 'EX', '60')
return {OK}
