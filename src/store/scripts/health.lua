#!lua
-- Writes as a post is written, and keeps nothing of it: an engine that is full, or cannot write, refuses this as it refuses a
-- post. What comes with the call counts as memory, so the padding is what a long post brings along, and more.
-- KEYS  health
-- ARGV  padding
-- reply {"ok"}
redis.call('SET', KEYS[1], '1', 'EX', '60')
return {'ok'}
