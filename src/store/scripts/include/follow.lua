-- The whole of follow.lua and unfollow.lua, which differ in what the engine lets them do.
local on = ARGV[2] == 'on'
if redis.call('EXISTS', KEYS[1]) == 0 or (on and redis.call('HGET', KEYS[1], 'deleted') == '1') then
    return {'gone'}
end
-- the same call again after a lost reply finds its job and repeats its answer
local job = job_owner(KEYS[6], ARGV[7])
local changed = {}
if job == 'mine' then
    for target in string.gmatch(redis.call('HGET', KEYS[6], 'targets'), '%d+') do
        changed[#changed + 1] = target
    end
else
    for i, score in ipairs(redis.call('ZMSCORE', KEYS[2], unpack(ARGV, 8))) do
        if on ~= (score ~= false) then
            changed[#changed + 1] = ARGV[7 + i]
        end
    end
    if #changed == 0 then
        return {'ok'}
    end
    if job == 'taken' then
        return {'stale'}
    end
    if on then
        if redis.call('ZCARD', KEYS[2]) + #changed > tonumber(ARGV[4]) then
            return {'full'}
        end
        local top = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2]
        local time = tonumber(ARGV[3])
        if top and tonumber(top) >= time then
            time = tonumber(top) + 1
        end
        local rows = {}
        for i, target in ipairs(changed) do
            rows[2 * i - 1] = string.format('%.0f', time + i)
            rows[2 * i] = target
        end
        redis.call('ZADD', KEYS[2], unpack(rows))
    else
        redis.call('ZREM', KEYS[2], unpack(changed))
    end
    job_queue(KEYS[5], KEYS[6], ARGV[5], ARGV[6], ARGV[7], 'type', 'follow', 'uid', ARGV[1],
        'targets', table.concat(changed, ','))
    redis.call('HINCRBY', KEYS[4], 'version', 1)
    -- an emptied home stays as long as it would have; one that is not there (nobody reads it) is not begun
    local ttl = redis.call('PTTL', KEYS[3])
    if ttl ~= -2 then
        redis.call('DEL', KEYS[3])
        redis.call('RPUSH', KEYS[3], '0')
        if ttl > 0 then
            redis.call('PEXPIRE', KEYS[3], ttl)
        end
    end
    redis.call('HSET', KEYS[4], 'stamp', ARGV[7], 'build', '1')
end
return {'ok', unpack(changed)}
