#!lua flags=allow-oom
-- Takes posts out of the lists of their words. A part between others keeps its last one, so that none is empty: whoever reads it finds no
-- such post.
--include word
--: rows entries slot:text word:text post:hex
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

local ended = 0
for i = entries, #ARGV, 3 do
    local slot, word, high, low = ARGV[i], ARGV[i + 1], word_halves(ARGV[i + 2])
    local words = prefix .. KEY_WORDS .. slot
    local value = call('HGET', words, word)
    local first, last, posts = word_parse(value)
    local at, is_there = word_find(posts, high, low)
    if is_there then
        posts = without(posts, at)
    elseif first then
        first, last, is_there = end_in_parts(slot, word, first, last, high, low)
    end
    if first and first > last then
        first = nil
    end
    if is_there then
        ended = ended + 1
        if first then
            call('HSET', words, word, pack('>Bi4i4', 1, first, last) .. posts)
        elseif posts ~= '' then
            call('HSET', words, word, posts)
        else
            call('HDEL', words, word)
        end
    end
end
return {ended}
