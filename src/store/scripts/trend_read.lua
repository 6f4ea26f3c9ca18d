#!lua flags=no-writes
-- The tags that most people used, and how many they are: tag, number, ... What is stored is as of the last use of each, so it is too much
-- rather than too little: counts until no other can be more.
--include trend
--: arg   most    number
--: arg   least   number  -- people
--: returns tags:any
local found = {}
local stored = redis.call('ZRANGE', trends, 0, -1, 'REV', 'WITHSCORES')
for i = 1, #stored, 2 do
    local last = found[tonumber(most)]
    if tonumber(stored[i + 1]) < tonumber(least) or (last and tonumber(stored[i + 1]) < last.count) then
        break
    end
    local count = redis.call('ZCOUNT', trend_people(stored[i]), '(' .. since, '+inf')
    if count >= tonumber(least) then
        found[#found + 1] = {tag = stored[i], count = count}
        table.sort(found, function(a, b)
            return a.count > b.count or (a.count == b.count and a.tag < b.tag)
        end)
        found[tonumber(most) + 1] = nil
    end
end
local reply = {}
for _, one in ipairs(found) do
    reply[#reply + 1] = one.tag
    reply[#reply + 1] = one.count
end
return {reply}
