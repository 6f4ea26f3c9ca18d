#!lua flags=allow-oom
--include job
-- A claimed job did not begin: it waits in the queue of its process, or the queue was full. That was no attempt.
-- KEYS  job
-- ARGV  nonce
-- reply {"ok"} | {"gone"}
if job_owner(KEYS[1], ARGV[1]) ~= 'mine' then
    return {'gone'}
end
if tonumber(redis.call('HGET', KEYS[1], 'attempts') or '0') > 0 then
    redis.call('HINCRBY', KEYS[1], 'attempts', -1)
end
return {'ok'}
