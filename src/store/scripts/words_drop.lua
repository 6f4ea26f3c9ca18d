#!lua flags=allow-oom
-- Takes away some words of a slot with all their parts, 100 parts of each at a time.
--include word
--: arg slot text
--: returns left:number
local call = redis.call
local words = prefix .. KEY_WORDS .. slot
for i = 1, 100 do
    local word = call('HRANDFIELD', words)
    if not word then
        break
    end
    local first, last, posts = word_parse(call('HGET', words, word))
    if first and call('EXISTS', word_part(slot, word, first)) == 0 then
        first = nil -- damaged: who knows what is left of its parts
    end
    local stop = first and math.min(last, first + 99)
    for number = first or 1, stop or 0 do
        call('UNLINK', word_part(slot, word, number))
    end
    if first and stop < last then
        call('HSET', words, word, pack('>Bi4i4', 1, stop + 1, last) .. posts)
    else
        call('HDEL', words, word)
    end
end
return {call('HLEN', words)}
