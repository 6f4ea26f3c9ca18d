#!lua flags=allow-oom
-- The end of a follow job, in the reader's bucket. If a relation changed while the other side was written, the job has
-- to run again; else the home is emptied once more (posts that came between both sides are in the truth). Somebody who
-- was deleted meanwhile has no other side: the reader ceases to follow him.
--include job_end
--include home_empty
--: key   following  FOLLOWING uid
--: arg   uid        id
--: rows  relations  target:id state:on|off|gone
--: reply OK
--: reply AGAIN
local targets, gone = {}, {}
for i = relations, #ARGV, 2 do
    targets[#targets + 1] = ARGV[i]
end
for i, score in ipairs(redis.call('ZMSCORE', following, unpack(targets))) do
    local is = ARGV[relations + 2 * i - 1]
    if is == 'gone' then
        gone[#gone + 1] = targets[i]
    elseif (score and 'on' or 'off') ~= is then
        return {AGAIN}
    end
end
if #gone > 0 then
    redis.call('ZREM', following, unpack(gone))
end
home_empty()
if redis.call('EXISTS', state) == 1 then -- else the reader himself was deleted, and nothing of him is to come back
    redis.call('HSET', state, HOMESTATE_STAMP, job_nonce .. 'd', HOMESTATE_BUILD, '1')
    if #gone > 0 then
        redis.call('HINCRBY', state, HOMESTATE_VERSION, 1)
    end
end
job_end()
return {OK}
