#!lua flags=allow-oom
-- Tells all processes what has happened. Runs when memory is full too: otherwise deleted things would stay on their pages.
-- The stream has a bounded length, so it does not grow by that.
--: arg   bucket  bucket
--: key   stream  given stream
--: arg   stream  text    -- the key, of the bucket
--: arg   kept    number  -- length of the stream
--: arg   kind    text    -- its letter
--: arg   id      id
--: arg   nonce   id      -- random
--: arg   text    text    -- '' for none
--: reply OK
if text == '' then
    redis.call('XADD', stream, 'MAXLEN', '~', kept, '0-*', 'k', kind, 'i', id, 'n', nonce)
else
    redis.call('XADD', stream, 'MAXLEN', '~', kept, '0-*', 'k', kind, 'i', id, 'n', nonce, 'm', text)
end
return {OK}
