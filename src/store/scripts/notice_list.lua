#!lua flags=no-writes
-- One page of what a user is told, with those who did it: all lies in one bucket. What groups hold is one row each, or, of the kinds in
-- `single`, a row for each person. A group of which nobody is left is not there. rows: {group, time, how many people, time of the newest,
-- and of the oldest on this page, uid, …}; of posts of others, which lie elsewhere, there are no people.
--include notice_row
--: key     seen       NOTICEREAD uid
--: arg     uid        id
--: arg     below      number  -- us; 0: any time
--: arg     above      number  -- us
--: arg     forwards   flag    -- those next above, the oldest first; else the newest
--: arg     unseen     flag    -- only what he has not seen
--: arg     kinds      text    -- letters of those that are wanted
--: arg     single     text    -- letters
--: arg     who        id      -- only what this person did, or (of posts of others) may have done; 0: anybody
--: arg     only       text    -- only this group; "": any
--: arg     most       number  -- rows
--: arg     shown      number  -- people of each
--: arg     spans      flag    -- finds the times of the oldest
--: returns read:number newest:number rows:any
local call, rows, read = redis.call, {}, redis.call('GET', seen) or '0'
most, shown, forwards = tonumber(most), tonumber(shown), forwards == '1'
below = below == '0' and math.huge or tonumber(below)
above = above == '0' and -1 or tonumber(above)
above = unseen == '1' and math.max(above, tonumber(read)) or above
local sign, is_wide = forwards and 1 or -1, single ~= '' or who ~= '0' -- wide: what is older may be in a newer group

-- The number in the middle of an id, which is too long for a number of Lua's.
local function bucket_of(id)
    local high, low = tonumber(string.sub(id, 1, -9)) or 0, tonumber(string.sub(id, -8))
    return math.floor((high % 65536 * (100000000 % 65536) + low) % 65536 / 64)
end

local function is_wanted(time)
    return tonumber(time) > above and tonumber(time) < below
end

-- Whether what comes at a time has no room any more.
local function is_full(time)
    return #rows == most and tonumber(rows[most][2]) * sign <= tonumber(time) * sign
end

local function put(row)
    local at = #rows
    while at > 0 and tonumber(rows[at][2]) * sign > tonumber(row[2]) * sign do
        at = at - 1
    end
    table.insert(rows, at + 1, row)
    rows[most + 1] = nil
end

local function put_one(group, time, person)
    put({group, time, 1, time, time, person})
end

local function put_group(group, time)
    local row = is_wanted(time) and notice_row(group, time, shown)
    local number = string.sub(group, 3)
    if row and (who == '0' or row[6] == who or (not row[6] and bucket_of(number) == bucket_of(who))) then
        put(row)
    end
end

local function look(group, time)
    local kind = string.sub(group, 1, 1)
    if not string.find(kinds, kind, 1, true) then
        return
    end
    local set, first, last = notice_set(group)
    last = math.min(last or 0, tonumber(time)) -- of who came later he was not told
    if set and who ~= '0' then
        local at = tonumber(call('ZSCORE', set, who) or '-1')
        if at >= first and at <= last and is_wanted(at) and notice_is_heard(group, who, at) then
            put_one(group, string.format('%.0f', at), who)
        end
    elseif set and string.find(single, kind, 1, true) then
        notice_each(group, set, math.max(first, above + 1), math.min(last, below - 1), forwards, function(person, at)
            if is_full(at) then
                return true
            end
            put_one(group, at, person)
        end)
    else
        put_group(group, time)
    end
end

local function look_at_all()
    local low, high = '(' .. string.format('%.0f', above), is_wide and '+inf' or '(' .. string.format('%.0f', below)
    local at, part = 0, nil
    repeat
        if forwards then
            part = call('ZRANGE', notices, low, high, 'BYSCORE', 'LIMIT', at, 100, 'WITHSCORES')
        else
            part = call('ZRANGE', notices, high, low, 'BYSCORE', 'REV', 'LIMIT', at, 100, 'WITHSCORES')
        end
        for i = 1, #part, 2 do
            if not (forwards and is_wide) and is_full(part[i + 1]) then
                return
            end
            look(part[i], part[i + 1])
        end
        at = at + 100
    until #part < 200
end

-- Since when each group's people are of this page: what is older comes with the next ones.
local function find_oldest()
    local is_cut, bottom = #rows == most, above + 1
    if forwards then
        bottom = tonumber(rows[1][2])
    elseif is_cut then
        bottom = tonumber(rows[math.max(most - 1, 1)][2])
    end
    for _, row in ipairs(rows) do
        local set, first, last = notice_set(row[1])
        if set and row[3] > 1 then
            row[5] = call('ZRANGE', set, string.format('%.0f', math.max(first, bottom)), string.format('%.0f', last), 'BYSCORE', 'LIMIT',
                          0, 1, 'WITHSCORES')[2] or row[2]
        end
    end
end

if only == '' then
    look_at_all()
elseif call('ZSCORE', notices, only) then
    look(only, call('ZSCORE', notices, only))
end
if spans == '1' and #rows > 0 then
    find_oldest()
end
return {read, call('ZRANGE', notices, -1, -1, 'WITHSCORES')[2] or '0', rows}
