-- Lists of posts with a word, oldest first (KEY_WORDS): the newest lie in a hash with those of many other words, because most words are
-- rare and a key of its own would cost ten times as much; older ones in parts, so that what is written for one more post stays small. All posts
-- of a part are older than those of the next; only the newest and the oldest part grow. They are written whole, so that no string is larger than
-- what it holds.
--: arg bucket bucket
--: arg prefix prefix
local word_most = 127 * 8 -- bytes of a part: with its head it fits into what the engine's allocator gives for a kilobyte
local pack, unpack8, floor = struct.pack, struct.unpack, math.floor

-- Numbers have 53 bits here and ids more: two halves.
local function word_halves(hex)
    return tonumber(string.sub(hex, 1, -9), 16), tonumber(string.sub(hex, -8), 16)
end

-- The numbers of the oldest and of the newest part (nil: there is none), and the posts behind them. What cannot be read (the check finds it) is as
-- good as nothing.
local function word_parse(value)
    if not value or #value % 8 > 1 or #value == 1 then
        return nil, nil, ''
    end
    if #value % 8 == 0 then
        return nil, nil, value
    end
    local _, first, last = unpack8('>Bi4i4', value)
    return first, last, string.sub(value, 10)
end

local function word_part(slot, word, number)
    return prefix .. KEY_WORDPART .. slot .. '|' .. number .. '|' .. word
end

-- How many posts of the list are older than this one, and whether it is there.
local function word_find(list, high, low)
    local from, to, is_there = 0, floor(#list / 8), false
    while from < to do
        local middle = floor((from + to) / 2)
        local h, l = unpack8('>I4I4', list, middle * 8 + 1)
        if h < high or (h == high and l < low) then
            from = middle + 1
        else
            to = middle
            is_there = is_there or (h == high and l == low)
        end
    end
    return from, is_there
end

-- The newest part that begins with this post or an older one; nil if all begin later.
local function word_part_of(slot, word, first, last, high, low)
    local from, to = first, last + 1
    while from < to do
        local middle = floor((from + to) / 2)
        local head = redis.call('GETRANGE', word_part(slot, word, middle), 0, 7)
        local h, l = 0, 0
        if #head == 8 then
            h, l = unpack8('>I4I4', head)
        end
        if h < high or (h == high and l <= low) then
            from = middle + 1
        else
            to = middle
        end
    end
    return from > first and from - 1 or nil
end
