#!lua flags=no-writes
-- The newest posts with a word that are older than a given one: those behind the parts, and so many parts at most, or all if they are no more
-- than `whole`. posts: 8 bytes each, oldest first.
--include word
--: arg slot  text
--: arg word  text
--: arg below hex     -- 0: the newest of all
--: arg parts number
--: arg whole number
--: returns older:number posts:any
-- older: 1 when there are more
local first, last, posts = word_parse(redis.call('HGET', prefix .. KEY_WORDS .. slot, word))
local high, low
if below ~= '' then
    high, low = word_halves(below)
    posts = string.sub(posts, 1, word_find(posts, high, low) * 8)
    if first and posts == '' then -- the newest part that begins with an older post
        last = word_part_of(slot, word, first, last, high, low - 1) or first - 1
    end
end
if not first or last < first then
    return {0, posts}
end
local most = last - first < tonumber(whole) and tonumber(whole) or tonumber(parts)
local from, keys = math.max(first, last - most + 1), {}
for number = from, last do
    table.insert(keys, word_part(slot, word, number))
end
local found = redis.call('MGET', unpack(keys))
for i, part in ipairs(found) do
    found[i] = part or '' -- lost
end
if high and posts == '' then
    local newest = found[#found]
    found[#found] = string.sub(newest, 1, word_find(newest, high, low) * 8)
end
table.insert(found, posts)
return {from > first and 1 or 0, table.concat(found)}
