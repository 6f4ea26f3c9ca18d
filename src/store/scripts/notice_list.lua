#!lua flags=no-writes
-- One page of what a user is told, with the newest of those who did it: all lies in one bucket. A group of which nobody is left is not
-- there. rows: {group, time, how many people, uid, …}; of posts of others, which lie elsewhere, there are no people.
--include notice
--: key     seen       NOTICEREAD uid
--: key     followers  FOLLOWERS uid
--: key     requests   REQUESTS uid
--: arg     uid        id
--: arg     prefix     prefix
--: arg     from       text    -- bounds as BYSCORE wants them
--: arg     to         text
--: arg     backwards  flag
--: arg     kinds      text    -- letters of those that are wanted
--: arg     most       number  -- rows
--: arg     shown      number  -- people of each
--: returns read:number newest:number rows:any
local call = redis.call
local day = 86400 * 1000000
most, shown = tonumber(most), tonumber(shown)

-- Adds the people of a set who came between two times; false if there are none. He himself and those of whom he wants to hear nothing
-- make room for others, but no more than a hundred are looked at.
local function people_add(row, set, first, last)
    local count, at, part = call('ZCOUNT', set, first, last), 0, nil
    repeat
        part = call('ZRANGE', set, last, first, 'BYSCORE', 'REV', 'LIMIT', at, shown)
        for _, who in ipairs(part) do
            if who == uid or notice_is_hushed(who) then
                count = count - 1
            elseif #row < 3 + shown then
                row[#row + 1] = who
            end
        end
        at = at + shown
    until #part < shown or #row == 3 + shown or at >= 100
    row[3] = count
    return #row > 3
end

local function row_of(group, time)
    local row, kind, number = {group, time, 0}, string.sub(group, 1, 1), string.sub(group, 3)
    local gone = call('ZSCORE', notice_gone, group)
    local since = gone and '(' .. gone or '-inf'
    if kind == 'f' then
        return people_add(row, prefix .. KEY_FAVOURITES .. number, since, '+inf') and row
    elseif kind == 'b' then
        return people_add(row, prefix .. KEY_BOOSTS .. number, since, '+inf') and row
    elseif kind == 'F' then
        local start = tonumber(number) * day
        since = gone and tonumber(gone) >= start and since or string.format('%.0f', start)
        return people_add(row, followers, since, '(' .. string.format('%.0f', start + day)) and row
    elseif kind == 'q' then
        row[3], row[4] = 1, number
        return call('ZSCORE', requests, number) and not notice_is_hushed(number) and row or nil
    end
    return row
end

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
        rows[#rows + 1] = wanted and row_of(part[i], part[i + 1]) or nil
    end
    at = at + 100
until #part < 200 or #rows == most
return {call('GET', seen) or '0', call('ZRANGE', notices, -1, -1, 'WITHSCORES')[2] or '0', rows}
