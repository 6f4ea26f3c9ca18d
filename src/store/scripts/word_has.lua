#!lua flags=no-writes
-- How many of these posts are missing from the lists of their words: for the check.
--include word
--: rows entries slot:text word:text posts:packed
--: returns count:number
--: shape word_add
local missing = 0
for i = entries, #ARGV, 3 do
    local slot, word = ARGV[i], ARGV[i + 1]
    local first, last, posts = word_parse(redis.call('HGET', prefix .. KEY_WORDS .. slot, word))
    for k = 1, #ARGV[i + 2], 8 do
        local high, low = unpack8('>I4I4', ARGV[i + 2], k)
        local _, is_there = word_find(posts, high, low)
        local number = not is_there and first and word_part_of(slot, word, first, last, high, low)
        if number then
            _, is_there = word_find(redis.call('GET', word_part(slot, word, number)) or '', high, low)
        end
        missing = missing + (is_there and 0 or 1)
    end
end
return {missing}
