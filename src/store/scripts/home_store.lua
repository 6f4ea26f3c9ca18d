#!lua
-- Stores a rebuilt or refreshed home, unless somebody changed it since it was read or it has run out: what was delivered then is
-- lost to it, so the next visit begins again. What was delivered meanwhile is kept.
-- KEYS  home, homestate
-- ARGV  epoch, stamp as read, new stamp, mark (ms), size, time to live (ms, '0' for ever),
--       oldest id of the contiguous window ('0': nothing older exists; 'keep': it reaches as far as the list does), id, …
-- reply {"ok"} | {"stale"}
local state = redis.call('HMGET', KEYS[2], 'epoch', 'stamp')
if state[1] ~= ARGV[1] or state[2] ~= ARGV[2] then
    return {'stale'}
end
local size, oldest = tonumber(ARGV[5]), ARGV[7]
local list = redis.call('LRANGE', KEYS[1], 0, size - 1)
if #list == 0 then
    return {'stale'}
end
if oldest == 'keep' then
    oldest = list[#list]
    for i = oldest == '0' and #list + 1 or 1, #list do
        oldest = list[i] < oldest and list[i] or oldest
    end
end
local seen, ids = {}, {}
local function take(id)
    if id ~= '0' and not seen[id] and (oldest == '0' or id >= oldest) then
        seen[id] = true
        ids[#ids + 1] = id
    end
end
for i = 8, #ARGV do
    take(ARGV[i])
end
for _, id in ipairs(list) do
    take(id)
end
table.sort(ids, function(a, b) return a > b end)
local complete = oldest == '0' and #ids < size
while #ids > size do
    ids[#ids] = nil
end
if complete then
    ids[#ids + 1] = '0'
end
redis.call('DEL', KEYS[1])
-- an empty window would be an absent list: leave it absent, the next visit merges again
for i = 1, #ids, 1000 do
    redis.call('RPUSH', KEYS[1], unpack(ids, i, math.min(i + 999, #ids)))
end
if ARGV[6] ~= '0' then
    redis.call('PEXPIRE', KEYS[1], ARGV[6])
end
redis.call('HSET', KEYS[2], 'stamp', ARGV[3], 'build', '0', 'mark', ARGV[4])
return {'ok'}
