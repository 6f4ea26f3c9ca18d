-- What a group of notices shows, as far as it lies in the user's bucket.
--include notice
--: key     followers  FOLLOWERS uid
--: key     requests   REQUESTS uid
--: arg     prefix     prefix

-- Adds the people of a set who came between two times; false if there are none. He himself and those of whom he wants to hear nothing
-- make room for others, but no more than a hundred are looked at.
local function notice_people_add(row, set, first, last, shown)
    local count, at, part = redis.call('ZCOUNT', set, first, last), 0, nil
    repeat
        part = redis.call('ZRANGE', set, last, first, 'BYSCORE', 'REV', 'LIMIT', at, shown)
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

-- The group, its time, how many people, and the newest of them; false or nil if nobody is left of whom he wants to hear. Of posts of others,
-- which lie elsewhere, there are no people.
local function notice_row(group, time, shown)
    local row, kind, number = {group, time, 0}, string.sub(group, 1, 1), string.sub(group, 3)
    local gone = redis.call('ZSCORE', notice_gone, group)
    local since = gone and '(' .. gone or '-inf'
    if kind == 'f' then
        return notice_people_add(row, prefix .. KEY_FAVOURITES .. number, since, '+inf', shown) and row
    elseif kind == 'b' then
        return notice_people_add(row, prefix .. KEY_BOOSTS .. number, since, '+inf', shown) and row
    elseif kind == 'F' then
        local day = 86400 * 1000000
        local start = tonumber(number) * day
        since = gone and tonumber(gone) >= start and since or string.format('%.0f', start)
        return notice_people_add(row, followers, since, '(' .. string.format('%.0f', start + day), shown) and row
    elseif kind == 'q' then
        row[3], row[4] = 1, number
        return redis.call('ZSCORE', requests, number) and not notice_is_hushed(number) and row or nil
    end
    return row
end
