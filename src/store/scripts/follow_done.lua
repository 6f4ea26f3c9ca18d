#!lua flags=allow-oom
-- The end of a follow job, in the reader's bucket. If a relation changed while the other side was written, the job has
-- to run again; else the home is emptied once more (posts that came between both sides are in the truth). Somebody who was deleted
-- meanwhile has no other side any more, nor has a block: the reader ceases to follow him. And the other side may know better whether he
-- follows or only asks: then this side becomes alike, and the job runs once more, so that it never ends on what was true before.
--include job_end
--include home_empty
--include ties_end
--include time
--include user
--: key   user       USER uid
--: key   following  FOLLOWING uid
--: key   asked      ASKED uid
--: arg   uid        id
--: arg   now        number  -- us
--: rows  relations  target:id state:on|off|asks|gone tells:flag becomes:same|on|asks|untold
--: reply OK
--: reply AGAIN
local targets, gone, moves, of_home = {}, {}, {}, false
for i = relations, #ARGV, 4 do
    targets[#targets + 1] = ARGV[i]
end
local waits = redis.call('ZMSCORE', asked, unpack(targets))
local wishes = redis.call('HMGET', ties, unpack(targets))
for i, score in ipairs(redis.call('ZMSCORE', following, unpack(targets))) do
    local at = relations + 4 * i
    local is, tells, becomes = ARGV[at - 3], ARGV[at - 2], ARGV[at - 1]
    local is_told = score and string.find(wishes[i] or '', '^%a*t') and '1' or '0'
    if is == 'gone' then
        gone[#gone + 1] = targets[i]
    elseif (score and 'on' or waits[i] and 'asks' or 'off') ~= is or is_told ~= tells then
        return {AGAIN}
    elseif becomes ~= 'same' then
        moves[#moves + 1] = {targets[i], becomes}
    end
    of_home = of_home or is ~= 'asks' or becomes == 'on'
end
if #gone > 0 then
    redis.call('ZREM', following, unpack(gone))
    redis.call('ZREM', asked, unpack(gone))
    ties_end(gone)
end
if #moves > 0 and not user_lives(user) then
    moves = {} -- what he leaves is taken away as it lies
end
-- The other has no room for one more: nothing is to say that this one is told.
local function untell(other)
    local new = string.gsub(redis.call('HGET', ties, other) or '', '^(r?)t', '%1')
    if new == '' then
        redis.call('HDEL', ties, other)
    else
        redis.call('HSET', ties, other, new)
    end
    redis.call('HINCRBY', state, HOMESTATE_TIES, 1)
end

-- This side becomes like the other.
local function follow_move(move)
    local from, to = asked, following
    if move[2] == 'asks' then
        from, to = following, asked
        redis.call('ZREM', endorsed, move[1])
    end
    redis.call('ZREM', from, move[1])
    redis.call('ZADD', to, digits(time_after(to, now)), move[1])
end

for _, move in ipairs(moves) do
    if move[2] == 'untold' then
        untell(move[1])
    else
        follow_move(move)
    end
end
if of_home then
    home_empty()
end
if redis.call('EXISTS', state) == 1 then -- else the reader himself was deleted, and nothing of him is to come back
    if of_home then
        redis.call('HSET', state, HOMESTATE_STAMP, job_nonce .. 'd', HOMESTATE_BUILD, '1')
    end
    if #gone > 0 or #moves > 0 then
        redis.call('HINCRBY', state, HOMESTATE_VERSION, 1)
    end
end
if #moves > 0 then
    return {AGAIN}
end
job_end()
return {OK}
