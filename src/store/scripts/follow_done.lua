#!lua flags=allow-oom
--include job
-- The end of a follow job, in the reader's bucket. If a relation changed while the other side was written, the job has
-- to run again; else the home is emptied once more (posts that came between both sides are in the truth). Somebody who was deleted
-- meanwhile has no other side any more: the reader ceases to follow him.
-- KEYS  following, home, homestate, jobs, job
-- ARGV  job id, nonce, target, state applied ('1' | '0' | 'gone'), …
-- reply {"ok"} | {"again"}
local targets, gone = {}, {}
for i = 3, #ARGV, 2 do
    targets[(i - 1) / 2] = ARGV[i]
end
for i, score in ipairs(redis.call('ZMSCORE', KEYS[1], unpack(targets))) do
    local state = ARGV[2 * i + 2]
    if state == 'gone' then
        gone[#gone + 1] = targets[i]
    elseif (score and '1' or '0') ~= state then
        return {'again'}
    end
end
if #gone > 0 then
    redis.call('ZREM', KEYS[1], unpack(gone))
end
-- an emptied home stays as long as it would have; one that is not there (nobody reads it) is not begun
local ttl = redis.call('PTTL', KEYS[2])
if ttl ~= -2 then
    redis.call('DEL', KEYS[2])
    redis.call('RPUSH', KEYS[2], '0')
    if ttl > 0 then
        redis.call('PEXPIRE', KEYS[2], ttl)
    end
end
if redis.call('EXISTS', KEYS[3]) == 1 then -- else the reader himself was deleted, and nothing of him is to come back
    redis.call('HSET', KEYS[3], 'stamp', ARGV[2] .. 'd', 'build', '1')
    if #gone > 0 then
        redis.call('HINCRBY', KEYS[3], 'version', 1)
    end
end
job_end(KEYS[4], KEYS[5], ARGV[1], ARGV[2])
return {'ok'}
