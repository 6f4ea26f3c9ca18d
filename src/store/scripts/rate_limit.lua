#!lua
-- Takes from several limits together or from none. For names that strangers can make up: addresses, user names, devices.
--include limit_rule
--: arg   bucket   bucket  -- of the names
--: arg   prefix   prefix
--: arg   cost     number
--: arg   seconds  number
--: rows  limits   name:text count:number
--: reply OK
--: reply LIMITED  wait:number
local now, wait, keys, new = limit_now(), 0, {}, {}
for i = limits, #ARGV, 2 do
    local n, ms = #keys + 1
    keys[n] = prefix .. KEY_RATE .. ARGV[i]
    new[n], ms = limit_ask(keys[n], now, tonumber(cost), seconds, ARGV[i + 1])
    wait = math.max(wait, ms)
end
if wait > 0 then
    return {LIMITED, wait}
end
for i, key in ipairs(keys) do
    limit_write(key, now, new[i])
end
return {OK}
