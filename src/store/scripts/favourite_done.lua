#!lua flags=allow-oom
-- The end of a favourite's job, in the bucket of whoever made it. If it was taken back, or made again, while the other side was written,
-- the job has to run again. Of a post that is gone nothing stays on this side either.
--include job_end
--: key   favourited  FAVOURITED uid
--: key   state       HOMESTATE uid
--: arg   uid         id
--: arg   post        id
--: arg   other       on|off|gone  -- what was written there
--: reply OK
--: reply AGAIN
if other == 'gone' then
    if redis.call('ZREM', favourited, post) == 1 and redis.call('EXISTS', state) == 1 then
        redis.call('HINCRBY', state, HOMESTATE_MARKS, 1)
    end
elseif (redis.call('ZSCORE', favourited, post) and 'on' or 'off') ~= other then
    return {AGAIN}
end
job_end()
return {OK}
