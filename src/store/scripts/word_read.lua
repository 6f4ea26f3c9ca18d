#!lua flags=no-writes
-- The newest posts with a word that are older than a given one: so many parts of them at most, and those behind the parts. posts: 8 bytes
-- each, oldest first.
--include word
--: arg slot  text
--: arg word  text
--: arg below hex     -- 0: the newest of all
--: arg parts number
--: returns older:number posts:any
-- older: 1 when there are more
local first, last, posts = word_parse(redis.call('HGET', prefix .. KEY_WORDS .. slot, word))
local high, low
if below ~= '' then
    high, low = word_halves(below)
    posts = string.sub(posts, 1, word_find(posts, high, low) * 8)
    if first and posts == '' then
        last = word_part_of(slot, word, first, last, high, low) or first - 1
    end
end
local found, number = {posts}, last
local left = tonumber(parts) + 1 -- however many are lost
while first and number >= first and #found <= tonumber(parts) and left > 0 do
    left = left - 1
    local part = redis.call('GET', word_part(slot, word, number)) or ''
    if high and #found == 1 then
        part = string.sub(part, 1, word_find(part, high, low) * 8)
    end
    if part ~= '' then -- one that begins with `below` has nothing older, and is not counted
        table.insert(found, 1, part)
    end
    number = number - 1
end
return {first and number >= first and 1 or 0, table.concat(found)}
