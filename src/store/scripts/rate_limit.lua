#!lua
--include limit
-- Takes from several limits together or from none. For those whose number strangers decide: addresses, names, devices.
-- KEYS  rate ...
-- ARGV  cost, seconds, count of each key
-- reply {"ok"} | {"limited", ms to wait}
local now, wait, new = limit_now(), 0, {}
for i, key in ipairs(KEYS) do
    local ms
    new[i], ms = limit_ask(key, now, tonumber(ARGV[1]), ARGV[2], ARGV[2 + i])
    wait = math.max(wait, ms)
end
if wait > 0 then
    return {'limited', wait}
end
for i, key in ipairs(KEYS) do
    limit_write(key, now, new[i])
end
return {'ok'}
