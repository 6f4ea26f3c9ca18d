-- What notices show, as far as it lies in the user's bucket.
--include notice
--: key     followers  FOLLOWERS uid
--: key     requests   REQUESTS uid
--: arg     prefix     prefix

local notice_any_apart = redis.call('EXISTS', notice_apart) == 1
local notice_any_gone = redis.call('EXISTS', notice_gone) == 1

-- Whether he wants to hear of somebody, and has not dismissed by itself what this one did at that time.
local function notice_is_heard(group, who, time)
    local gone = notice_any_gone and redis.call('ZSCORE', notice_gone, group .. ':' .. who) or '-1'
    return who ~= uid and not (notice_any_apart and notice_is_hushed(who)) and tonumber(gone) < tonumber(time)
end

-- The set that says who is in a group, and the first and last time (us) of those who are; nil: it says so itself, or lies elsewhere.
local function notice_set(group)
    local kind, number = string.sub(group, 1, 1), string.sub(group, 3)
    local first = tonumber(notice_any_gone and redis.call('ZSCORE', notice_gone, group) or '-1') + 1
    if kind == 'f' then
        return prefix .. KEY_FAVOURITES .. number, first, math.huge
    elseif kind == 'b' then
        return prefix .. KEY_BOOSTS .. number, first, math.huge
    elseif kind == 'F' then
        local day = 86400 * 1000000
        local start = tonumber(number) * day
        return followers, math.max(first, start), start + day - 1
    end
end

-- Hands over those of a set whom he wants to hear of and the times, the newest first or the oldest, until `take` answers true. Returns how
-- many were passed over. Of those who are, no more than a hundred are looked at.
local function notice_each(group, set, first, last, forwards, take)
    local from, to = string.format('%.0f', last), string.format('%.0f', first)
    local at, passed, part, done = 0, 0, nil, false
    repeat
        if forwards then
            part = redis.call('ZRANGE', set, to, from, 'BYSCORE', 'LIMIT', at, 10, 'WITHSCORES')
        else
            part = redis.call('ZRANGE', set, from, to, 'BYSCORE', 'REV', 'LIMIT', at, 10, 'WITHSCORES')
        end
        for i = 1, #part, 2 do
            if not notice_is_heard(group, part[i], part[i + 1]) then
                passed = passed + 1
            elseif not done then
                done = take(part[i], part[i + 1])
            end
        end
        at = at + 10
    until #part < 20 or done or passed >= 100
    return passed
end

-- A group as one row, as it stands for all that is in it; false or nil if nobody is left of whom he wants to hear: the group, its time, how
-- many people, the time of the newest, that of the oldest (notice_list), and the newest people. Of posts of others, which lie elsewhere,
-- there are no people.
local function notice_row(group, time, shown)
    local row, set, first, last = {group, time, 0, time, time}, notice_set(group)
    if set then
        local passed = notice_each(group, set, first, last, false, function(who, at)
            row[4] = #row == 5 and at or row[4]
            row[#row + 1] = who
            return #row == 5 + shown
        end)
        row[3] = redis.call('ZCOUNT', set, string.format('%.0f', first), string.format('%.0f', last)) - passed
        return #row > 5 and row
    elseif string.sub(group, 1, 1) == 'q' then
        local who = string.sub(group, 3)
        row[3], row[6] = 1, who
        return redis.call('ZSCORE', requests, who) and notice_is_heard(group, who, time) and row or nil
    end
    return row
end
