-- The whole of follow.lua and unfollow.lua, which differ only in whether they may run when memory is full.
--include job_queue
--include home_empty
--include time
--: shape follow
--: key   user       USER uid
--: key   following  FOLLOWING uid
--: key   apart      APART uid
--: arg   uid        id
--: arg   on         flag
--: arg   now        number  -- us
--: arg   most       number  -- whom one may follow
--: ids   targets
--: reply OK         changed:any refused:any
--: reply FULL
--: reply GONE
--: reply STALE
-- changed: of the targets; refused: those who block him, or whom he blocks. FULL: only when following. STALE: another process has a job of this id.
if redis.call('EXISTS', user) == 0 or (on == '1' and redis.call('HGET', user, USER_DELETED) == '1') then
    return {GONE}
end
local is_there, is_mine = job_find()
local changed, refused = {}, {}
local stands = on == '1' and redis.call('HMGET', apart, unpack(ARGV, targets)) or {}
for i, score in ipairs(redis.call('ZMSCORE', following, unpack(ARGV, targets))) do
    if stands[i] and string.find(stands[i], '[bB]') then
        refused[#refused + 1] = ARGV[targets + i - 1]
    elseif (on == '1') ~= (score ~= false) then
        changed[#changed + 1] = ARGV[targets + i - 1]
    end
end
if is_mine then -- the same call again after a lost reply finds its job and repeats its answer
    changed = {}
    for target in string.gmatch(redis.call('HGET', job, JOB_TARGETS), '%d+') do
        changed[#changed + 1] = target
    end
    return {OK, changed, refused}
end
if #changed == 0 then
    return {OK, changed, refused}
end
if is_there then
    return {STALE}
end
if on == '1' then
    if redis.call('ZCARD', following) + #changed > tonumber(most) then
        return {FULL}
    end
    local time, rows = time_after(following, now), {}
    for i, target in ipairs(changed) do
        rows[2 * i - 1] = digits(time + i)
        rows[2 * i] = target
    end
    redis.call('ZADD', following, unpack(rows))
else
    redis.call('ZREM', following, unpack(changed))
end
job_queue(JOB_TARGETS, table.concat(changed, ','))
redis.call('HINCRBY', state, HOMESTATE_VERSION, 1)
home_empty()
redis.call('HSET', state, HOMESTATE_STAMP, job_nonce, HOMESTATE_BUILD, '1')
return {OK, changed, refused}
