#!lua flags=allow-oom
-- Tells all processes what has happened. Also when memory is full: else what was deleted would stay on their pages.
-- The stream is of bounded length, so it does not grow for that.
-- KEYS  events
-- ARGV  length of the stream, field, value, …
-- reply {"ok"}
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '0-*', unpack(ARGV, 2))
return {'ok'}
