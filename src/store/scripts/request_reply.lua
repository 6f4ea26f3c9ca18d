#!lua flags=allow-oom
-- What became of a request, in the bucket of the one who asked. The job that is written here makes both sides agree, whatever happened
-- to them meanwhile.
--include job_queue
--include home_empty
--include ties_end
--include time
--include user
--: key   user       USER uid
--: key   following  FOLLOWING uid
--: key   asked      ASKED uid
--: key   apart      APART uid
--: arg   uid        id      -- who asked
--: arg   by         id      -- whom
--: arg   grants     flag
--: arg   now        number  -- us
--: reply OK
--: reply GONE
--: reply STALE
if not user_lives(user) then
    return {GONE}
end
local is_there, is_mine = job_find()
if is_mine then
    return {OK}
end
if is_there then
    return {STALE}
end
if redis.call('ZREM', asked, by) == 1 then
    redis.call('HINCRBY', state, HOMESTATE_VERSION, 1)
    if grants == '1' and not string.find(redis.call('HGET', apart, by) or '', '[bB]') then
        redis.call('ZADD', following, 'NX', digits(time_after(following, now)), by)
        home_empty()
        redis.call('HSET', state, HOMESTATE_STAMP, job_nonce, HOMESTATE_BUILD, '1')
    else
        ties_end({by})
    end
end
job_queue(JOB_TARGETS, by)
return {OK}
