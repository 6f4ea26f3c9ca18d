#!lua
-- Puts posts into the lists of their words, each at its place and once: whoever repeats it changes nothing. Rows of one word follow each
-- other.
--include word
--: rows entries slot:text word:text post:hex
--: returns count:number
local call = redis.call
local added = 0

-- A word whose list is open, and one of its parts.
local w

local function save_part()
    if w.is_changed then
        call('SET', word_part(w.slot, w.word, w.number), w.part)
    end
    w.is_changed = false
end

local function open_part(number)
    if w.number ~= number then
        save_part()
        w.number, w.part = number, call('GET', word_part(w.slot, w.word, number)) or ''
    end
end

local function close()
    if not w then
        return
    end
    save_part()
    local value = w.first and pack('>Bi4i4', 1, w.first, w.last) .. w.posts or w.posts
    call('HSET', prefix .. KEY_WORDS .. w.slot, w.word, value)
end

local function open(slot, word)
    close()
    w = {slot = slot, word = word}
    w.first, w.last, w.posts = word_parse(call('HGET', prefix .. KEY_WORDS .. slot, word))
end

-- The list with the post at its place.
local function with(list, at, high, low)
    added = added + 1
    return string.sub(list, 1, at * 8) .. pack('>I4I4', high, low) .. string.sub(list, at * 8 + 1)
end

-- Into the parts: a new one in front of all when there is no room in the first.
local function add_to_parts(high, low)
    open_part(w.first)
    local at, is_there = word_find(w.part, high, low)
    if at == 0 and not is_there then
        if #w.part >= word_most * 8 then
            w.first = w.first - 1
            open_part(w.first)
        end
    else
        save_part()
        open_part(word_part_of(w.slot, w.word, w.first, w.last, high, low) or w.first)
        at, is_there = word_find(w.part, high, low)
    end
    if not is_there then
        w.part = with(w.part, at, high, low)
        w.is_changed = true
    end
end

-- Whether some part goes as far as to this post.
local function is_in_parts(high, low)
    if not w.first then
        return false
    end
    local last = call('GETRANGE', word_part(w.slot, w.word, w.last), -8, -1)
    local h, l = 0, 0
    if #last == 8 then
        h, l = unpack8('>I4I4', last)
    end
    return h > high or (h == high and l >= low)
end

local function add(high, low)
    local at, is_there = word_find(w.posts, high, low)
    if is_there then
        return
    end
    if at == 0 and is_in_parts(high, low) then
        return add_to_parts(high, low)
    end
    w.posts = with(w.posts, at, high, low)
    if #w.posts > word_most * 8 then
        save_part()
        w.first, w.last = w.first or 0, w.last and w.last + 1 or 0
        w.number, w.part, w.is_changed = w.last, string.sub(w.posts, 1, word_most * 8), true
        w.posts = string.sub(w.posts, word_most * 8 + 1)
        save_part()
    end
end

for i = entries, #ARGV, 3 do
    local slot, word = ARGV[i], ARGV[i + 1]
    if not w or w.slot ~= slot or w.word ~= word then
        open(slot, word)
    end
    add(word_halves(ARGV[i + 2]))
end
close()
return {added}
