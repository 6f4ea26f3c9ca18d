#!lua flags=allow-oom
-- Takes posts out of the lists of their words. A part between others keeps its last one, so that none is empty: whoever reads it finds no
-- such post.
--include word
--: rows entries slot:text word:text posts:packed
--: returns count:number
--: shape word_add
local call = redis.call

local function without(list, at)
    return string.sub(list, 1, at * 8) .. string.sub(list, at * 8 + 9)
end

-- The numbers of the first and the last part after that.
local function end_in_parts(slot, word, first, last, high, low)
    local number = word_part_of(slot, word, first, last, high, low)
    local key = number and word_part(slot, word, number)
    local part = key and call('GET', key) or ''
    local at, is_there = word_find(part, high, low)
    if not is_there then
        return first, last, false
    end
    if #part > 8 then
        call('SET', key, without(part, at))
    elseif number == first or number == last then
        call('DEL', key)
        first, last = number == first and first + 1 or first, number == first and last or last - 1
    end
    return first, last, true
end

-- Takes one post out of what the hash has of its word.
local function end_one(words, slot, word, high, low)
    local first, last, posts = word_parse(call('HGET', words, word))
    local at, is_there = word_find(posts, high, low)
    if is_there then
        posts = without(posts, at)
    elseif first then
        first, last, is_there = end_in_parts(slot, word, first, last, high, low)
    end
    if not is_there then
        return 0
    end
    if first and first <= last then
        call('HSET', words, word, pack('>Bi4i4', 1, first, last) .. posts)
    elseif posts ~= '' then
        call('HSET', words, word, posts)
    else
        call('HDEL', words, word)
    end
    return 1
end

local ended = 0
for i = entries, #ARGV, 3 do
    for k = 1, #ARGV[i + 2], 8 do
        local high, low = unpack8('>I4I4', ARGV[i + 2], k)
        ended = ended + end_one(prefix .. KEY_WORDS .. ARGV[i], ARGV[i], ARGV[i + 1], high, low)
    end
end
return {ended}
