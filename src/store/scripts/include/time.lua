-- A number with all its digits: Lua would write a time as 1.7e+15.
local function digits(number)
    return string.format('%.0f', number)
end

-- A time (us) for a new member of a sorted set: the given one, or one later than all that are there.
local function time_after(set, time)
    local top = redis.call('ZRANGE', set, -1, -1, 'WITHSCORES')[2]
    return math.max(tonumber(time), top and tonumber(top) + 1 or 0)
end
