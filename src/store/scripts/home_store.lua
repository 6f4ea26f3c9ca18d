#!lua
-- Stores a rebuilt or refreshed home, unless somebody changed it since it was read or it has expired: it may have missed
-- deliveries then, so the next visit begins again. Deliveries since it was read are kept.
--: key   home      HOME uid
--: key   state     HOMESTATE uid
--: arg   uid       id
--: arg   epoch     number
--: arg   read      text    -- stamp as it was read
--: arg   stamp     text    -- new
--: arg   mark      number  -- ms
--: arg   size      number
--: arg   ttl       number  -- ms, 0: for ever
--: arg   keeps     flag    -- the window reaches as far as the list does; else as far as `oldest`
--: arg   oldest    id      -- of the contiguous window; 0: nothing older exists
--: ids   window
--: reply OK
--: reply STALE
local was = redis.call('HMGET', state, HOMESTATE_EPOCH, HOMESTATE_STAMP)
if was[1] ~= epoch or was[2] ~= read then
    return {STALE}
end
size = tonumber(size)
local list = redis.call('LRANGE', home, 0, size - 1)
if #list == 0 then
    return {STALE}
end
if keeps == '1' then
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
for i = window, #ARGV do
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
redis.call('DEL', home)
-- an empty window would be an absent list: leave it absent, the next visit merges again
for i = 1, #ids, 1000 do
    redis.call('RPUSH', home, unpack(ids, i, math.min(i + 999, #ids)))
end
if ttl ~= '0' then
    redis.call('PEXPIRE', home, ttl)
end
redis.call('HSET', state, HOMESTATE_STAMP, stamp, HOMESTATE_BUILD, '0', HOMESTATE_MARK, mark)
return {OK}
