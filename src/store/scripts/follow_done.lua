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
--: rows  relations  target:id state:on|off|asks|gone becomes:same|on|asks
--: reply OK
--: reply AGAIN
local targets, gone, moves, of_home = {}, {}, {}, false
for i = relations, #ARGV, 3 do
    targets[#targets + 1] = ARGV[i]
end
local waits = redis.call('ZMSCORE', asked, unpack(targets))
for i, score in ipairs(redis.call('ZMSCORE', following, unpack(targets))) do
    local is, becomes = ARGV[relations + 3 * i - 2], ARGV[relations + 3 * i - 1]
    if is == 'gone' then
        gone[#gone + 1] = targets[i]
    elseif (score and 'on' or waits[i] and 'asks' or 'off') ~= is then
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
for _, move in ipairs(moves) do
    local from, to = asked, following
    if move[2] == 'asks' then
        from, to = following, asked
        redis.call('ZREM', endorsed, move[1])
    end
    redis.call('ZREM', from, move[1])
    redis.call('ZADD', to, digits(time_after(to, now)), move[1])
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
