#!lua flags=allow-oom
-- The end of the job of a block, in the bucket of the one who blocks. If it was changed while the other side was written, the job has to
-- run again. Somebody who was deleted meanwhile is blocked no more. The home is emptied once more: posts may have come while the other side did
-- not know.
--include job_end
--include apart
--include home_empty
--: arg   uid    id
--: arg   other  id
--: arg   side   on|off|gone
--: reply OK
--: reply AGAIN
local is = apart_has(redis.call('HGET', apart, other), 'b')
if side == 'gone' then
    if is then
        apart_set(other, 'b', false)
    end
elseif is ~= (side == 'on') then
    return {AGAIN}
end
if side == 'on' and redis.call('EXISTS', state) == 1 then
    home_empty()
    redis.call('HSET', state, HOMESTATE_STAMP, job_nonce .. 'd', HOMESTATE_BUILD, '1')
end
job_end()
return {OK}
