#!lua flags=no-writes
-- One page of a user's conversations of direct posts, or one of them; without those of which he wants to hear nobody. Of each the newest posts:
-- more where he does not want to hear everybody.
-- rows: {conversation, time, is not read, people, post, …}
--include talk_heard
--: key     talks       TALKS uid
--: key     talk_posts  TALKPOSTS uid
--: key     talk_news   TALKNEWS uid
--: arg     uid         id
--: arg     talk        id      -- only this one; 0: a page
--: arg     from        text    -- bounds as BYSCORE wants them
--: arg     to          text
--: arg     backwards   flag
--: arg     most        number  -- rows
--: returns rows:any
local function row_of(one, time)
    local hushed, all = talk_hushed(one)
    if all > 0 and hushed == all then
        return nil
    end
    local posts = redis.call('ZRANGE', talk_posts, one, one, 'BYSCORE', 'REV', 'LIMIT', 0, hushed > 0 and 10 or 2)
    return {one, time, redis.call('ZSCORE', talk_news, one) and '1' or '0', talk_others(one), unpack(posts)}
end

if talk ~= '0' then
    local time = redis.call('ZSCORE', talks, talk)
    local row = time and tonumber(time) > 0 and row_of(talk, time)
    return {{row or nil}}
end
local range = {'ZRANGE', talks, from == '-inf' and '(0' or from, to == '-inf' and '(0' or to, 'BYSCORE'}
if backwards == '1' then
    range[6] = 'REV'
end
local rows, at, part = {}, 0, nil
repeat
    local asked = {unpack(range)}
    for _, word in ipairs({'LIMIT', at, 100, 'WITHSCORES'}) do
        asked[#asked + 1] = word
    end
    part = redis.call(unpack(asked))
    for i = 1, #part, 2 do
        if #rows < tonumber(most) then
            rows[#rows + 1] = row_of(part[i], part[i + 1])
        end
    end
    at = at + 100
until #part < 200 or #rows == tonumber(most)
return {rows}
