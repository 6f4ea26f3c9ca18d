#!lua
-- Puts posts into the lists of their words, each at its place and once: whoever repeats it changes nothing. Posts of a row are in order, the
-- oldest first. Those that are newer or older than all of the list are put there together, which is the rule; others one by one.
--include word
--: rows entries slot:text word:text posts:packed
--: returns count:number
local word_tail = 32 * 8 -- bytes of a list that are kept in the hash: beyond, it goes into parts
local call = redis.call
local added = 0

-- The list that is open, and that part of it in which a post was looked for last.
local slot, word, first, last, posts, is_changed
local near = ''

local function part_of(number)
    return call('GET', word_part(slot, word, number)) or ''
end

local function set_part(number, part)
    call('SET', word_part(slot, word, number), part)
end

-- The list with the posts of `new` behind so many others.
local function with(list, at, new)
    added, is_changed = added + #new / 8, true
    return string.sub(list, 1, at * 8) .. new .. string.sub(list, at * 8 + 1)
end

-- What is too much for the hash goes behind the newest part, all but the last one: so the newest post is mostly known without a part.
local function cut()
    local moved, from = string.sub(posts, 1, -9), 1
    posts = string.sub(posts, -8)
    local part = last and part_of(last) or ''
    if not last then
        first, last = 0, 0
    elseif #part >= word_most then
        last, part = last + 1, ''
    end
    while from <= #moved do
        local more = string.sub(moved, from, from + word_most - #part - 1)
        set_part(last, part .. more)
        from = from + #more
        if from <= #moved then
            last, part = last + 1, ''
        end
    end
end

local function put_behind(new)
    if new ~= '' then
        posts = with(posts, #posts / 8, new)
        if #posts > word_tail then
            cut()
        end
    end
end

-- In front of all: what the oldest part has room for, then new ones.
local function put_in_front(new)
    if not first then
        posts = with(posts, 0, new)
        if #posts > word_tail then
            cut()
        end
        return
    end
    local part, before = part_of(first), first
    added = added + #new / 8
    while new ~= '' do
        if #part >= word_most then
            first, part = first - 1, ''
        end
        local room = word_most - #part
        part, new = string.sub(new, -room) .. part, string.sub(new, 1, -room - 1)
        set_part(first, part)
    end
    is_changed = first ~= before
end

-- The two halves of the newest post, of the oldest; nil: there is none that can be read.
local function newest()
    local text = posts ~= '' and string.sub(posts, -8) or last and call('GETRANGE', word_part(slot, word, last), -8, -1)
    if text and #text == 8 then
        return unpack8('>I4I4', text)
    end
end

local function oldest()
    local text = first and call('GETRANGE', word_part(slot, word, first), 0, 7) or string.sub(posts, 1, 8)
    if #text == 8 then
        return unpack8('>I4I4', text)
    end
end

-- One post, that belongs among the others. Its part gets longer than others by it; few posts come so late.
local function put_between(new)
    local high, low = unpack8('>I4I4', new)
    local _, is_near = word_find(near, high, low)
    if is_near then
        return
    end
    local at, is_there = word_find(posts, high, low)
    local number = at == 0 and first and (word_part_of(slot, word, first, last, high, low) or first)
    if is_there then
        return
    end
    if not number then
        posts = with(posts, at, new)
        return
    end
    near = part_of(number)
    at, is_there = word_find(near, high, low)
    if not is_there then
        near = with(near, at, new)
        set_part(number, near)
    end
end

local function put(new)
    local high, low = newest()
    local at, is_there = word_find(new, high or 0, low or 0)
    local older = string.sub(new, 1, (is_there and at + 1 or at) * 8)
    if older ~= '' then
        high, low = oldest()
        if word_find(older, high or 0, low or 0) * 8 == #older then
            put_in_front(older)
        else
            for i = 1, #older, 8 do
                put_between(string.sub(older, i, i + 7))
            end
        end
    end
    put_behind(string.sub(new, #older + 1))
end

for i = entries, #ARGV, 3 do
    slot, word, is_changed, near = ARGV[i], ARGV[i + 1], false, ''
    local words = prefix .. KEY_WORDS .. slot
    first, last, posts = word_parse(call('HGET', words, word))
    put(ARGV[i + 2])
    if is_changed then
        call('HSET', words, word, first and pack('>Bi4i4', 1, first, last) .. posts or posts)
    end
end
return {added}
