#!lua flags=no-writes
-- One page of what a user is told, with the newest of those who did it: all lies in one bucket. A group of which nobody is left is not
-- there. rows: {group, time, how many people, uid, …}; of posts of others, which lie elsewhere, there are no people.
--include notice_row
--: key     seen       NOTICEREAD uid
--: arg     uid        id
--: arg     from       text    -- bounds as BYSCORE wants them
--: arg     to         text
--: arg     backwards  flag
--: arg     kinds      text    -- letters of those that are wanted
--: arg     most       number  -- rows
--: arg     shown      number  -- people of each
--: returns read:number newest:number rows:any
local call = redis.call
most, shown = tonumber(most), tonumber(shown)
local range = {'ZRANGE', notices, from, to, 'BYSCORE'}
if backwards == '1' then
    range[6] = 'REV'
end
local rows, at, part = {}, 0, nil
repeat
    local asked = {unpack(range)}
    for _, word in ipairs({'LIMIT', at, 100, 'WITHSCORES'}) do
        asked[#asked + 1] = word
    end
    part = call(unpack(asked))
    for i = 1, #part, 2 do
        local wanted = #rows < most and string.find(kinds, string.sub(part[i], 1, 1), 1, true)
        rows[#rows + 1] = wanted and notice_row(part[i], part[i + 1], shown) or nil
    end
    at = at + 100
until #part < 200 or #rows == most
return {call('GET', seen) or '0', call('ZRANGE', notices, -1, -1, 'WITHSCORES')[2] or '0', rows}
