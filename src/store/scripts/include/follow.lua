-- The whole of follow.lua and unfollow.lua, which differ only in whether they may run when memory is full.
--include job_queue
--include limit
--include home_empty
--include tie_set
--include ties_end
--include time
--: shape follow
--: key   user       USER uid
--: key   following  FOLLOWING uid
--: key   asked      ASKED uid
--: key   apart      APART uid
--: arg   uid        id
--: arg   on         flag
--: arg   now        number  -- us
--: arg   most       number  -- whom one may follow, or ask
--: arg   locked     text    -- of the targets, those who want to be asked: uids, comma separated
--: ids   targets
--: reply OK         changed:any refused:any asks:any anew:any told:any
--: reply FULL
--: reply GONE
--: reply STALE
-- changed: of the targets; refused: those who block him, or whom he blocks; asks: those whom he asks by now; anew: the first of them, if
-- all that changed is whether he wants to be told of his posts (what he wants is about the first); told: those of whose he does. FULL:
-- only when following.
-- STALE: another process has a job of this id.
if redis.call('EXISTS', user) == 0 or (on == '1' and redis.call('HGET', user, USER_DELETED) == '1') then
    return {GONE}
end
local is_there, is_mine = job_find()
local changed, refused, asks = {}, {}, {}
local wants_asking = {}
for target in string.gmatch(locked, '%d+') do
    wants_asking[target] = true
end
local stands = on == '1' and redis.call('HMGET', apart, unpack(ARGV, targets)) or {}
local waits = redis.call('ZMSCORE', asked, unpack(ARGV, targets))
local new, of_home = {}, false -- whom he asks anew; whether it changes his home
for i, score in ipairs(redis.call('ZMSCORE', following, unpack(ARGV, targets))) do
    local target = ARGV[targets + i - 1]
    if stands[i] and string.find(stands[i], '[bB]') then
        refused[#refused + 1] = target
    elseif on == '1' and not score and wants_asking[target] then
        asks[#asks + 1] = target
        new[#new + 1] = not waits[i] and target or nil
    elseif (on == '1') ~= (score ~= false) or (on == '0' and waits[i]) then
        changed[#changed + 1] = target
        of_home = of_home or on == '1' or score ~= false
    end
end
-- Of whose posts he wants to be told.
local function told()
    local all = {}
    for i, value in ipairs(on == '1' and redis.call('HMGET', ties, unpack(ARGV, targets)) or {}) do
        all[#all + 1] = tie_is_told(value) and ARGV[targets + i - 1] or nil
    end
    return all
end

if is_mine then -- the same call again after a lost reply finds its job and repeats its answer
    changed, asks = {}, {}
    for target in string.gmatch(redis.call('HGET', job, JOB_TARGETS), '%d+') do
        local list = redis.call('ZSCORE', asked, target) and asks or changed
        list[#list + 1] = target
    end
    return {OK, changed, refused, asks, {}, told()}
end
local first = ARGV[targets]
local tie, tells_anew
if on == '1' and refused[1] ~= first then
    tie, tells_anew = tie_wanted(first)
end
local moves = #changed > 0 or #new > 0
if (moves or tells_anew) and is_there then
    return {STALE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
local function put(set, list)
    local time, rows = time_after(set, now), {}
    for i, target in ipairs(list) do
        rows[2 * i - 1] = digits(time + i)
        rows[2 * i] = target
    end
    if #list > 0 then
        redis.call('ZADD', set, unpack(rows))
    end
end
if on == '1' and moves then
    if redis.call('ZCARD', following) + redis.call('ZCARD', asked) + #changed + #new > tonumber(most) then
        return {FULL}
    end
    put(following, changed)
    put(asked, new)
elseif of_home then
    redis.call('ZREM', following, unpack(changed))
end
if on == '0' then
    ties_end(changed)
end
if #changed > 0 then
    redis.call('ZREM', asked, unpack(changed))
end
if tie then
    tie_put(first, tie)
end
if moves then
    local all = table.concat(changed, ',')
    job_queue(JOB_TARGETS, #new > 0 and #changed > 0 and all .. ',' .. table.concat(new, ',') or all .. table.concat(new, ','))
    redis.call('HINCRBY', state, HOMESTATE_VERSION, 1)
elseif tells_anew then
    job_queue(JOB_TARGETS, first)
end
if of_home then
    home_empty()
    redis.call('HSET', state, HOMESTATE_STAMP, job_nonce, HOMESTATE_BUILD, '1')
end
return {OK, changed, refused, asks, tells_anew and not moves and #asks == 0 and {first} or {}, told()}
