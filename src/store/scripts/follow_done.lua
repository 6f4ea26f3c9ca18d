#!lua
-- The end of a follow job, in the reader's bucket. If a relation changed while the other side was written, the job has
-- to run again; else the home is emptied once more (posts that came between both sides are in the truth).
-- KEYS  following, home, homestate, jobs, job
-- ARGV  job id, target, state applied ('1' | '0'), …
-- reply {"ok"} | {"again"}
for i = 2, #ARGV, 2 do
    local now = redis.call('ZSCORE', KEYS[1], ARGV[i]) and '1' or '0'
    if now ~= ARGV[i + 1] then
        return {'again'}
    end
end
redis.call('DEL', KEYS[2])
redis.call('RPUSH', KEYS[2], '0')
redis.call('HSET', KEYS[3], 'stamp', ARGV[1] .. 'd', 'build', '1')
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('DEL', KEYS[5])
return {'ok'}
