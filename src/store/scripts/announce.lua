#!lua flags=allow-oom
-- Tells all processes what has happened. Also when memory is full: else what was deleted would stay on their pages.
-- The stream is of bounded length, so it does not grow for that.
--: arg   bucket  bucket
--: key   stream  given stream
--: arg   stream  text    -- the key, of the bucket
--: arg   kept    number  -- length of the stream
--: arg   kind    text    -- its letter
--: arg   id      id
--: arg   nonce   id      -- random
--: reply OK
redis.call('XADD', stream, 'MAXLEN', '~', kept, '0-*', 'k', kind, 'i', id, 'n', nonce)
return {OK}
